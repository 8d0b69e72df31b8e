"""Exact projection: against HiGHS, its own certificate, fixed points, symmetries, support mismatch."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import Problem, bases, distances, distributions, epsilons, problems


def tolerance(problem: Problem) -> float:
    return 1e-9 * float(problem.cost.max())


@pytest.mark.slow
@given(problems())
def test_exact_equals_the_linear_program(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    result = dpot.project_exact(problem.mu, problem.cost, Q)
    expected, _ = oracles.projection_lp(problem.mu, problem.cost, Q.lower, Q.upper)
    assert result.value == pytest.approx(expected, rel=1e-9, abs=tolerance(problem))
    assert Q.contains(result.output)


@given(problems())
def test_the_duality_gap_is_zero(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    assert abs(dpot.project_exact(problem.mu, problem.cost, Q).gap) <= tolerance(problem)


@given(problems())
def test_the_value_is_the_distance_from_input_to_output(problem: Problem):
    """What is reported is what the released distribution really costs, rounding and repair included."""
    Q = dpot.Polytope(problem.base, problem.epsilon)
    result = dpot.project_exact(problem.mu, problem.cost, Q)
    reached = oracles.transport_lp(problem.mu, result.output, problem.cost)
    assert reached == pytest.approx(result.value, rel=1e-9, abs=tolerance(problem))


@given(problems())
def test_the_plan_carries_the_input_to_the_output_at_that_cost(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    result = dpot.project_exact(problem.mu, problem.cost, Q, return_plan=True)
    assert result.plan.shape == problem.cost.shape
    assert (result.plan >= 0).all()
    np.testing.assert_allclose(result.plan.sum(axis=1), problem.mu, atol=1e-10)
    np.testing.assert_allclose(result.plan.sum(axis=0), result.output, atol=1e-10)
    assert (result.plan * problem.cost).sum() == pytest.approx(result.value, rel=1e-9, abs=tolerance(problem))
    assert dpot.project_exact(problem.mu, problem.cost, Q).plan is None


@given(st.data(), problems())
def test_no_point_of_the_polytope_is_nearer(data, problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    best = dpot.project_exact(problem.mu, problem.cost, Q).value
    other = Q.repair(data.draw(distributions(len(problem.base))))
    assert oracles.transport_lp(problem.mu, other, problem.cost) >= best - tolerance(problem)


@given(st.data(), st.integers(2, 8), epsilons, st.sampled_from([1.0, 2.0]))
def test_a_point_of_the_polytope_is_its_own_projection(data, k, epsilon, p):
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    inside = Q.repair(data.draw(distributions(k)))
    cost = dpot.cost_matrix(dpot.ring(k), p=p)
    result = dpot.project_exact(inside, cost, Q)
    np.testing.assert_allclose(result.output, inside, atol=1e-12)
    assert result.value == pytest.approx(0, abs=1e-11 * k**p)


def test_the_slow_reference_agrees_with_the_fast_route():
    rng = np.random.default_rng(5)
    space = dpot.grid(5, 5)
    cost = dpot.cost_matrix(space, p=1)
    Q = dpot.Polytope(dpot.uniform_base(25, 1.1), 2.0)
    mu = dpot.dirichlet(25, 0.1, rng)
    fast, slow = dpot.project_exact(mu, cost, Q), dpot.exact_projection_lp(mu, cost, Q)
    assert fast.value == pytest.approx(slow.value, rel=1e-9)
    assert slow.gap == pytest.approx(0, abs=1e-9)
    assert Q.contains(slow.output)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_the_unit_of_cost_does_not_matter(unit):
    """Solvers' tolerances are absolute, costs in kilometres or in radians are not."""
    rng = np.random.default_rng(6)
    cost = dpot.cost_matrix(dpot.grid(4, 4), np.array([0, 3, 5, 9, 15]), p=2)
    Q = dpot.Polytope(rng.dirichlet(np.ones(5)), 1.0)
    mu = dpot.dirichlet(16, 0.3, rng)
    expected, _ = oracles.projection_lp(mu, cost, Q.lower, Q.upper)
    for solve in (dpot.project_exact, dpot.exact_projection_lp):
        assert solve(mu, cost * unit, Q).value == pytest.approx(expected * unit, rel=1e-9)


@pytest.mark.parametrize("forbidden", [1e8, 1e10, 1e12, 1e14, 1e16])
def test_the_slow_reference_is_right_or_says_that_it_is_not(forbidden):
    mu, Q = np.array([1, 1, 1, 1, 4]) / 8, dpot.Polytope(dpot.uniform_base(5), 8.0)
    cost = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    cost[3:, :2] = forbidden
    try:
        value = dpot.exact_projection_lp(mu, cost, Q).value
    except RuntimeError as error:
        assert "left a duality gap" in str(error) and forbidden > 1e8
    else:
        assert value == pytest.approx(dpot.project_exact(mu, cost, Q).value, rel=1e-5)


@pytest.mark.parametrize("case", range(6))
def test_large_problems_equal_the_linear_program(case):
    """From some size on the solver starts from rough potentials: with zeros, other supports, bounds that coincide."""
    rng = np.random.default_rng(case)
    k, k_v = [(110, 110), (150, 80), (70, 180), (110, 110), (120, 100), (130, 90)][case]
    epsilon = [2.0, 0.5, 5.0, 1e-6, 100.0, 1.0][case]
    points, targets = rng.uniform(size=(k, 2)), rng.uniform(size=(k_v, 2))
    apart = np.linalg.norm(points[:, None] - targets[None], axis=2)
    cost = apart ** (1 + case % 2)
    base = rng.dirichlet(np.ones(k_v))
    base[:5] = 0.0
    Q = dpot.Polytope(base / base.sum(), epsilon)
    mu = rng.dirichlet(np.full(k, 0.1 if case < 5 else 0.005))
    result = dpot.project_exact(mu, cost, Q)
    expected, _ = oracles.projection_lp(mu, cost, Q.lower, Q.upper)
    assert result.value == pytest.approx(expected, rel=1e-9)
    assert abs(result.gap) <= 1e-9 * cost.max()
    assert Q.contains(result.output)


@settings(max_examples=30)
@given(problems(), st.integers(0, 2**32 - 1))
def test_renaming_points_renames_the_answer(problem: Problem, seed):
    """Values are compared: where several outputs are nearest, the solver may pick another one."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(problem.mu)), rng.permutation(len(problem.base))
    Q = dpot.Polytope(problem.base, problem.epsilon)
    renamed = dpot.Polytope(problem.base[columns], problem.epsilon)
    one = dpot.project_exact(problem.mu, problem.cost, Q).value
    two = dpot.project_exact(problem.mu[rows], problem.cost[np.ix_(rows, columns)], renamed).value
    assert one == pytest.approx(two, rel=1e-9, abs=tolerance(problem))


@settings(max_examples=20)
@given(st.integers(2, 12).flatmap(distributions), st.integers(0, 11), epsilons)
def test_turning_the_ring_keeps_the_value(mu, turn, epsilon):
    k = len(mu)
    cost = dpot.cost_matrix(dpot.ring(k), p=2)
    Q = dpot.Polytope(dpot.uniform_base(k), epsilon)
    values = dpot.project_exact(np.stack([mu, np.roll(mu, turn)]), cost, Q).value
    assert values[0] == pytest.approx(values[1], rel=1e-9, abs=1e-9 * cost.max())


@settings(max_examples=20)
@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons)
def test_a_batch_equals_one_by_one(data, k, k_v, epsilon):
    cost = data.draw(distances(k, k_v))
    Q = dpot.Polytope(data.draw(bases(k_v, epsilon)), epsilon)
    rows = np.stack([data.draw(distributions(k)) for _ in range(3)])
    together = dpot.project_exact(rows, cost, Q, return_plan=True)
    assert together.output.shape == (3, k_v)
    assert together.value.shape == (3,)
    assert together.plan.shape == (3, k, k_v)
    for i, row in enumerate(rows):
        alone = dpot.project_exact(row, cost, Q)
        assert alone.output.shape == (k_v,)
        np.testing.assert_allclose(together.output[i], alone.output, atol=1e-12)
        assert together.value[i] == pytest.approx(alone.value, abs=1e-12 * max(cost.max(), 1))


def test_a_larger_budget_never_lies_farther():
    rng = np.random.default_rng(2)
    cost = dpot.cost_matrix(dpot.ring(20), p=2)
    mu = dpot.dirichlet(20, 0.1, rng, size=3)
    values = [
        dpot.project_exact(mu, cost, dpot.Polytope(dpot.uniform_base(20), epsilon)).value
        for epsilon in (1e-6, 0.1, 0.5, 1, 2, 5, 10, 50, 100)
    ]
    assert (np.diff(values, axis=0) <= 1e-9).all()


def test_an_extreme_budget_returns_the_input_or_forgets_it():
    rng = np.random.default_rng(3)
    cost = dpot.cost_matrix(dpot.ring(12), p=2)
    mu = dpot.dirichlet(12, 0.3, rng)
    everything = dpot.project_exact(mu, cost, dpot.Polytope(dpot.uniform_base(12), 100.0))
    np.testing.assert_allclose(everything.output, mu, atol=1e-15)
    nothing = dpot.project_exact(mu, cost, dpot.Polytope(dpot.uniform_base(12), 1e-9))
    np.testing.assert_allclose(nothing.output, 1 / 12, rtol=1e-8)


def test_where_all_places_cost_the_same_nothing_is_lost():
    """Duplicated points only: the cost is zero everywhere and any output is right."""
    Q = dpot.Polytope([0.3, 0.3, 0.4], 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = dpot.project_exact([0.2, 0.8], np.zeros((2, 3)), Q)
    assert result.value == 0
    assert Q.contains(result.output)


def test_one_input_point_and_one_output_point():
    Q = dpot.Polytope([1.0], 1.0)
    result = dpot.project_exact([1.0], [[4.0]], Q)
    assert result.output.tolist() == [1]
    assert result.value == pytest.approx(4)
    wide = dpot.Polytope([0.5, 0.5], 1.0)
    least = math.exp(-0.5) / 2
    np.testing.assert_allclose(dpot.project_exact([1.0], [[0.0, 1.0]], wide).output, [1 - least, least])


@pytest.mark.parametrize(
    ("mu", "cost", "word"),
    [
        ([0.5, 0.5, 0.0], np.ones((2, 2)), "mu"),
        ([0.5, 0.5], np.ones((2, 3)), "cost"),
        ([0.5, 0.5], np.ones(4), "cost"),
        ([0.5, 0.5], [[1, -1], [1, 1]], "cost"),
        ([0.5, 0.5], [[1, math.nan], [1, 1]], "cost"),
        ([0.7, 0.5], np.ones((2, 2)), "normalise"),
        ([0.0, 0.0], np.ones((2, 2)), "mu"),
        ([1.5, -0.5], np.ones((2, 2)), "mu"),
        ([math.inf, 0.5], np.ones((2, 2)), "mu"),
        ([], np.ones((2, 2)), "mu"),
    ],
)
def test_bad_input_is_refused_by_name(mu, cost, word):
    Q = dpot.Polytope([0.5, 0.5], 1.0)
    for call in (
        lambda: dpot.project_exact(mu, cost, Q),
        lambda: dpot.project_entropic(mu, cost, Q, 0.1),
        lambda: dpot.wasserstein_projection(mu, cost, Q),
        lambda: dpot.exact_projection_lp(mu, cost, Q),
    ):
        with pytest.raises(ValueError, match=word):
            call()


def test_a_sum_that_misses_one_by_rounding_is_accepted():
    Q = dpot.Polytope([0.5, 0.5], 1.0)
    result = dpot.project_exact([0.5 + 4e-10, 0.5], [[0, 1], [1, 0]], Q)
    assert Q.contains(result.output)


@pytest.mark.parametrize("p", [1, 4, 12])
@settings(max_examples=10)
@given(st.data())
def test_the_projection_scales_with_the_unit(p, data):
    k, k_v, unit = data.draw(st.integers(2, 8)), data.draw(st.integers(2, 8)), 10.0 ** data.draw(st.floats(-12, 12))
    epsilon = data.draw(epsilons)
    mu, Q = data.draw(distributions(k)), dpot.Polytope(data.draw(bases(k_v, epsilon)), epsilon)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    apart = np.linalg.norm(rng.uniform(size=(k, 1, 2)) - rng.uniform(size=(1, k_v, 2)), axis=2)
    one = dpot.project_exact(mu, apart**p, Q).value
    other = dpot.project_exact(mu, (apart * unit) ** p, Q).value / unit**p
    assert other == pytest.approx(one, rel=1e-8, abs=1e-14 * apart.max() ** p)


@pytest.mark.parametrize("far", [1e8, 1e10, 1e14, 1e100])
@pytest.mark.parametrize("case", range(6))
def test_one_far_output_hides_nothing(case, far):
    """Its least mass is paid in any case; what the others cost is checked beside that, not beside the largest cost."""
    rng = np.random.default_rng(case)
    k, k_v, epsilon = 20, 15, 6.0
    cost = rng.uniform(size=(k, k_v)) ** 3
    base = rng.dirichlet(np.ones(k_v)) * [0.9, 1.5, 5.0][case % 3]
    base[-1] = 1e-4 / far
    Q, mu = dpot.Polytope(base, epsilon), rng.dirichlet(np.full(k, 0.3))
    low, high = Q.lower.copy(), Q.upper.copy()
    high[-1] = low[-1]
    rest, _ = oracles.projection_lp(mu, np.hstack([cost[:, :-1], np.zeros((k, 1))]), low, high)
    cost[:, -1] = far
    value = dpot.project_exact(mu, cost, Q).value
    assert value == pytest.approx(rest + low[-1] * far, rel=1e-7)
