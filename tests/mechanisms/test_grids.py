"""Grids without a cost matrix: private after any number of iterations, the numbers of the matrix, and no matrix."""

import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.marks import every_by_day
from tests.strategies import bases, distributions, epsilons

COSTS = [("euclidean", 2.0), ("manhattan", 1.0), ("euclidean", 1.0), ("euclidean", 1.5)]


@st.composite
def grids(draw):
    """Small grids; some have no width, so that points coincide."""
    nx, ny = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    width, height = draw(st.sampled_from([0.0, 1e-3, 1.0])), draw(st.sampled_from([0.0, 1.0, 50.0]))
    metric, p = draw(st.sampled_from(COSTS))
    return dpot.grid(nx, ny, (0, width, 5, 5 + height), metric), p


def peak(work) -> float:
    """Megabytes that were allocated at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------- privacy does not wait for convergence


@given(st.data(), grids(), epsilons, st.sampled_from([2e-3, 0.01, 0.1, 1.0, 100.0]), st.sampled_from([0, 1, 3, 120]))
def test_outputs_of_any_inputs_keep_the_exact_ratio(data, space_and_p, epsilon, reg, iterations):
    space, p = space_and_p
    cost, k = dpot.grid_cost(space, p), len(space)
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    inputs = np.vstack([np.eye(k), *[data.draw(distributions(k)) for _ in range(3)]])
    result = dpot.project_entropic(inputs, cost, Q, reg * (cost.max() or 1.0), max_iter=iterations)
    assert np.all(Q.contains(result.output))
    assert max(oracles.sum_error_in_ulps(row) for row in result.output) <= k
    assert oracles.ratio_violations(result.output, epsilon) == []
    assert result.iterations <= iterations


@given(st.data(), grids(), epsilons)
def test_every_mechanism_keeps_the_exact_ratio(data, space_and_p, epsilon):
    space, p = space_and_p
    k = len(space)
    public = dpot.Public.on_grid(space, epsilon, data.draw(bases(k, epsilon)), p)
    inputs = np.vstack([np.eye(k), data.draw(distributions(k))])
    for name, mechanism in dpot.MECHANISMS.items():
        if all(mechanism.feasible(public, mu) for mu in inputs):
            assert oracles.ratio_violations(mechanism(public)(inputs), epsilon) == [], name


# ---------------------------------------------------------------- the numbers of the matrix


@given(st.data(), grids(), st.floats(0.1, 10.0), st.sampled_from([2e-3, 0.01, 0.3, 10.0]), st.sampled_from([1, 4, 30]))
def test_few_iterations_are_those_of_the_matrix(data, space_and_p, epsilon, reg, iterations):
    """Ordinary masses, or none: with some of 1e-16 beside 1 the way there hangs on the last digits, in both."""
    space, p = space_and_p
    k = len(space)
    grid, matrix = dpot.grid_cost(space, p), dpot.cost_matrix(space, p=p)
    scale = grid.max() or 1.0
    weights = data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=k, max_size=k).filter(any))
    Q = dpot.Polytope(dpot.normalise(weights), epsilon)
    inputs = np.vstack([data.draw(distributions(k)) for _ in range(2)])
    a = dpot.project_entropic(inputs, grid, Q, reg * scale, iterations, tol=0.0)
    b = dpot.project_entropic(inputs, matrix, Q, reg * scale, iterations, tol=0.0)
    np.testing.assert_allclose(a.output, b.output, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "p"), every_by_day(2, COSTS))
@pytest.mark.parametrize("reg", [0.003, pytest.param(0.02, marks=pytest.mark.nightly)])
def test_forty_by_forty_agrees_with_the_matrix(metric, p, reg):
    space = dpot.grid(40, 40, metric=metric)
    grid, matrix = dpot.grid_cost(space, p), dpot.cost_matrix(space, p=p)
    rng = np.random.default_rng(0)
    person = np.zeros(1600)
    person[rng.choice(1600, 20, replace=False)] = rng.dirichlet(np.ones(20))
    Q = dpot.Polytope(dpot.best_uniform_base(grid, 2.0), 2.0)
    for mu in (person, rng.dirichlet(np.full(1600, 0.1))):
        a, b = (dpot.project_entropic(mu, cost, Q, reg * grid.max(), 40, tol=0.0) for cost in (grid, matrix))
        np.testing.assert_allclose(a.output, b.output, atol=1e-9 / 1600)
        assert a.plan_cost == pytest.approx(b.plan_cost, rel=1e-9)
        assert a.marginal_error == pytest.approx(b.marginal_error, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize(("metric", "p"), COSTS)
def test_entropic_tends_to_exact_as_reg_tends_to_zero(metric, p):
    space = dpot.grid(7, 5, (0, 2, 0, 1), metric)
    cost = dpot.grid_cost(space, p)
    mu = dpot.dirichlet(35, 0.2, np.random.default_rng(3))
    Q = dpot.Polytope(dpot.uniform_base(35), 2.0)
    exact = dpot.project_exact(mu, cost, Q)
    assert exact.value == pytest.approx(dpot.project_exact(mu, dpot.cost_matrix(space, p=p), Q).value, rel=1e-12)
    excess = []
    for reg in (0.1, 0.02, 0.005):
        found = dpot.project_entropic(mu, cost, Q, reg * cost.max(), 3000, tol=1e-9)
        excess.append(found.value - exact.value)
        assert -1e-12 <= excess[-1] <= reg * cost.max() * np.log(35 * 35)
    assert excess[2] < excess[0]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.data(), grids(), epsilons)
def test_every_mechanism_gives_what_it_gives_with_the_matrix(data, space_and_p, epsilon):
    space, p = space_and_p
    base = data.draw(bases(len(space), epsilon))
    bare = dpot.Public.on_grid(space, epsilon, base, p)
    dense = dpot.Public(dpot.cost_matrix(space, p=p), space.distances(), epsilon, base)
    mu = data.draw(distributions(len(space)))
    for name, mechanism in dpot.MECHANISMS.items():
        if mechanism.feasible(dense, mu):
            np.testing.assert_allclose(mechanism(bare)(mu), mechanism(dense)(mu), atol=1e-12, err_msg=name)


# ---------------------------------------------------------------- the worst case is the corner's


@given(grids(), epsilons, st.floats(0.0, 1.0))
def test_with_a_uniform_base_no_cell_is_worse_off_than_the_corner(space_and_p, epsilon, share):
    space, p = space_and_p
    matrix, k = dpot.cost_matrix(space, p=p), len(space)
    Q = dpot.Polytope(dpot.uniform_base(k, np.exp(epsilon * (share - 0.5))), epsilon)
    every = dpot.worst_case_wasserstein(matrix, Q, p)
    corner = dpot.worst_case_wasserstein(dpot.grid_cost(space, p), Q, p)
    assert float(corner) ** p == pytest.approx(float(every) ** p, rel=1e-12, abs=1e-14 * (matrix.max() or 1.0))
    assert (corner.argmax, corner.per_input.shape) == (0, (1,))


@pytest.mark.parametrize(("nx", "ny"), [(1, 12), (12, 1), (5, 9), (6, 6), (2, 11), (1, 1)])
@pytest.mark.parametrize(("metric", "p"), every_by_day(2, [*COSTS, ("euclidean", 4.0), ("manhattan", 2.0)]))
def test_the_best_uniform_base_needs_the_corner_only(nx, ny, metric, p):
    for extent in ((0, 1, 0, 1), (0, 10, 0, 0.1)):
        space = dpot.grid(nx, ny, extent, metric)
        for epsilon in (0.1, 1.0, 3.0, 8.0, 40.0):
            cost = dpot.cost_matrix(space, p=p)
            bases = (dpot.best_uniform_base(cost, epsilon), dpot.best_uniform_base(dpot.grid_cost(space, p), epsilon))
            dense, bare = (float(dpot.worst_case_wasserstein(cost, dpot.Polytope(m, epsilon), p)) ** p for m in bases)
            assert bare == pytest.approx(dense, rel=1e-12, abs=1e-15 * (cost.max() or 1.0))


def test_with_another_base_all_cells_are_looked_at():
    space = dpot.grid(9, 5)
    Q = dpot.Polytope(np.random.default_rng(0).dirichlet(np.ones(45)), 1.0)
    every = dpot.worst_case_wasserstein(dpot.cost_matrix(space, p=2), Q, 2)
    found = dpot.worst_case_wasserstein(dpot.grid_cost(space, 2), Q, 2)
    assert found.argmax == every.argmax != 0
    np.testing.assert_allclose(found.per_input, every.per_input, rtol=1e-14)


# ---------------------------------------------------------------- no matrix


def test_a_grid_cost_is_the_cost_matrix_row_by_row():
    for metric, p in COSTS:
        space = dpot.grid(6, 4, (1, 2, 0, 3), metric)
        cost, matrix = dpot.grid_cost(space, p), dpot.cost_matrix(space, p=p)
        assert (cost.rows(np.arange(24)) == matrix).all()
        assert (cost.offsets.ravel() == matrix[0]).all()
        assert cost.max() == matrix.max() and cost.shape == matrix.shape


def test_a_person_on_65536_cells_needs_the_rows_of_her_places_only():
    """The matrix would take 34 GB; 20 rows take 10 MB, of which the exact projection makes some arrays."""
    space = dpot.grid(256, 256, (0, 25, 0, 25))
    rng = np.random.default_rng(1)
    mu = np.zeros(len(space))
    mu[rng.choice(len(space), 20, replace=False)] = rng.dirichlet(np.ones(20))
    done = {}

    def work():
        base = dpot.best_uniform_base(dpot.grid_cost(space, 1), 2.0)
        public = dpot.Public.on_grid(space, 2.0, base, p=1)
        for name in ("wpm", "kpm", "em", "krr"):
            done[name] = dpot.MECHANISMS[name](public)(mu)

    assert peak(work) < 250
    assert all(abs(nu.sum() - 1) < 1e-9 for nu in done.values())


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p", "reg"), [(128, 1, 0.01), (300, 2, 0.01), (300, 2, 0.001)])
def test_iterations_take_the_memory_of_some_distributions(n, p, reg):
    """At most 60 of them, where the matrix has n^2."""
    cost = dpot.grid_cost(dpot.grid(n, n), p)
    Q = dpot.Polytope(dpot.best_uniform_base(cost, 2.0), 2.0)
    mu = dpot.dirichlet(n * n, 0.1, np.random.default_rng(0))
    assert peak(lambda: dpot.project_entropic(mu, cost, Q, reg * cost.max(), 3)) < 60 * 8 * n * n / 1e6


# ---------------------------------------------------------------- what does not fit


def test_unfitting_arguments_are_refused():
    space = dpot.grid(6, 5)
    cost, Q = dpot.grid_cost(space, 1), dpot.Polytope(dpot.uniform_base(30), 1.0)
    mu = dpot.dirac(30, 0)
    with pytest.raises(ValueError, match=r"at most 16,777,216 points; got 10,000 x 10,000 = 100,000,000"):
        dpot.grid(10_000, 10_000)
    with pytest.raises(ValueError, match="no regular grid"):
        dpot.grid_cost(dpot.ring(5))
    with pytest.raises(ValueError, match="metric must be"):
        dpot.grid(3, 3, metric="cosine")
    with pytest.raises(ValueError, match="reg must be at least"):
        dpot.project_entropic(mu, cost, Q, 1e-4)
    with pytest.raises(ValueError, match="trace needs a cost matrix"):
        dpot.project_entropic(mu, cost, Q, 0.1, trace=True)
    with pytest.raises(ValueError, match="return_plan needs a cost matrix"):
        dpot.project_exact(mu, cost, Q, return_plan=True)
    with pytest.raises(ValueError, match="30 columns, but the polytope has 4"):
        dpot.project_exact(mu, cost, dpot.Polytope(dpot.uniform_base(4), 1.0))
    with pytest.raises(ValueError, match="made with p = 1; got p = 2"):
        dpot.worst_case_wasserstein(cost, Q, 2)
    with pytest.raises(ValueError, match="needs a cost matrix"):
        dpot.minimax_base(cost, 1.0)
    with pytest.raises(ValueError, match="p = 1; got p = 2"):
        dpot.exponential(mu, dpot.grid_cost(space, 2), 1.0)
    with pytest.raises(ValueError, match="distances on a grid are a cost with p = 1"):
        dpot.Public(cost, dpot.grid_cost(space, 2), 1.0, Q.base)
    with pytest.raises(ValueError, match="distances must have the shape"):
        dpot.Public(cost, np.ones((3, 3)), 1.0, Q.base)


def test_a_dense_input_that_is_too_large_for_the_exact_route_is_refused(monkeypatch):
    monkeypatch.setattr(sys.modules["dpot_core.mechanisms.wasserstein_projection"], "MOST_ENTRIES", 4 * 30)
    cost, Q = dpot.grid_cost(dpot.grid(6, 5), 1), dpot.Polytope(dpot.uniform_base(30), 1.0)
    with pytest.raises(ValueError, match=r"30 places on 30 outputs .* use project_entropic"):
        dpot.project_exact(np.full(30, 1 / 30), cost, Q)
    # Inputs that have too many places together are solved one by one.
    several = dpot.project_exact(np.eye(30)[:7], cost, Q)
    together = dpot.project_exact(np.eye(30)[:7], dpot.cost_matrix(dpot.grid(6, 5), p=1), Q)
    np.testing.assert_allclose(several.value, together.value, rtol=1e-12)
