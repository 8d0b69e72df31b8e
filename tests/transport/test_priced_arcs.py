"""Exact projection on few arcs: against the network simplex on all arcs, its certificate, privacy, ties, extremes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.transport import boxed_dual, exact
from tests import oracles
from tests.strategies import Problem, epsilons, problems

#: Privacy parameters at which bounds coincide, and at which they span all of float64.
EXTREMES = [1e-9, 1e-6, 0.5, 2.0, 10.0, 100.0, 700.0]


def random_case(seed: int) -> tuple[np.ndarray, np.ndarray, dpot.Polytope]:
    """Any metric and order, k_v != k, points that coincide, masses that vanish or nearly do, any base and epsilon."""
    rng = np.random.default_rng(seed)
    k, k_v = rng.integers(1, 12), rng.integers(1, 40)
    apart = rng.integers(0, 6, size=(k, 1, 2)) - rng.integers(0, 6, size=(1, k_v, 2)).astype(float)
    if rng.random() < 0.3:
        apart = rng.random((k, 1, 2)) - rng.random((1, k_v, 2))
    distances = np.linalg.norm(apart, axis=2, ord=rng.choice([1, 2]))
    epsilon = float(rng.choice(EXTREMES))
    masses = []
    for size in (k, k_v):
        mass = rng.dirichlet(np.full(size, rng.choice([0.05, 0.3, 1.0, 10.0])))
        mass[rng.random(size) < 0.2] = rng.choice([0.0, 1e-300, 1e-20, 2e-16])
        if mass.sum() < 0.1:
            mass[rng.integers(size)] = 1.0
        masses.append(mass / mass.sum())
    mu, base = masses
    base = base * np.exp(epsilon * (rng.choice([0.0, 0.5, 1.0, rng.random()]) - 0.5))
    unit = rng.choice([1e-3, 1.0, 1e3])
    return mu, unit * distances ** rng.choice([1.0, 1.5, 2.0, 3.0]), dpot.Polytope(base, epsilon)


def priced(mu, cost, Q: dpot.Polytope) -> exact.BoxedTransport:
    found = exact.boxed_transport_priced(mu, cost, Q.lower, Q.upper, return_plan=True)
    assert found is not None
    return found


def check(mu, cost, Q: dpot.Polytope) -> None:
    found = priced(mu, cost, Q)
    slow = exact.boxed_transport_simplex(mu, cost, Q.lower, Q.upper)
    largest = float(cost.max())
    assert found.value == pytest.approx(slow.value, rel=1e-10, abs=1e-11 * largest)
    assert abs(found.gap) <= 1e-10 * largest
    assert Q.contains(found.output)
    assert found.plan is not None and (found.plan >= 0).all()
    np.testing.assert_allclose(found.plan.sum(axis=1), mu, atol=1e-12)
    np.testing.assert_allclose(found.plan.sum(axis=0), found.output, atol=1e-12)


@pytest.mark.nightly
@pytest.mark.slow
def test_few_arcs_equal_all_arcs_on_a_thousand_cases():
    for seed in range(1000):
        check(*random_case(seed))


@pytest.mark.slow
@pytest.mark.parametrize("cases", [50, pytest.param(200, marks=pytest.mark.nightly)])
def test_newton_steps_on_samples_that_grow_end_at_the_same_value(cases, monkeypatch):
    monkeypatch.setattr(boxed_dual, "_LEAST", 4)
    monkeypatch.setattr(boxed_dual, "_SAMPLE_PER_ROW", 1)
    for seed in range(cases):
        check(*random_case(seed))


@given(problems())
def test_few_arcs_equal_all_arcs(problem: Problem):
    check(problem.mu, problem.cost, dpot.Polytope(problem.base, problem.epsilon))


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.one_of(epsilons, st.sampled_from(EXTREMES)))
def test_no_ratio_exceeds_e_to_the_epsilon(seed, epsilon):
    """In exact rationals, for inputs on other supports."""
    rng = np.random.default_rng(seed)
    k, k_v = 5, int(rng.integers(2, 9))
    cost = rng.random((k, k_v))
    base = rng.dirichlet(np.ones(k_v))
    Q = dpot.Polytope(base, epsilon)
    inputs = np.concatenate([np.eye(k)[:2], rng.dirichlet(np.full(k, 0.3), size=3)])
    outputs = np.array([priced(mu, cost, Q).output for mu in inputs])
    assert not oracles.ratio_violations(outputs, epsilon)
    assert max(oracles.sum_error_in_ulps(nu) for nu in outputs) <= k_v


def street(k: int, side: int, seed: int, order: float, p: float) -> tuple[np.ndarray, np.ndarray]:
    """An input on k places of a grid of side x side cells, and the costs of all cells."""
    rng = np.random.default_rng(seed)
    cells = (np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2) + 0.5) / side
    apart = cells[rng.choice(len(cells), k, replace=False), None] - cells[None]
    return rng.dirichlet(np.ones(k)), np.linalg.norm(apart, axis=2, ord=order) ** p


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "p"),
    [
        pytest.param(2, 1.0, marks=pytest.mark.nightly),
        (2, 2.0),
        pytest.param(1, 1.0, marks=pytest.mark.nightly),
        pytest.param(np.inf, 1.0, marks=pytest.mark.nightly),
    ],
)
def test_many_outputs_take_the_fast_route_to_the_same_value(order, p):
    """L1 and L-infinity tie over whole quadrants; two places coincide, some outputs have no base, bounds differ."""
    mu, cost = street(8, 120, 3, order, p)
    cost[5] = cost[2]
    mu[7] = 0.0
    base = np.random.default_rng(4).dirichlet(np.ones(cost.shape[1]))
    base[::7] = 0.0
    Q = dpot.Polytope(base / base.sum(), 1.5)
    assert np.count_nonzero(mu) * np.count_nonzero(base) < exact.PRICED_SIZE <= cost.size
    check(mu / mu.sum(), cost, Q)


def test_from_some_size_on_few_arcs_are_priced(monkeypatch):
    mu, cost = street(10, 101, 1, 2, 1.0)
    Q = dpot.Polytope(dpot.uniform_base(cost.shape[1]), 2.0)
    monkeypatch.setattr(exact, "boxed_transport_simplex", None)
    result = dpot.project_exact(mu, cost, Q)
    assert abs(result.gap) <= 1e-11 * cost.max()
    assert Q.contains(result.output)


def test_where_the_gap_does_not_close_all_arcs_are_used(monkeypatch):
    mu, cost = street(4, 6, 1, 2, 1.0)
    Q = dpot.Polytope(dpot.uniform_base(36), 2.0)
    expected = dpot.project_exact(mu, cost, Q)
    monkeypatch.setattr(exact, "PRICED_SIZE", 0)
    for failure in (lambda *_: None, lambda mu, cost, *_: bad_arcs(cost)):
        monkeypatch.setattr(exact, "transport_on_priced_arcs", failure)
        assert exact.boxed_transport_priced(mu, cost, Q.lower, Q.upper) is None
        result = dpot.project_exact(mu, cost, Q)
        assert result.value == expected.value and result.gap == expected.gap


def bad_arcs(cost):
    """A plan whose bound is 2e-9 of the largest cost below it."""
    from dpot_core.transport.priced_arcs import ArcFlow

    at = np.zeros(1, dtype=np.intp)
    return ArcFlow(at, at, np.ones(1), float(cost.max()), float(cost.max()) * (1 - 2e-9))


def test_potentials_far_from_optimal_still_end_at_the_optimum():
    """Pricing mends any start, if it takes some rounds."""
    from dpot_core.transport.priced_arcs import transport_on_priced_arcs

    rng = np.random.default_rng(0)
    mu, cost = street(6, 12, 2, 2, 1.0)
    cost = cost / cost.max()
    Q = dpot.Polytope(dpot.uniform_base(144), 1.0)
    best = exact.boxed_transport_simplex(mu, cost, Q.lower, Q.upper).value
    for width in (0.0, 1e-6, 0.1):
        found = transport_on_priced_arcs(mu, cost, Q.lower, Q.upper - Q.lower, rng.normal(size=6), width)
        assert found is not None
        assert found.bound <= best + 1e-12
        assert found.value == pytest.approx(best, abs=1e-11)


def test_equal_inputs_are_solved_once(monkeypatch):
    solved = []
    one = exact.boxed_transport
    monkeypatch.setattr(exact, "boxed_transport", lambda mu, *rest: solved.append(mu) or one(mu, *rest))
    cost = dpot.cost_matrix(dpot.ring(6), p=1)
    Q = dpot.Polytope(dpot.uniform_base(6), 1.0)
    inputs = np.array([dpot.dirac(6, 2), np.full(6, 1 / 6), dpot.dirac(6, 2), dpot.dirac(6, 1)])
    result = dpot.project_exact(inputs, cost, Q)
    assert len(solved) == 3
    for i, mu in enumerate(inputs):
        alone = dpot.project_exact(mu, cost, Q)
        assert (result.output[i] == alone.output).all() and result.value[i] == alone.value


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_rounding_on_many_columns_does_not_ask_for_all_arcs(monkeypatch, epsilon):
    """65,536 outputs: sums of so many terms round to more than the aim, and every arc would join in vain."""
    from dpot_core.transport import priced_arcs

    solved = []
    one = priced_arcs.sparse_network_simplex
    monkeypatch.setattr(priced_arcs, "sparse_network_simplex", lambda *arcs: solved.append(len(arcs[2])) or one(*arcs))
    grid, rng = dpot.grid(256, 256, (0.0, 25.0, 0.0, 25.0)), np.random.default_rng(0)
    places = np.sort(rng.choice(65_536, 20, replace=False))
    cost = np.hypot(*(grid.points[places, None] - grid.points).T).T
    base = dpot.best_uniform_base(dpot.grid_cost(grid, 1), epsilon)
    found = dpot.project_exact(rng.dirichlet(np.ones(20)), cost, dpot.Polytope(base, epsilon))
    assert found.gap <= 1e-9 * cost.max()
    assert len(solved) <= 4 and max(solved) < 400_000
