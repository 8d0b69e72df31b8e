"""The ring page's numbers: they are the core's, they obey the guarantee, and public names give them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_app.views.ring.base.results import base_report
from dpot_app.views.ring.convergence.results import convergence
from dpot_app.views.ring.outputs.results import moves, run
from dpot_app.views.ring.plan.results import plan
from dpot_app.views.ring.settings import Base, Config, Ring, Source
from dpot_app.views.ring.worst_case.results import worst_case_now, worst_cases, worst_of_bases

ALL = tuple(dpot.MECHANISMS)
NUMBERS = (3.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0)
CONFIGS = [
    Config(),
    Config(mechanisms=ALL),
    Config(ring=Ring(k=12, every=1, p=1), epsilon=0.5, reg=0.01),
    Config(ring=Ring(k=13, every=4, p=3), mechanisms=ALL, base=Base(kind="minimax"), source=Source(kind="two-bumps")),
    Config(
        ring=Ring(k=7, every=2, p=1),
        mechanisms=ALL,
        base=Base(kind="prior", prior=NUMBERS),
        source=Source(kind="dirac", point=9),
    ),
    Config(
        ring=Ring(k=7, every=1, p=4),
        base=Base(kind="uniform", scale=0.5),
        source=Source(kind="numbers", numbers=NUMBERS),
    ),
    Config(ring=Ring(k=3, every=2, p=1), mechanisms=ALL, epsilon=10.0),
    Config(
        ring=Ring(k=19, every=6, p=1),
        mechanisms=ALL,
        base=Base(kind="prior", prior=(1.0,) * 10 + (0.0,) * 9),
        epsilon=0.05,
    ),  # mollifier infeasible
]

rings = st.builds(Ring, k=st.integers(3, 24), every=st.integers(1, 6), p=st.integers(1, 4)).filter(
    lambda ring: ring.every < ring.k
)


def weights(k: int) -> st.SearchStrategy[tuple[float, ...]]:
    entries = st.one_of(st.just(0.0), st.just(1e-300), st.floats(1e-6, 1e6))
    return st.lists(entries, min_size=k, max_size=k).filter(lambda v: max(v) > 1e-7).map(tuple)


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_moves_bring_the_input_to_each_output_for_what_their_distance_says(config: Config) -> None:
    result, moved, p = run(config), moves(config), config.ring.p
    assert moved.plans.keys() == result.outputs.keys()
    for name, nu in result.outputs.items():
        plan_ = moved.plans[name]
        np.testing.assert_allclose(plan_.sum(axis=1), result.mu, atol=1e-12)
        np.testing.assert_allclose(plan_.sum(axis=0), nu, atol=1e-9)
        assert (plan_ >= 0).all()
        assert float((plan_ * config.ring.cost).sum()) ** (1 / p) == pytest.approx(result.distances[name], abs=1e-6)
        stays = sum(plan_[target, column] for column, target in enumerate(config.ring.targets))
        assert moved.moved[name] == pytest.approx(1 - stays, abs=1e-12)
    table = moved.tables()["moves"]
    assert table["mass"].sum() == pytest.approx(len(result.outputs))


@st.composite
def configs(draw: st.DrawFn) -> Config:
    ring = draw(rings)
    source = draw(
        st.one_of(
            st.builds(Source, concentration=st.sampled_from([0.02, 0.1, 1.0]), seed=st.integers(0, 99)),
            st.builds(lambda i: Source(kind="dirac", point=i), st.integers(0, 300)),
            st.builds(lambda v: Source(kind="numbers", numbers=v), weights(ring.k)),
        )
    )
    base = draw(
        st.one_of(
            st.just(Base(kind="best-uniform")),
            st.builds(lambda s: Base(kind="uniform", scale=s), st.sampled_from([-1.0, -0.3, 0.0, 1.0])),
            st.just(Base(kind="minimax")),
        )
    )
    epsilon = draw(st.sampled_from([0.05, 0.7, 2.0, 10.0]))
    reg = draw(st.sampled_from([None, 1e-4, 0.01, 1.0]))
    return Config(ring=ring, base=base, source=source, epsilon=epsilon, reg=reg, mechanisms=ALL)


def test_algorithm_1_is_the_mechanism_of_the_table_and_says_how_it_ended() -> None:
    for reg, converged in ((0.1, True), (1e-4, False)):
        config = Config(reg=reg)
        result = run(config)
        public = config.public
        np.testing.assert_array_equal(result.outputs["wpm"], dpot.MECHANISMS["wpm"](public)(result.mu))
        assert result.converged is converged
        assert result.exact_distance == pytest.approx(run(Config()).distances["wpm"], rel=1e-9)
    exact = run(Config())
    assert exact.converged is None and exact.exact_distance is None


def test_the_worst_case_holds_for_the_exact_projection_only() -> None:
    """Why the page says so: with a large lambda Algorithm 1 moves a point mass farther than U."""
    worst = worst_case_now(Ring(), Base(), 2.0).in_use
    point = Source(kind="dirac")
    assert run(Config(source=point)).distances["wpm"] <= worst * (1 + 1e-9)
    assert run(Config(source=point, reg=1.0)).distances["wpm"] > 1.3 * worst


def test_an_infeasible_mollifier_is_left_out_and_the_others_stay() -> None:
    """A prior may give some outputs no mass at all."""
    prior = Base(kind="prior", prior=(1.0,) * 10 + (0.0,) * 9)
    config = Config(ring=Ring(k=19, every=6, p=1), base=prior, epsilon=0.05, mechanisms=ALL)
    result = run(config)
    assert result.infeasible and tuple(result.outputs) == tuple(name for name in ALL if name != "mollifier")
    spread = run(replace(config, base=Base(kind="best-uniform")))
    assert not spread.infeasible and tuple(spread.outputs) == ALL


@given(configs())
def test_every_output_is_a_distribution_inside_its_band(config: Config) -> None:
    result = run(config)
    for name, nu in result.outputs.items():
        assert nu.shape == (len(config.ring.targets),)
        assert nu.sum() == pytest.approx(1.0, abs=1e-12)
        if name in result.bands:
            lower, upper = result.bands[name]
            assert (lower * (1 - 1e-12) <= nu).all() and (nu <= upper * (1 + 1e-12)).all(), name
            assert (upper <= lower * math.exp(config.epsilon) * (1 + 1e-12)).all()


@given(configs())
def test_distances_never_exceed_the_worst_case(config: Config) -> None:
    exact = replace(config, reg=None, mechanisms=("wpm",))
    worst = worst_case_now(config.ring, config.base, config.epsilon).in_use
    # The p-th root of a cost that is zero up to rounding is not quite zero.
    assert run(exact).distances["wpm"] <= worst + 1e-4


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_public_names_compute_what_the_page_draws(config: Config) -> None:
    result, p, epsilon = run(config), config.ring.p, config.epsilon
    space, targets = dpot.ring(config.ring.k), np.arange(0, config.ring.k, config.ring.every)
    cost, distances = dpot.cost_matrix(space, targets, p=p), space.distances(targets)
    base = config.base_measure
    public = dpot.Public(
        cost=cost,
        distances=distances,
        epsilon=epsilon,
        base=base,
        reg=None if config.reg is None else config.reg * space.diameter**p,
        snap=None if config.ring.every == 1 else distances.argmin(axis=1),
        prior=config.base.public_prior(config.ring),
        gamma=config.base.gamma,
    )
    for name, nu in result.outputs.items():
        np.testing.assert_array_equal(dpot.MECHANISMS[name](public)(result.mu), nu)
        assert dpot.wasserstein(result.mu, nu, cost, p) == pytest.approx(result.distances[name], abs=1e-12)
    worst = dpot.worst_case_wasserstein(cost, dpot.Polytope(base, epsilon), p)
    assert float(worst) == worst_case_now(config.ring, config.base, epsilon).in_use
    best = dpot.best_uniform_base(cost, epsilon)
    # Masses come from a one-dimensional search, with or without rows that repeat.
    np.testing.assert_allclose(replace(config, base=Base(kind="best-uniform")).base_measure, best, rtol=1e-6)


@pytest.mark.nightly
@given(rings.filter(lambda ring: ring.k <= 12))
def test_worst_cases_over_distinct_rows_are_those_over_all_rows(ring: Ring) -> None:
    curves = worst_cases(ring)
    for place in (0, 15, 30):
        epsilon = float(curves.epsilon[place])
        base = dpot.best_uniform_base(ring.cost, epsilon)
        expected = dpot.worst_case_wasserstein(ring.cost, dpot.Polytope(base, epsilon), ring.p)
        assert curves.wasserstein["wpm"][place] == pytest.approx(float(expected), rel=1e-6)
        public = dpot.Public(
            cost=ring.cost,
            distances=ring.space.distances(ring.targets),
            epsilon=epsilon,
            base=base,
            snap=ring.snap,
        )
        for name in ("kpm", "em", "krr"):
            outputs = dpot.MECHANISMS[name](public)(np.eye(ring.k))
            # From one point there is one plan only.
            apart = (outputs * ring.cost).sum(axis=1) ** (1 / ring.p)
            worst = int(apart.argmax())
            slow = dpot.wasserstein(np.eye(ring.k)[worst], outputs[worst], ring.cost, ring.p)
            assert slow == pytest.approx(apart[worst], rel=1e-9)
            assert curves.wasserstein[name][place] == pytest.approx(slow, rel=1e-9)


def test_worst_cases_fall_with_epsilon_and_wpm_is_below_the_fixed_base() -> None:
    curves = worst_cases(Ring())
    for name in ("wpm", "krr"):
        assert (np.diff(curves.wasserstein[name]) <= 1e-9).all()
    assert (curves.wasserstein["wpm"] <= curves.wasserstein["wpm-uniform"] + 1e-9).all()
    for frame in curves.divergences.values():
        assert (frame["minimax"] <= frame["mollifier"] + 1e-12).all()


@pytest.mark.nightly
def test_convergence_respects_the_bound_and_ends_above_the_exact_value() -> None:
    result = convergence(Config())
    assert (result.final >= result.exact - 1e-6).all()
    done = np.array([run.converged for run in result.runs])
    assert done.any()
    assert (result.final[done] <= result.bound[done]).all()
    # Smaller weights end closer.
    assert (np.diff(result.final[done]) <= 1e-9).all()
    scale = Ring().space.diameter ** Ring().p
    expected = (result.exact**2 + result.reg * scale * math.log(30 * 30)) ** 0.5
    np.testing.assert_allclose(result.bound, expected, rtol=1e-12)


def test_every_base_has_its_worst_case_under_the_curves() -> None:
    config = Config(ring=Ring(k=9, every=2, p=1), base=Base(kind="prior", prior=(1.0,) * 8 + (5.0,)), epsilon=1.0)
    found = worst_of_bases(config)
    assert list(found) == ["best-uniform", "uniform", "minimax", "prior"]
    for kind, worst in found.items():
        polytope = replace(config, base=replace(config.base, kind=kind)).polytope
        points = [float(dpot.exact_projection_lp(point, config.ring.cost, polytope).value) for point in np.eye(9)]
        assert worst == pytest.approx(max(points), rel=1e-6)
    assert found["minimax"] <= min(found.values()) * (1 + 1e-6)
    assert "minimax" not in worst_of_bases(Config(ring=Ring(k=61))), "it would take too long while ε is dragged"


def test_the_plan_moves_the_input_to_the_output() -> None:
    ring, source = Ring(k=20, every=3, p=1), Source(kind="two-bumps")
    config = Config(ring=ring, source=source, epsilon=1.0, mechanisms=("wpm",))
    result = plan(config.problem)
    np.testing.assert_allclose(result.plan.sum(axis=1), config.input, atol=1e-12)
    output = run(config).outputs["wpm"]
    np.testing.assert_allclose(result.plan.sum(axis=0), output, atol=1e-9)
    assert 0.0 < result.moved < 1.0
    assert abs(result.gap) < 1e-6


def test_the_base_report_knows_the_checked_optimum() -> None:
    report = base_report(Ring(k=30, every=1, p=2), Base(), 2.0)
    assert (report.worst["minimax"] / 15) ** 2 == pytest.approx(0.13109105, abs=2e-7)
    assert report.lower_bound <= report.worst["minimax"] <= report.lower_bound * (1 + 1e-6)
    assert report.gap == pytest.approx(report.worst["minimax"] - report.lower_bound)
    assert report.worst["minimax"] <= min(report.worst.values()) + 1e-6


def test_a_ring_whose_outputs_are_uneven_has_a_better_base_than_the_uniform_one() -> None:
    report = base_report(Ring(k=30, every=7, p=1), Base(), 2.0)
    assert report.worst["minimax"] < 0.99 * report.worst["best-uniform"]


@pytest.mark.parametrize(
    ("source", "base", "message"),
    [
        (Source(kind="numbers", numbers=(1.0, 2.0)), Base(), "input has 2 numbers, but the ring has 5 points"),
        (Source(), Base(kind="prior", prior=(1.0,) * 6), "prior has 6 numbers, but the ring has 5 points"),
        (Source(kind="numbers", numbers=(0.0,) * 5), Base(), "zero everywhere"),
        (Source(kind="numbers", numbers=(-1.0, 1.0, 1.0, 1.0, 1.0)), Base(), "negative"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(source: Source, base: Base, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(Config(ring=Ring(k=5), base=base, source=source))


def test_settings_are_checked_when_they_are_made() -> None:
    for make, message in (
        (lambda: Source(kind="numbers", numbers=(math.nan,) * 5), "finite number"),
        (lambda: Source(kind="rain"), "must be one of dirichlet, dirac, two-places, two-bumps, numbers"),
        (lambda: Ring(k=2), "greater than or equal to 3"),
        (lambda: Config(epsilon=0.0), "greater than or equal to 0.01"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


def test_divergence_is_infinite_where_outputs_miss_the_input() -> None:
    result = run(Config(ring=Ring(k=10, every=2, p=1), source=Source(kind="dirac", point=1)))
    assert result.divergences["wpm"]["kl"] == math.inf
    assert result.divergences["wpm"]["tv"] == pytest.approx(1.0)


def test_a_prior_is_said_to_be_public() -> None:
    assert any("prior" in text for text in Config(base=Base(kind="prior", prior=(1.0,) * 30)).guarantee.public)
    assert Config().guarantee.epsilon == 2.0


@pytest.mark.nightly
def test_tables_hold_every_number_drawn() -> None:
    config = Config(ring=Ring(k=9, every=2, p=1), mechanisms=ALL)
    result = run(config)
    tables = result.tables()
    points = tables["distributions"]
    assert list(points["point"]) == list(range(9))
    np.testing.assert_allclose(points["input"], result.mu)
    for name, nu in result.outputs.items():
        np.testing.assert_allclose(points[f"{name} output"].dropna(), nu)
    assert list(tables["distances"]["mechanism"]) == list(ALL)
    others = [
        worst_cases(config.ring),
        worst_case_now(config.ring, config.base, config.epsilon),
        base_report(config.ring, config.base, config.epsilon),
        plan(config.problem),
        convergence(config),
    ]
    for other in others:
        for name, table in other.tables().items():
            assert len(table) > 0, name
            assert not table.isna().any(axis=None), name


@pytest.mark.parametrize("every", [1, 3])
def test_at_p_one_no_mass_moves_that_can_stay_and_the_plan_is_as_cheap_as_any(every: int) -> None:
    config = Config(ring=Ring(k=12, every=every, p=1), epsilon=0.3, mechanisms=("wpm", "kpm", "em", "krr"))
    result, moved = run(config), moves(config)
    for name, nu in result.outputs.items():
        stays = np.minimum(result.mu[result.targets], nu).sum()
        assert moved.moved[name] == pytest.approx(1.0 - stays, abs=1e-9), name
        masses = moved.plans[name]
        np.testing.assert_allclose(masses.sum(axis=1), result.mu, atol=1e-12)
        np.testing.assert_allclose(masses.sum(axis=0), nu, atol=1e-9)
        assert (masses * config.ring.cost).sum() == pytest.approx(result.distances[name], abs=1e-9)
    assert moved.moved["wpm"] == pytest.approx(plan(config.problem).moved, abs=1e-9)
