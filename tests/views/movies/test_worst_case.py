"""Worst cases over all profiles: brute force over many profiles, what Algorithm 1 makes of one film, any order p."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_app.films.catalogue import Films, Split, make_films
from dpot_app.films.releases import ITERATIONS, MECHANISMS, make_base, make_releases
from dpot_app.kit.fields import ORDERS
from dpot_app.kit.moved import FARTHEST
from dpot_app.views.movies.disclosed import ANALYSIS
from dpot_app.views.movies.settings import BASES, Config
from dpot_app.views.movies.user.results import one_user
from dpot_app.views.movies.user.text import what_order_changes
from dpot_app.views.movies.worst_case.figures import between, known, worst_figure
from dpot_app.views.movies.worst_case.results import EPSILONS, bracket, points_released, worst_cases
from dpot_app.views.movies.worst_case.text import headlines, show
from dpot_core.arguments import Array
from dpot_core.datasets import simulated_films
from dpot_core.mechanisms.wasserstein_projection import projection_so_far
from dpot_core.privacy.numerals import number
from dpot_core.privacy.polytopes import Polytope
from tests.films.test_films import with_stars

SPLIT = Split(dimensions=6, candidates=12)


@pytest.fixture(scope="module")
def films() -> Films:
    """A small catalogue in which one train film has no rating by a validation user."""
    ratings = simulated_films(60, 50)
    made = make_films(ratings, SPLIT)
    matrix = ratings.matrix.copy()
    matrix[np.ix_(made.validation, made.inputs[:1])] = 0
    changed = make_films(with_stars(ratings, matrix), SPLIT)
    assert changed.placed.tolist() == [False] + [True] * (len(changed.inputs) - 1)
    return changed


def chord(films: Films) -> Array:
    """Euclidean distances of the unit vectors, (k, k_v)."""
    inputs, candidates = (films.embedding[part] for part in (films.inputs, films.candidates))
    return np.asarray(np.linalg.norm(inputs[:, None] - candidates[None], axis=2))


def moved(films: Films, mu: Array, nu: Array) -> float:
    """W_p^2 / 2 for the chord, from the chord itself."""
    return float(dpot.wasserstein(mu, nu, chord(films) ** films.order, films.order) ** 2 / 2)


@pytest.mark.parametrize("p", ORDERS)
def test_the_cost_is_the_chord_to_the_power_p_and_the_paper_s_at_two(films: Films, p: float) -> None:
    other = films.of_order(p)
    np.testing.assert_allclose(other.cost * 2 ** (p / 2), chord(films) ** p, atol=1e-6)
    assert (other.cost[~films.placed] == pytest.approx(1.0)) if p else True
    if p == 2.0:
        assert other is films and films.cost is films.distances
    else:
        assert other.key != films.key and other.in_cosine(0.3 ** (p / 2)) == pytest.approx(0.3)


@pytest.mark.parametrize("p", ORDERS)
@pytest.mark.parametrize("reg", [None, pytest.param(0.03, marks=pytest.mark.nightly)])
def test_no_profile_is_moved_farther_than_the_worst_case(films: Films, p: float, reg: float | None) -> None:
    """Profiles of one film, of a few and of all; the distance by a linear program and from the chord itself."""
    other, rng = films.of_order(p), np.random.default_rng(0)
    k, here = len(films.inputs), np.flatnonzero(films.placed)
    points, mixtures = np.eye(k)[here], np.zeros((12, k))
    mixtures[:, here] = rng.dirichlet(np.full(here.size, 0.1), 12)
    for epsilon in (0.5, 4.0):
        for base in ("rule", "minimax-placed"):
            kernels = make_releases(other, make_base(other, base, epsilon), epsilon, reg)
            for name, kernel in kernels.items():
                found = bracket(other, base, reg, name, epsilon)
                # From a point there is one plan only.
                single = (kernel(points) * chord(films)[here] ** p).sum(axis=1).max() ** (2 / p) / 2
                assert found.at_least == pytest.approx(single, rel=1e-6, abs=1e-8), name
                farthest = max(moved(other, mu, nu) for mu, nu in zip(mixtures, kernel(mixtures), strict=True))
                assert farthest <= found.at_most + 1e-7, (name, epsilon)
                if name == "krr" or (name == "wpm" and reg is None):
                    assert found.at_least == found.at_most


@pytest.mark.nightly
@pytest.mark.parametrize("p", ORDERS)
def test_a_thousand_profiles_lie_in_every_bracket(films: Films, p: float) -> None:
    other, rng, here = films.of_order(p), np.random.default_rng(int(10 * p)), np.flatnonzero(films.placed)
    inputs = np.zeros((1000, len(films.inputs)))
    inputs[:, here] = np.vstack([rng.dirichlet(np.full(here.size, each), 500) for each in (0.03, 0.3)])
    for name, kernel in make_releases(other, make_base(other, "best-uniform", 2.0), 2.0, 0.03).items():
        found = bracket(other, "best-uniform", 0.03, name, 2.0)
        farthest = max(moved(other, mu, nu) for mu, nu in zip(inputs, kernel(inputs), strict=True))
        assert 0.5 * found.at_least <= farthest <= found.at_most + 1e-7, name


@pytest.mark.parametrize("p", ORDERS)
def test_a_film_without_a_place_moves_by_one_whatever_the_mechanism(films: Films, p: float) -> None:
    other, point = films.of_order(p), np.eye(len(films.inputs))[~films.placed]
    for kernel in make_releases(other, make_base(other, "rule", 2.0), 2.0, 0.01).values():
        assert moved(other, point[0], kernel(point)[0]) == pytest.approx(1.0)


@pytest.mark.parametrize("p", ORDERS)
@pytest.mark.parametrize("reg", [0.003, 0.1])
def test_algorithm_1_ends_in_its_first_iteration_from_one_film(films: Films, p: float, reg: float) -> None:
    cost = films.of_order(p).cost
    polytope = Polytope(make_base(films, "prior", 1.5), 1.5)
    expected = points_released(cost, polytope, reg)
    for iterations in (1, ITERATIONS):
        released = projection_so_far(np.eye(len(cost)), cost, polytope, reg, iterations)
        np.testing.assert_allclose(released, expected, atol=1e-12)


@pytest.mark.parametrize("p", ORDERS)
def test_every_mechanism_keeps_epsilon_at_any_order(films: Films, p: float) -> None:
    other, everyone = films.of_order(p).with_own("Comedy 9"), np.eye(len(films.inputs))
    for base in BASES:
        for name, kernel in make_releases(other, make_base(other, base, 1.0), 1.0, 0.01).items():
            outputs = kernel(np.vstack([everyone, films.inputs_of(films.test)]))
            possible = outputs.max(axis=0) > 0  # a minimax base may leave films out
            largest = np.log(outputs.max(axis=0)[possible] / outputs.min(axis=0)[possible]).max()
            assert largest <= 1.0 + 1e-12, (base, name)


def test_order_lambda_and_base_change_picture_and_curve(films: Films) -> None:
    begin = Config(split=SPLIT)
    changes = ({"p": 4.0}, {"reg": None}, {"base": "minimax-placed"}, {"epsilon": 5.0})
    first, known_first = one_user(films, begin), worst_cases(films, begin)
    for change in changes:
        config = replace(begin, **change)
        other = films.of_order(config.p)
        user, worst = one_user(other, config), worst_cases(other, config)
        assert np.abs(user.outputs["wpm"] - first.outputs["wpm"]).max() > 1e-4, change
        assert worst.now["wpm"] != known_first.now["wpm"], change
        assert worst.here["wpm"] != known_first.here["wpm"], change


def test_minimax_is_the_smallest_of_the_bases_worst_cases(films: Films) -> None:
    worst = worst_cases(films, Config(split=SPLIT, reg=None))
    assert worst.bases["minimax-placed"] <= 1.01 * min(worst.bases.values())
    assert worst.bases["best-uniform"] <= worst.bases["rule"] + 1e-12
    assert worst.bases["rule"] == worst.now["wpm"].at_most
    polytope = Polytope(dpot.uniform_base(len(films.candidates), np.exp(0.5)), 2.0)
    exact = dpot.worst_case_wasserstein(films.distances[films.placed], polytope, 1)
    assert worst.now["wpm"].at_most == pytest.approx(float(exact)), "at p = 2 it is a cosine distance"


def test_the_picture_draws_what_is_shown_and_says_what_is_bounded(films: Films) -> None:
    config = Config(split=SPLIT, mechanisms=("krr", "wpm"), reg=None)
    worst = worst_cases(films, config)
    assert known(worst, "wpm") and known(worst, "krr") and not known(worst, "em") and not known(worst, "kpm")
    figure = worst_figure(worst)
    assert [trace.name for trace in figure.data if trace.name] == ["WPM", "k-RR"]
    assert f"WPM {between(worst.now['wpm'])}" in figure.layout.title.text
    np.testing.assert_array_equal(figure.data[0].x, EPSILONS)
    circle = [trace for trace in figure.data if trace.marker.symbol == "circle-open"]
    assert [trace.y[0] for trace in circle] == [worst.here["wpm"], worst.here["krr"]]
    said = " ".join(block for block in show(config, worst) if isinstance(block, str))
    assert "1 film has none" in said and "shade" not in said
    entropic = worst_cases(films, replace(config, mechanisms=tuple(MECHANISMS), reg=0.01))
    bounded = " ".join(block for block in show(entropic.config, entropic) if isinstance(block, str))
    assert "WPM, Genre KPM, EM: the line is the worst profile of a single film" in bounded


@pytest.mark.parametrize("p", ORDERS)
def test_the_effect_of_the_order_is_read_off_optimal_plans(films: Films, p: float) -> None:
    config = Config(split=SPLIT, p=p)
    other = films.of_order(p)
    user = one_user(other, config)
    here, there = user.orders
    assert here.p == p and there.p == (2.0 if p == 1.0 else 1.0)
    polytope = Polytope(make_base(other, "rule", 2.0), 2.0)
    plan = dpot.project_exact(user.mu, other.cost, polytope, return_plan=True).plan
    assert here.mean == pytest.approx((plan * films.distances).sum(), abs=1e-9)
    # The tenth that moves farthest: a fractional knapsack, by a linear program.
    far = linprog(
        -films.distances.ravel(),
        A_ub=[np.ones(plan.size)],
        b_ub=[FARTHEST],
        bounds=np.c_[0 * plan.ravel(), plan.ravel()],
    )
    assert here.tenth == pytest.approx(-far.fun / FARTHEST, abs=1e-7)
    assert f"p = {p:g}: exact WPM moves this profile by {number(here.mean)}" in what_order_changes(user)


def test_the_worst_cases_may_be_published_and_the_user_s_own_move_may_not(films: Films) -> None:
    worst = worst_cases(films, Config(split=SPLIT, epsilon=1.0))
    named = headlines(worst)
    assert ANALYSIS.mark_numbers(named) == named and len(named) == len(MECHANISMS)
    tables = worst.tables()
    assert all(ANALYSIS.mark(tables)[name].columns.tolist() == table.columns.tolist() for name, table in tables.items())
    here = set(worst.here.values())
    assert not any(here & set(table.select_dtypes("number").to_numpy().ravel()) for table in tables.values())
