"""Entropic projection: private after any number of iterations, the paper's iterates, their limit, symmetries."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.transport.kernels import SharedCost
from tests import oracles
from tests.strategies import ORDINARY, Problem, bases, distances, distributions, epsilons, problems

regs = st.sampled_from([1e-4, 1e-3, 1e-2, 0.1, 1.0, 100.0])


def scale_of(cost) -> float:
    return float(cost.max()) or 1.0


def test_a_shared_cost_is_projected_on_as_its_matrix_is():
    """Whatever changes from one to the next: epsilon, reg (to where plain numbers end), number of inputs, outputs."""
    rng = np.random.default_rng(3)
    cost, mu = rng.random((30, 50)), rng.dirichlet(np.full(30, 0.5), 3)
    shared, base = SharedCost(cost), rng.dirichlet(np.ones(50))
    for epsilon, reg, some in [(1.0, 0.05, 1), (4.0, 0.05, 3), (4.0, 0.01, 3), (1.0, 1e-4, 1), (1.0, 0.05, 3)]:
        for measure in (base, np.where(np.arange(50) < 20, base, 0.0) / base[:20].sum()):
            Q = dpot.Polytope(measure, epsilon)
            one, two = (dpot.project_entropic(mu[:some], each, Q, reg, max_iter=30) for each in (shared, cost))
            np.testing.assert_array_equal(one.output, two.output)
            np.testing.assert_array_equal(one.plan_cost, two.plan_cost)
            np.testing.assert_array_equal(one.value, two.value)
        exact = [dpot.project_exact(mu, each, Q).output for each in (shared, cost)]
        np.testing.assert_array_equal(*exact)


# ---------------------------------------------------------------- privacy does not wait for convergence


@pytest.mark.slow
@given(problems(), regs, st.sampled_from([0, 1, 2, 5, 23]))
def test_the_output_lies_in_the_polytope_after_any_number_of_iterations(problem: Problem, reg, iterations):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    result = dpot.project_entropic(
        problem.mu, problem.cost, Q, reg * scale_of(problem.cost), max_iter=iterations, tol=0.0
    )
    assert Q.contains(result.output)
    assert oracles.sum_error_in_ulps(result.output) <= result.output.size
    assert result.iterations <= iterations


@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons, regs, st.sampled_from([0, 1, 3, 12]))
def test_outputs_of_any_inputs_keep_the_exact_ratio(data, k, k_v, epsilon, reg, iterations):
    cost = data.draw(distances(k, k_v))
    Q = dpot.Polytope(data.draw(bases(k_v, epsilon)), epsilon)
    inputs = np.vstack([np.eye(k), *[data.draw(distributions(k)) for _ in range(3)]])
    result = dpot.project_entropic(inputs, cost, Q, reg * scale_of(cost), max_iter=iterations)
    assert oracles.ratio_violations(result.output, epsilon) == []


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(problems(), st.booleans())
def test_reg_of_a_ten_thousandth_of_the_diameter_gives_no_nan_and_no_warning(problem: Problem, trace):
    """The suite turns warnings into errors, so a division by an underflown kernel would fail here."""
    Q = dpot.Polytope(problem.base, problem.epsilon)
    reg = 1e-4 * scale_of(problem.cost)
    result = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=150, trace=trace)
    assert np.isfinite(result.output).all()
    assert 0 <= result.value <= problem.cost.max() * (1 + 1e-9)
    assert Q.contains(result.output)
    if trace:
        assert np.isfinite(result.trace.outputs).all()
        assert np.isfinite(result.trace.marginal_error).all()


@pytest.mark.parametrize("iterations", [100, 101, 150, 400])
def test_the_last_iterations_are_made_with_the_reg_that_was_asked_for(iterations):
    """A small reg is reached in steps. When the iterations run out early, scalings of one reg with the kernel of
    another are no plan: its mass would not be 1, and its cost anything."""
    mu, cost = np.full(6, 1 / 6), np.zeros((6, 8))
    cost[:5, 7] = cost[5, :7] = 1.0
    Q = dpot.Polytope([0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25], 0.5)
    result = dpot.project_entropic(mu, 1.0 + cost, Q, 1e-4, max_iter=iterations)
    assert result.iterations <= iterations
    assert 1 - 1e-9 <= result.plan_cost <= 2


def test_small_reg_on_a_real_ring():
    rng = np.random.default_rng(0)
    cost = dpot.cost_matrix(dpot.ring(30), p=2)
    mu = dpot.dirichlet(30, 0.1, rng, size=4)
    Q = dpot.Polytope(dpot.uniform_base(30), 5.0)
    exact = dpot.project_exact(mu, cost, Q).value
    result = dpot.project_entropic(mu, cost, Q, 1e-4 * cost.max(), max_iter=2000, tol=1e-6)
    assert np.all(Q.contains(result.output))
    reached = [oracles.transport_lp(a, b, cost) for a, b in zip(mu, result.output, strict=True)]
    assert (np.array(reached) - exact <= 1e-4 * cost.max() * math.log(900) + 1e-6 * cost.max()).all()


# ---------------------------------------------------------------- the iterates and their limit


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("reg", [0.02, 0.2])
def test_the_trace_holds_the_iterates_of_algorithm_1(problem: Problem, reg):
    """From v = 1, as the paper's code would: every q_t for t = 0, 1, 2, 4."""
    Q = dpot.Polytope(problem.base, problem.epsilon)
    trace = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=5, tol=0.0, trace=True).trace
    assert trace.outputs.shape == (5, len(problem.base))
    for t in (0, 1, 2, 4):
        expected = oracles.entropic_projection(problem.mu, problem.cost, Q.lower, Q.upper, reg, t + 1)
        np.testing.assert_allclose(trace.outputs[t], expected, atol=1e-10)


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("reg", [1e-3, 0.02, 0.2])
@pytest.mark.parametrize("iterations", [1, 3, 40])
def test_asking_for_the_trace_does_not_change_the_output(problem: Problem, reg, iterations):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    plain = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=iterations, tol=0.0)
    traced = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=iterations, tol=0.0, trace=True)
    np.testing.assert_allclose(plain.output, traced.output, atol=1e-10)
    np.testing.assert_allclose(traced.trace.outputs[-1], traced.output, atol=1e-14)
    assert len(traced.trace.outputs) == traced.iterations
    assert plain.trace is None


@pytest.mark.slow
@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
def test_entropic_transport_converges_to_the_optimum_of_the_regularised_problem(problem: Problem):
    """Optimal means: the plan diag(u) K diag(v) has row sums mu, column sums q, and v is 1 where q is between bounds,
    at least 1 at the lower bound, at most 1 at the upper one, up to one common factor."""
    reg = 0.1
    Q = dpot.Polytope(problem.base, problem.epsilon)
    result = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=5000, tol=1e-13)
    assert result.converged
    expected = oracles.entropic_projection(problem.mu, problem.cost, Q.lower, Q.upper, reg, 150)
    np.testing.assert_allclose(result.output, expected, atol=1e-9)
    # v recovered from q alone: Sinkhorn between mu and q.
    kernel, rows = np.exp(-problem.cost / reg), problem.mu > 0
    v = np.ones(len(problem.base))
    for _ in range(3000):
        u = problem.mu[rows] / (kernel[rows] @ v)
        v = result.output / (kernel[rows].T @ u)
    free = (result.output > Q.lower * (1 + 1e-9)) & (result.output < Q.upper * (1 - 1e-9))
    level = v[free].mean() if free.any() else None
    if level is not None:
        np.testing.assert_allclose(v[free], level, rtol=1e-6)
        assert (v[result.output <= Q.lower * (1 + 1e-9)] >= level * (1 - 1e-6)).all()
        assert (v[result.output >= Q.upper * (1 - 1e-9)] <= level * (1 + 1e-6)).all()


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
def test_a_fixed_number_of_iterations_reports_itself(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    few = dpot.project_entropic(problem.mu, problem.cost, Q, 0.05, max_iter=2, tol=1e-12)
    assert few.iterations == 2
    assert not few.converged
    many = dpot.project_entropic(problem.mu, problem.cost, Q, 0.5, max_iter=2000, tol=1e-10)
    assert many.converged
    assert many.iterations < 2000


@pytest.mark.slow
@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
def test_entropic_tends_to_exact_as_reg_tends_to_zero(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    exact = dpot.project_exact(problem.mu, problem.cost, Q).value
    plan_costs, losses = [], []
    for reg in (0.3, 0.1, 0.03, 0.01, 0.003):
        result = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=4000, tol=1e-9)
        plan_costs.append(result.plan_cost)
        losses.append(oracles.transport_lp(problem.mu, result.output, problem.cost) - exact)
    assert min(losses) >= -1e-9
    assert losses[-1] <= 2e-3
    # The cost of the regularised plan falls with reg; that of the output alone need not.
    assert all(later <= earlier + 1e-8 for earlier, later in pairwise(plan_costs))


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("iterations", [1, 7, 300])
def test_the_plan_ends_in_the_output(problem: Problem, iterations):
    """Columns sum to q exactly, rows to mu only up to marginal_error: the same definition on every route."""
    Q = dpot.Polytope(problem.base, problem.epsilon)
    arguments = {"reg": 0.05, "max_iter": iterations, "tol": 0.0}
    one = dpot.project_entropic(problem.mu, problem.cost, Q, **arguments)
    two = dpot.project_entropic(problem.mu, problem.cost, Q, **arguments, trace=True)
    assert one.plan_cost == pytest.approx(two.plan_cost, rel=1e-8)
    assert one.marginal_error == pytest.approx(two.marginal_error, rel=1e-6, abs=1e-12)
    assert two.trace.marginal_error[-1] == pytest.approx(two.marginal_error, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("iterations", [1, 7, 300])
def test_the_value_is_the_distance_of_the_output_and_never_below_the_optimum(problem: Problem, iterations):
    """The cost of an unconverged plan can be: of one iteration here it is, for at least one problem."""
    Q = dpot.Polytope(problem.base, problem.epsilon)
    best = dpot.project_exact(problem.mu, problem.cost, Q).value
    found = dpot.project_entropic(problem.mu, problem.cost, Q, reg=0.5, max_iter=iterations, tol=0.0)
    assert found.value == pytest.approx(oracles.transport_lp(problem.mu, found.output, problem.cost), rel=1e-7)
    assert found.value >= best * (1 - 1e-9)
    batch = dpot.project_entropic(np.stack([problem.mu] * 2), problem.cost, Q, reg=0.5, max_iter=iterations, tol=0.0)
    np.testing.assert_allclose(batch.value, found.value, rtol=1e-7)


def test_an_unconverged_plan_looks_cheaper_than_it_can_be():
    """Found on three points: why `value` is not the cost of the plan."""
    cost = dpot.cost_matrix(dpot.ring(3), p=1)
    Q = dpot.Polytope([0.05, 0.05, 0.9], 0.5)
    found = dpot.project_entropic([0.9, 0.05, 0.05], cost, Q, reg=0.2, max_iter=1, tol=0.0)
    best = dpot.project_exact([0.9, 0.05, 0.05], cost, Q).value
    assert found.plan_cost < best <= found.value * (1 + 1e-12)


# ---------------------------------------------------------------- symmetry and batches


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("reg", [1e-3, 0.1])
def test_renaming_points_renames_the_output(problem: Problem, reg):
    rng = np.random.default_rng(9)
    rows, columns = rng.permutation(len(problem.mu)), rng.permutation(len(problem.base))
    one = dpot.project_entropic(
        problem.mu, problem.cost, dpot.Polytope(problem.base, problem.epsilon), reg, max_iter=30, tol=0.0
    )
    two = dpot.project_entropic(
        problem.mu[rows],
        problem.cost[np.ix_(rows, columns)],
        dpot.Polytope(problem.base[columns], problem.epsilon),
        reg,
        max_iter=30,
        tol=0.0,
    )
    np.testing.assert_allclose(two.output, one.output[columns], atol=1e-10)


@pytest.mark.parametrize("reg", [0.02, 5.0])
def test_turning_the_ring_turns_the_output(reg):
    mu = dpot.dirichlet(15, 0.1, np.random.default_rng(4))
    cost = dpot.cost_matrix(dpot.ring(15), p=2)
    Q = dpot.Polytope(dpot.uniform_base(15), 2.0)
    one = dpot.project_entropic(mu, cost, Q, reg, max_iter=50, tol=0.0).output
    two = dpot.project_entropic(np.roll(mu, 4), cost, Q, reg, max_iter=50, tol=0.0).output
    np.testing.assert_allclose(two, np.roll(one, 4), atol=1e-10)


@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons, regs)
def test_a_batch_equals_one_by_one(data, k, k_v, epsilon, reg):
    """With zeros and 1e-300 beside ordinary rows: no input may spoil another one's answer."""
    cost = data.draw(distances(k, k_v))
    Q = dpot.Polytope(data.draw(bases(k_v, epsilon)), epsilon)
    rows = np.stack([data.draw(distributions(k)) for _ in range(4)])
    arguments = {"cost": cost, "Q": Q, "reg": reg * scale_of(cost), "max_iter": 7, "tol": 0.0}
    together = dpot.project_entropic(rows, **arguments)
    assert together.output.shape == (4, k_v)
    for i, row in enumerate(rows):
        alone = dpot.project_entropic(row, **arguments)
        np.testing.assert_allclose(together.output[i], alone.output, atol=1e-9)


def test_the_wpm_mechanism_chooses_between_exact_and_entropic():
    problem = ORDINARY[1]
    Q = dpot.Polytope(problem.base, problem.epsilon)
    exact = dpot.wasserstein_projection(problem.mu, problem.cost, Q)
    assert (exact == dpot.project_exact(problem.mu, problem.cost, Q).output).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dpot.ConvergenceWarning)
        entropic = dpot.wasserstein_projection(problem.mu, problem.cost, Q, reg=0.1, max_iter=40)
    assert (entropic == dpot.project_entropic(problem.mu, problem.cost, Q, 0.1, max_iter=40).output).all()
    assert np.abs(exact - entropic).max() > 1e-3


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"reg": 0}, "reg"),
        ({"reg": -1}, "reg"),
        ({"reg": math.nan}, "reg"),
        ({"reg": math.inf}, "reg"),
        ({"max_iter": -1}, "max_iter"),
        ({"max_iter": 2.5}, "max_iter"),
        ({"tol": -1e-9}, "tol"),
        ({"tol": math.nan}, "tol"),
        ({"mu": np.eye(2), "trace": True}, "trace"),
    ],
)
def test_bad_settings_are_refused_by_name(changes, word):
    arguments = {"mu": [0.5, 0.5], "cost": [[0, 1], [1, 0]], "Q": dpot.Polytope([0.5, 0.5], 1.0), "reg": 0.1}
    with pytest.raises(ValueError, match=word):
        dpot.project_entropic(**(arguments | changes))
