"""The geolocation experiment: laws, known answers, and the numbers of the reading notes on real check-ins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpot_core as dpot
from dpot_app.cities.city import City, make_city, of_order
from dpot_app.cities.crowd import ESTIMATES, RUNS, crowd_at, no_privacy
from dpot_app.cities.place import Place
from dpot_app.views.geolocation.base import make_base, minimax_point
from dpot_app.views.geolocation.crowd.results import crowd_curve
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.person.results import one_person
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.worst_case.results import worst_cases, worst_cells
from dpot_core.datasets import BOXES, CheckIns, load_gowalla_austin, read_checkins_csv, simulated_city
from tests.views.geolocation.by_hand import snippet
from tests.views.geolocation.examples import SMALL, crowd, zones_geojson


@pytest.fixture(scope="module")
def data() -> CheckIns:
    return simulated_city(80)


@pytest.fixture(scope="module")
def city(data: CheckIns) -> City:
    return make_city(data, SMALL)


@pytest.fixture(scope="module")
def zoned(data: CheckIns, city: City) -> City:
    return make_city(data, SMALL, zones_geojson(city))


# --- one person -----------------------------------------------------------------------------------------


def test_one_person_gets_what_the_mechanisms_say(city: City) -> None:
    config = Config(place=SMALL, person=3)
    base = make_base(city, "best-uniform", 2.0)
    result = one_person(city, config)
    polytope = dpot.Polytope(base, 2.0)
    assert result.truth.n_check_ins == sorted(city.check_ins.totals)[-3]
    assert polytope.contains(result.outputs["wpm"])
    assert result.exact_kilometres == pytest.approx(
        float(dpot.project_exact(result.truth.mu, city.distances, polytope).value)
    )
    assert result.exact_kilometres <= result.kilometres["wpm"] + 1e-9
    exact = one_person(city, replace(config, reg=None))
    assert exact.kilometres["wpm"] == pytest.approx(result.exact_kilometres)


def test_a_person_beyond_the_last_is_the_last(city: City) -> None:
    last, beyond = (one_person(city, Config(place=SMALL, person=n)) for n in (80, 500))
    assert last.truth.name == beyond.truth.name


# --- the crowd ------------------------------------------------------------------------------------------


def test_the_crowd_is_the_mean_of_its_people(city: City) -> None:
    steps: list[tuple[int, int]] = []
    base = make_base(city, "best-uniform", 1.0)
    result = crowd_at(city, base, 1.0, None, lambda done, total: steps.append((done, total)))
    one_by_one = dpot.wasserstein_projection(city.histograms, city.cost, dpot.Polytope(base, 1.0)).mean(axis=0)
    np.testing.assert_allclose(result.expected["wpm"], one_by_one, atol=1e-9)
    # k-RR is affine, so its expectation decodes to the truth.
    np.testing.assert_allclose(result.expected["krr-decoded"], city.truth, atol=1e-9)
    for runs in result.estimates.values():
        assert runs.shape == (RUNS, 49)
        np.testing.assert_allclose(runs.sum(axis=1), 1.0)
    total = steps[0][1]
    assert steps == [(done, total) for done in range(1, total + 1)]


def test_the_same_settings_draw_the_same_crowd(city: City) -> None:
    first, second = crowd(city, 2.0), crowd(city, 2.0)
    for name in ESTIMATES:
        np.testing.assert_array_equal(first.estimates[name], second.estimates[name])


def test_work_can_be_abandoned(data: CheckIns) -> None:
    # Nothing of this city is kept from other tests.
    city = make_city(data, replace(SMALL, least=11))

    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    base = make_base(city, "best-uniform", 2.0)
    with pytest.raises(Stop):
        crowd_at(city, base, 2.0, 0.01, stop)
    with pytest.raises(Stop):
        minimax_point(city, 2.0, stop)
    with pytest.raises(Stop):
        worst_cases(city, stop)


def test_without_privacy_only_sampling_costs(city: City) -> None:
    sampled = no_privacy(city)
    assert 0 < sampled.mean() < crowd(city, 4.0).means()["wpm"] < crowd(city, 1.0).means()["wpm"]


def test_the_curve_is_ordered_and_knows_the_prior(data: CheckIns, city: City) -> None:
    now, curve = crowd_curve(city, Config(place=SMALL, epsilon=4.0), (1.0,))
    assert [point.epsilon for point in curve.points] == [1.0, 4.0] and curve.prior is None
    table = curve.tables()["crowd-against-epsilon"]
    row = table[(table["epsilon"] == 4.0) & (table["estimate"] == "wpm")].iloc[0]
    runs = now.kilometres["wpm"]
    assert (row["W1 km, mean"], row["W1 km, s.d."]) == (runs.mean(), runs.std(ddof=1))
    split = make_city(data, replace(SMALL, held_out=True))
    _, with_prior = crowd_curve(split, Config(place=split.place, base="prior"), ())
    assert with_prior.prior == pytest.approx(dpot.wasserstein(split.truth, split.held_out, split.distances, 1))


# --- worst cases ----------------------------------------------------------------------------------------


def test_no_person_is_moved_farther_than_the_worst_case(city: City) -> None:
    base = make_base(city, "best-uniform", 2.0)
    cells = worst_cells(city, "best-uniform", 2.0)
    polytope = dpot.Polytope(base, 2.0)
    moved = dpot.project_exact(city.histograms, city.distances, polytope).value
    assert moved.max() <= float(cells.worst) + 1e-9
    alone = dpot.project_exact(dpot.dirac(49, cells.worst.argmax), city.distances, polytope).value
    assert alone == pytest.approx(float(cells.worst))


def test_the_minimax_base_keeps_its_certificate(city: City) -> None:
    point = minimax_point(city, 2.0)
    uniform = worst_cells(city, "best-uniform", 2.0)
    assert point.lower_bound <= point.kilometres <= point.lower_bound * 1.0011
    assert point.kilometres < float(uniform.worst)
    assert float(worst_cells(city, "minimax", 2.0).worst) == pytest.approx(point.kilometres)


def test_the_curves_agree_with_single_values(city: City) -> None:
    curves = worst_cases(city)
    at = 10
    epsilon = float(curves.epsilon[at])
    single = worst_cells(city, "best-uniform", epsilon)
    assert curves.kilometres["best-uniform"][at] == pytest.approx(float(single.worst))
    # k-RR from a cell: it keeps the cell with e^eps / (e^eps + k - 1), every other one with 1 / (e^eps + k - 1).
    expected = city.distances.sum(axis=1).max() / (np.exp(epsilon) + 48)
    assert curves.kilometres["krr"][at] == pytest.approx(expected)
    assert (np.diff(curves.kilometres["best-uniform"]) < 0).all()


# --- zones ----------------------------------------------------------------------------------------------


def test_zones_are_the_outputs(zoned: City) -> None:
    assert zoned.distances.shape == (49, 3) and zoned.snap is not None
    result = one_person(zoned, Config(place=SMALL, zones=True))
    assert all(nu.shape == (3,) for nu in result.outputs.values())
    assert result.truth.moved.sum() == pytest.approx(1.0)
    assert result.kilometres["wpm"] == pytest.approx(
        dpot.wasserstein(result.truth.mu, result.outputs["wpm"], zoned.distances, 1)
    )
    everybody = crowd(zoned, 2.0)
    assert everybody.estimates["krr-decoded"].shape == (RUNS, 3)
    assert minimax_point(zoned, 2.0).kilometres <= float(worst_cells(zoned, "best-uniform", 2.0).worst)


# --- what is handed on ----------------------------------------------------------------------------------


def test_tables_say_that_people_are_invented(city: City, zoned: City) -> None:
    tables = one_person(city, Config(place=SMALL)).tables()
    tables |= crowd(zoned, 2.0).tables()
    assert {"person-cells", "person-distances", "crowd-first-run-zones", "crowd-expected-zones"} <= tables.keys()
    assert all(table["simulated"].all() for table in tables.values())


def test_the_promise_says_what_it_does_not_cover(data: CheckIns, city: City) -> None:
    plain = guarantee(Config(place=SMALL), city.map)
    assert plain.neighbours == "local" and plain.epsilon == 2.0
    assert any("7 × 7" in item for item in plain.public)
    split = make_city(data, replace(SMALL, held_out=True))
    prior = guarantee(Config(place=SMALL, base="prior"), split.map)
    assert "Not covered: the people set aside" in prior.note and "Not covered" not in plain.note
    assert "box" in guarantee(Config(source="csv", place=SMALL), city.map).note


CASES = {
    "defaults on a small grid": Config(place=SMALL),
    "prior, exact": Config(
        place=replace(SMALL, held_out=True, least=100), base="prior", reg=None, person=7, epsilon=4.0
    ),
    "p = 2": Config(place=SMALL, p=2.0),
    "p = 1.5, exact, minimax": Config(place=SMALL, p=1.5, reg=None, base="minimax", epsilon=3.0),
    "p = 3, prior": Config(place=replace(SMALL, held_out=True, least=100), base="prior", p=3.0, reg=0.03),
    "minimax, own files": Config(
        source="csv",
        place=Place(n=6, least=2, within=20.0),
        base="minimax",
        zones=True,
        columns=(("user", "who"), ("lat", "lat"), ("lon", "lon")),
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
def test_the_snippet_computes_what_the_page_draws(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = CASES[case]
    data, zones = simulated_city(), None
    if config.source == "csv":
        few = simulated_city(30)
        rows = pd.DataFrame({"who": [few.labels[i] for i in few.user], "lat": few.lat, "lon": few.lon})
        content = rows.to_csv(index=False).encode()
        zones = zones_geojson(make_city(few, config.place))
        (tmp_path / "check-ins.csv").write_bytes(content)
        (tmp_path / "zones.geojson").write_bytes(zones)
        monkeypatch.chdir(tmp_path)
        data = read_checkins_csv(content, dict(config.columns))
    city = of_order(make_city(data, config.place, zones), config.p)
    base = make_base(city, config.base, config.epsilon)
    page = one_person(city, config)
    everybody = crowd_at(city, base, config.epsilon, config.reg)
    names: dict = {}
    exec(snippet(config), names)
    for name, nu in page.outputs.items():
        np.testing.assert_allclose(names["outputs"][name], nu, atol=1e-12)
        assert names["kilometres"][name] == pytest.approx(page.kilometres[name], abs=1e-7)
    for name, runs in everybody.kilometres.items():
        np.testing.assert_allclose(names["crowd_kilometres"][name], runs, atol=1e-6)
    worst = worst_cells(city, config.base, config.epsilon).worst
    assert float(names["worst_case"]) == pytest.approx(float(worst))


# --- real check-ins -------------------------------------------------------------------------------------

# W_1 in units of the diameter at epsilon 1, 2, 4, as recomputed in the reading notes. They leave open which 500
# people and which box were taken, which moves W_1 by a few per cent.
NOTES = {
    "wpm": (0.177, 0.137, 0.073),
    "kpm": (0.210, 0.208, 0.189),
    "em": (0.210, 0.203, 0.191),
}


def test_gowalla_agrees_with_the_notes(real_data: Callable[[str], Path]) -> None:
    real_data("gowalla/austin_counts.csv.gz")
    place = Place(box=BOXES["gowalla-austin"])
    city = make_city(load_gowalla_austin(), place)
    assert city.check_ins.n_users == 500 and city.check_ins.totals.min() >= 10 and len(city.truth) == 400
    assert no_privacy(city).mean() / city.diameter == pytest.approx(0.008, abs=0.002)
    for at, epsilon in enumerate((1.0, 2.0, 4.0)):
        means = crowd(city, epsilon).means()
        for name, values in NOTES.items():
            assert means[name] / city.diameter == pytest.approx(values[at], abs=0.008), (name, epsilon)
        assert means["wpm"] < 0.9 * min(means["kpm"], means["em"])
