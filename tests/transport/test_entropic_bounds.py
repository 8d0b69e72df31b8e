"""What the paper proves about the entropic projection: the error of Proposition 4.1, the rate of Theorem 4.3."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import ORDINARY, Problem, ordinary


@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 9), st.sampled_from([1.0, 2.0]))
def test_the_error_obeys_proposition_4_1_with_the_log_of_k_times_k_v(seed, k, k_v, p):
    """0 <= W_p(nu_reg) - W_p(nu*) <= (reg log(k k_v))^(1/p); the main text's 2 reg log k would need k_v <= k."""
    problem = ordinary(k, k_v, 1.5, seed, p=p, zeros=False)
    Q = dpot.Polytope(problem.base, problem.epsilon)
    exact = dpot.project_exact(problem.mu, problem.cost, Q).value
    for reg in (0.02, 0.3):
        result = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=3000, tol=1e-9)
        reached = oracles.transport_lp(problem.mu, result.output, problem.cost)
        bound = reg * math.log(k * k_v)
        slack = 1e-7 + 2 * float(result.marginal_error) * problem.cost.max()
        assert -1e-9 <= reached - exact <= bound + slack
        assert reached ** (1 / p) - max(exact, 0.0) ** (1 / p) <= bound ** (1 / p) + math.sqrt(slack)


@pytest.mark.parametrize("problem", ORDINARY, ids=range(4))
@pytest.mark.parametrize("reg", [0.1, 0.5, 2.0])
def test_the_birkhoff_bound_holds_along_the_trace(problem: Problem, reg):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    trace = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=40, tol=0.0, trace=True).trace
    rows = problem.mu > 0
    factor = oracles.birkhoff_contraction(np.exp(-problem.cost[rows] / reg)) ** 2
    assert trace.contraction == pytest.approx(factor, rel=1e-9)
    steps = trace.hilbert_step
    assert (steps[1:] <= factor * steps[:-1] + 1e-12).all()
    limit = dpot.project_entropic(problem.mu, problem.cost, Q, reg, max_iter=20_000, tol=1e-15).output
    divergence = np.array([dpot.kl(q, limit) for q in trace.outputs])
    assert (divergence <= trace.kl_bound + 1e-13).all()
    assert (np.diff(trace.kl_bound) <= 0).all()


def test_the_contraction_is_that_of_the_support_only():
    """A far point without mass takes no part: Theorem 4.3 restricts K to supp(mu) x supp(m)."""
    points, targets = np.array([0.0, 1.0, 50.0]), np.array([0.0, 1.0, 90.0])
    cost = np.abs(points[:, None] - targets)
    Q = dpot.Polytope([0.5, 0.5, 0.0], 1.0)
    trace = dpot.project_entropic([0.4, 0.6, 0.0], cost, Q, 1.0, max_iter=3, tol=0.0, trace=True).trace
    assert trace.contraction == pytest.approx(math.tanh(0.5) ** 2)


def test_a_bound_that_says_nothing_is_infinite_and_not_nan():
    cost = dpot.cost_matrix(dpot.ring(10), p=2)
    Q = dpot.Polytope(dpot.uniform_base(10), 1.0)
    trace = dpot.project_entropic(dpot.two_bumps(10), cost, Q, 0.01, max_iter=5, trace=True).trace
    assert trace.contraction <= 1
    assert not np.isnan(trace.kl_bound).any()
    assert (trace.kl_bound > 0).all()
