"""Any order of the loss: distances, outputs and worst cases against linear programs and brute force."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_app.cities.city import City, make_city, make_public, of_order
from dpot_app.cities.place import Place
from dpot_app.cities.worst_case import bracket, cells_run, runs_everywhere
from dpot_app.figures.style import km_at_most
from dpot_app.kit.fields import ORDERS
from dpot_app.kit.moved import Moved
from dpot_app.kit.values import ScenarioError
from dpot_app.views.geolocation.base import make_base, minimax_point, with_own
from dpot_app.views.geolocation.person.results import moved, one_person
from dpot_app.views.geolocation.person.text import order_in_words
from dpot_app.views.geolocation.settings import BASES, Config
from dpot_app.views.geolocation.worst_case.figures import in_use_figure
from dpot_app.views.geolocation.worst_case.results import Here, in_use
from dpot_app.views.geolocation.worst_case.text import show_in_use
from dpot_app.views.table import VIEWS
from dpot_core.arguments import Array
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.wasserstein_projection import exact_projection_lp
from dpot_core.privacy.audits import certify
from dpot_core.privacy.numerals import at_most
from dpot_core.worst_case import worst_case_bracket
from tests.views.geolocation.examples import zones_geojson

PLACE = Place(n=5)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(60), replace(PLACE, held_out=True))


@pytest.fixture(scope="module")
def zoned(city: City) -> City:
    return make_city(simulated_city(60), PLACE, zones_geojson(city))


def transported(mu: Array, nu: Array, cost: Array) -> float:
    """The least cost of moving mu to nu, as the linear program is printed."""
    k, k_v = cost.shape
    rows, columns = np.kron(np.eye(k), np.ones(k_v)), np.kron(np.ones(k), np.eye(k_v))
    # The last column's sum follows from the others.
    found = linprog(cost.ravel() / cost.max(), A_eq=np.vstack([rows, columns[:-1]]), b_eq=np.concatenate([mu, nu[:-1]]))
    return float(found.fun * cost.max())


# --- distances and outputs ------------------------------------------------------------------------------


@pytest.mark.parametrize("p", ORDERS)
def test_distances_are_what_the_linear_program_says(city: City, zoned: City, p: float) -> None:
    rng = np.random.default_rng(3)
    for known in (city, zoned):
        here = of_order(known, p)
        for _ in range(3):
            mu, nu = rng.dirichlet(np.full(25, 0.2)), rng.dirichlet(np.full(here.n_outputs, 0.3))
            expected = transported(mu, nu, here.distances**p) ** (1 / p)
            assert here.kilometres(mu, nu) == pytest.approx(expected, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("p", ORDERS)
def test_an_interval_on_a_fine_grid_holds_the_distance(p: float) -> None:
    here = of_order(make_city(simulated_city(60), Place(n=48)), p)
    mu = here.histogram(int(here.by_activity[0]))
    nu = np.full(48 * 48, 1.0) + 50 * np.roll(mu, 5)
    nu /= nu.sum()
    with patch("dpot_app.cities.city._MANY", 0):
        low, high = here.kilometres_within(mu, nu)
    assert low <= here.kilometres(mu, nu) <= high and high - low <= 0.005 * high


@pytest.mark.parametrize("base", ["best-uniform", "prior"])
@pytest.mark.parametrize("p", ORDERS)
def test_exact_wpm_is_the_nearest_output_of_its_polytope(city: City, p: float, base: str) -> None:
    here, config = of_order(city, p), Config(place=city.place, base=base, reg=None, p=p, epsilon=1.5)
    result = one_person(here, config)
    polytope = dpot.Polytope(make_base(here, base, 1.5), 1.5)
    nearest = float(exact_projection_lp(result.truth.mu, here.distances**p, polytope).value) ** (1 / p)
    assert polytope.contains(result.outputs["wpm"])
    assert result.kilometres["wpm"] == pytest.approx(nearest, rel=1e-6)
    assert result.exact_kilometres == pytest.approx(nearest, rel=1e-6)
    for name, nu in result.outputs.items():
        assert result.kilometres[name] == pytest.approx(
            transported(result.truth.mu, nu, here.distances**p) ** (1 / p), rel=1e-6
        )
        assert result.kilometres[name] >= nearest - 1e-6 or name not in ("wpm",)


@pytest.mark.parametrize("p", ORDERS)
def test_entropic_wpm_is_algorithm_1_on_costs_of_this_order(city: City, p: float) -> None:
    here, config = of_order(city, p), Config(place=city.place, reg=0.03, p=p)
    result = one_person(here, config)
    polytope = dpot.Polytope(make_base(here, "best-uniform", 2.0), 2.0)
    cost = (here.distances / here.diameter) ** p
    expected = dpot.project_entropic(result.truth.mu, cost, polytope, 0.03, 40).output
    np.testing.assert_allclose(result.outputs["wpm"], expected, atol=1e-12)


@pytest.mark.parametrize("reg", [None, 0.01])
@pytest.mark.parametrize("p", ORDERS)
def test_privacy_is_what_is_promised_at_every_order(city: City, p: float, reg: float | None) -> None:
    here = of_order(city, p)
    for name in MECHANISMS:
        public = make_public(here, make_base(here, "best-uniform", 1.2), 1.2, reg)
        rows = MECHANISMS[name](public)(np.vstack([np.eye(25), here.histograms[:20]]))
        assert certify(rows) <= 1.2 + 1e-12


def test_the_order_changes_outputs_of_wpm_only_and_all_distances(city: City) -> None:
    results = {p: one_person(of_order(city, p), Config(place=city.place, p=p)) for p in ORDERS}
    one, two = results[1.0], results[2.0]
    assert np.abs(one.outputs["wpm"] - two.outputs["wpm"]).max() > 1e-3
    for name in ("kpm", "em", "krr"):
        np.testing.assert_array_equal(one.outputs[name], two.outputs[name])
    for name in one.kilometres:
        # W_p grows with p for one and the same output, by Jensen's inequality.
        if name != "wpm":
            assert (np.diff([results[p].kilometres[name] for p in ORDERS]) > 0).all()
    assert (np.diff([results[p].exact_kilometres for p in ORDERS]) > 0).all()


def test_how_far_the_mass_is_moved_is_counted_along_an_optimal_plan(city: City) -> None:
    for p in (1.0, 2.0):
        result = one_person(of_order(city, p), Config(place=city.place, p=p))
        assert result.moved is not None
        here, other = result.moved
        assert (here.p, other.p) == (p, 3.0 - p)
        # No more than W_p, which it is at p = 1; and a tenth of the mass is moved no nearer than all of it.
        assert here.mean <= result.kilometres["wpm"] + 1e-9 and here.mean <= here.tenth <= 10 * here.mean + 1e-9
        if p == 1.0:
            assert here.mean == pytest.approx(result.kilometres["wpm"], rel=1e-9)
            assert other == one_person(of_order(city, 2.0), Config(place=city.place, p=2.0)).moved[0]  # type: ignore[index]
    half = np.zeros(25)
    half[[0, 1]] = 0.5
    start = np.eye(25)[0]
    width = city.distances[0, 1]
    found = moved(city, start, half)
    assert (found.mean, found.tenth) == (pytest.approx(width / 2), pytest.approx(width))


# --- worst cases ----------------------------------------------------------------------------------------

KINDS = [("wpm", None), ("wpm", 0.02), ("kpm", None), ("em", None), ("krr", None), ("mollifier", None)]


@pytest.mark.parametrize("epsilon", [0.3, 2.0, 5.0])
@pytest.mark.parametrize("p", ORDERS)
def test_brackets_are_those_of_the_matrix_or_nearer(city: City, zoned: City, p: float, epsilon: float) -> None:
    for known in (city, zoned):
        here, cost = of_order(known, p), known.distances**p
        base = make_base(here, "best-uniform", epsilon)
        for name, reg in KINDS:
            public = make_public(here, base, epsilon, reg)
            rows = MECHANISMS[name](public)(np.eye(25))
            expected = worst_case_bracket(cost, rows, epsilon, p, MECHANISMS[name].polytope(public))
            found = bracket(here, name, base, epsilon, reg)
            assert found.at_least == pytest.approx(expected.at_least, rel=1e-9), name
            if (name, reg) == ("wpm", None) or name == "krr":
                assert found.at_least == found.at_most
            elif name == "kpm":
                assert found.at_least <= found.at_most <= expected.at_most * (1 + 1e-9)
            elif known is city and name in ("em", "mollifier"):
                # Without a matrix only the polytope is known, not the box that all one-cell outputs leave.
                assert found.at_most >= expected.at_most * (1 - 1e-9)
            else:
                assert found.at_most == pytest.approx(expected.at_most, rel=1e-9), name


@pytest.mark.nightly
@pytest.mark.parametrize("p", ORDERS)
def test_a_thousand_histories_lie_in_every_bracket(city: City, p: float) -> None:
    here, epsilon, rng = of_order(city, p), float(1 + p), np.random.default_rng(int(10 * p))
    base = make_base(here, "prior", epsilon)
    sparse = rng.dirichlet(np.full(25, 0.05), 600)
    halves = np.array([0.5 * (np.eye(25)[i] + np.eye(25)[j]) for i, j in rng.integers(0, 25, (375, 2))])
    histories = np.vstack([sparse, halves, np.eye(25)])
    for name, reg in KINDS[:5]:
        outputs = MECHANISMS[name](make_public(here, base, epsilon, reg))(histories)
        far = max(here.kilometres(mu, nu) for mu, nu in zip(histories, outputs, strict=True))
        found = bracket(here, name, base, epsilon, reg)
        assert far <= found.at_most * (1 + 1e-9), (name, reg)
        assert far >= found.at_least * (1 - 1e-9), "one-cell histories are among them"


@pytest.mark.parametrize("base", ["best-uniform", "minimax", "prior", "own"])
@pytest.mark.parametrize("p", ORDERS)
def test_the_worst_case_of_wpm_is_that_of_theorem_3_5(city: City, p: float, base: str) -> None:
    here = with_own(of_order(city, p), "0.2 0.3 9; 0.8 0.4 2")
    measure = make_base(here, base, 2.0)
    expected = dpot.worst_case_wasserstein(here.distances**p, dpot.Polytope(measure, 2.0), p)
    assert bracket(here, "wpm", measure, 2.0).at_most == pytest.approx(float(expected), rel=1e-9)
    point = minimax_point(here, 2.0)
    assert point.lower_bound <= float(expected) * (1 + 1e-9)
    if base == "minimax":
        assert point.kilometres == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("p", [1.0, 2.0, 4.0])
def test_a_fine_grid_is_run_at_some_cells_and_says_so(p: float) -> None:
    here = of_order(make_city(simulated_city(40), Place(n=16)), p)
    base = make_base(here, "best-uniform", 2.0)
    assert runs_everywhere(here, base) and cells_run(here, base).size == 64
    every = bracket(here, "wpm", base, 2.0, 0.02)
    with patch("dpot_app.cities.worst_case._RUN", 10 * 256):
        assert not runs_everywhere(here, base) and cells_run(here, base).size == 10 and cells_run(here, base)[0] == 0
        some = bracket(here, "wpm", base, 2.0, 0.02)
    assert some.at_least <= every.at_least * (1 + 1e-12) and some.at_most == every.at_most


@pytest.mark.nightly
def test_each_setting_changes_the_curve(city: City) -> None:
    config = Config(place=city.place, mechanisms=("wpm", "kpm", "em", "krr", "mollifier"))

    def curves(one: Config) -> Array:
        found = in_use(of_order(city, one.p), one)
        return np.array([curve.at_least for curve in found.curves.values()])

    first = curves(config)
    assert first.shape == (5, 31)
    assert np.abs(curves(replace(config, p=2.0)) - first).max(axis=1).min() > 0.1, "of every mechanism"
    assert np.abs(curves(replace(config, reg=0.1)) - first)[0].max() > 0.1
    # The base measure changes what is made by it; with some cells left out the mollifier has no output for them.
    assert np.abs(curves(replace(config, base="prior")) - first[:4])[0].max() > 0.1
    now = [in_use(city, replace(config, epsilon=at)).curves["wpm"].now.at_least for at in (1.0, 2.0)]
    assert now[0] > now[1]


def test_the_figure_says_what_is_known(city: City) -> None:
    config = Config(place=city.place, mechanisms=("wpm", "kpm", "em", "krr"))
    found, here = in_use(city, config), Here(city.map, one_person(city, config).kilometres)
    figure = in_use_figure(found, here)
    title = figure.layout.title.text.replace("<br>", " ")
    assert found.exact is not None
    assert f"exact WPM {at_most(found.exact.now.at_least)}, KPM " in title and "(simulated)" in title
    names = [trace.name for trace in figure.data if trace.name]
    assert names == ["WPM, exact", "WPM, λ = 0.01, one-cell histories", "KPM", "EM", "k-RR"]
    assert sum(trace.fill == "toself" for trace in figure.data) == 2, "bands of KPM and EM"
    exact = in_use_figure(in_use(city, replace(config, reg=None)), here)
    assert [trace.name for trace in exact.data if trace.name] == ["WPM", "KPM", "EM", "k-RR"]
    nothing = in_use_figure(in_use(city, replace(config, mechanisms=())), here)
    assert "Choose mechanisms" in nothing.layout.title.text


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_every_base_has_its_worst_case_under_the_curves(city: City, p: float) -> None:
    here, config = of_order(city, p), Config(place=city.place, p=p, base="prior")
    found = in_use(here, config)
    assert list(found.bases) == ["best-uniform", "minimax", "prior"]
    for base, far in found.bases.items():
        polytope = dpot.Polytope(make_base(here, base, config.epsilon), config.epsilon)
        points = [
            float(exact_projection_lp(point, here.distances**p, polytope).value) ** (1 / p) for point in np.eye(25)
        ]
        assert far == pytest.approx(max(points), rel=1e-6)
    assert found.bases["minimax"] <= min(found.bases.values()) * (1 + 1e-3)
    words = " ".join(one for one in show_in_use(config, found, Here(city.map, {})) if isinstance(one, str))
    assert all(f"{BASES[base].lower()} {km_at_most(far)}" in words for base, far in found.bases.items())


def test_a_crowd_on_a_fine_grid_takes_p_1_only_and_says_so() -> None:
    fine = Config(place=Place(n=48), p=2.0)
    for key in ("geolocation.crowd", "geolocation.crowd-curve"):
        with pytest.raises(ScenarioError, match="only W₁ of crowds is known"):
            VIEWS[key].check(fine)
        VIEWS[key].check(replace(fine, p=1.0))
        VIEWS[key].check(replace(fine, place=Place(n=40)))
    for key in ("geolocation.person", "geolocation.worst-case"):
        VIEWS[key].check(fine)


@pytest.mark.parametrize(("reg", "blurs"), [(0.01, True), (None, False)])
def test_the_blur_of_lambda_is_not_called_a_gain_of_the_order(city: City, reg: float | None, blurs: bool) -> None:
    result = one_person(of_order(city, 4.0), Config(place=PLACE, p=4.0, epsilon=10.0, reg=reg))
    assert result.moved is not None
    here, other = result.moved
    words = order_in_words(result)
    assert (here.tenth > other.tenth * (1.0 + 1e-6)) == blurs == ("Choose a smaller λ" in words)
    others = (Moved(1.0, 99.0, 99.0), replace(here, p=1.0))
    far, alike = (order_in_words(replace(result, moved=(here, one))) for one in others)
    assert far.count("(with p = 1: 99 km)") == 2 == alike.count("(the same with p = 1)"), "no number instead of itself"
