"""KPM: the printed formula, the range of r, its base measure, the divergence bounds of Theorem 3.1."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import bases, distributions, epsilons

inputs = st.integers(1, 12).flatmap(distributions)


@given(inputs, epsilons)
def test_with_its_optimal_base_it_is_the_printed_formula(mu, epsilon):
    """max(P / r, 1 / (e^eps + k - 1)), with r in [1, (e^eps + k - 1) / e^eps]."""
    Q = dpot.Polytope(dpot.minimax_base_kl(len(mu), epsilon), epsilon)
    released = dpot.kl_projection(mu, Q)
    expected, r = oracles.minimax_kl_output(mu, epsilon)
    np.testing.assert_allclose(released, expected, rtol=1e-9, atol=1e-13)
    above = released > max(2 / (math.exp(epsilon) + len(mu) - 1), 1e-6)
    assert 1 - 1e-12 <= r <= 1 + (len(mu) - 1) * math.exp(-epsilon) + 1e-12
    np.testing.assert_allclose(mu[above] / released[above], r, rtol=1e-9)


@given(st.integers(1, 300), epsilons)
def test_its_optimal_base_is_uniform_and_feasible(k, epsilon):
    base = dpot.minimax_base_kl(k, epsilon)
    assert base.shape == (k,)
    assert np.ptp(base) == 0
    mass = math.exp(epsilon / 2) * k / (math.exp(epsilon) + k - 1)
    assert base.sum() == pytest.approx(mass, rel=1e-12)
    assert math.exp(-epsilon / 2) * (1 - 1e-12) <= base.sum() <= math.exp(epsilon / 2) * (1 + 1e-12)


@given(st.data(), st.integers(1, 8), epsilons)
def test_with_any_base_it_clips_the_scaled_input(data, k, epsilon):
    """clip(mu / r, lower, upper): one r serves all outputs that lie between their bounds."""
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    mu = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-9))
    released = dpot.kl_projection(mu, Q)
    np.testing.assert_allclose(released, oracles.kl_projection(mu, Q.lower, Q.upper), rtol=1e-7, atol=1e-11)


@given(st.data(), st.integers(1, 6), epsilons)
def test_no_point_of_the_polytope_is_nearer_in_kl(data, k, epsilon):
    Q = dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon)
    mu = data.draw(distributions(k))
    best = dpot.kl(mu, dpot.kl_projection(mu, Q))
    other = Q.repair(data.draw(distributions(k)))
    assert dpot.kl(mu, other) >= best - 1e-11


def test_zeros_share_what_the_polytope_asks_for_in_proportion_to_the_base():
    """Where the masses that are there cannot take more, the rest follows the base and not the order of the points."""
    Q = dpot.Polytope([0.2, 0.2, 0.2, 0.4], 1.0)
    released = dpot.kl_projection([1.0, 0.0, 0.0, 0.0], Q)
    assert released[0] == pytest.approx(Q.upper[0], rel=1e-12)
    np.testing.assert_allclose(released[1:] / Q.base[1:], (1 - released[0]) / 0.8, rtol=1e-9)


def test_an_input_inside_is_returned():
    Q = dpot.Polytope(np.full(3, 1 / 3), 2.0)
    np.testing.assert_allclose(dpot.kl_projection([0.2, 0.3, 0.5], Q), [0.2, 0.3, 0.5], atol=1e-15)


@pytest.mark.parametrize("name", ["kl", "tv", "hellinger", "chi2"])
@pytest.mark.parametrize(("k", "epsilon"), [(2, 0.1), (5, 1.0), (10, 3.0), (40, 0.5)])
def test_the_worst_divergence_is_attained_at_a_point_and_never_exceeded(name, k, epsilon):
    rng = np.random.default_rng(k)
    Q = dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon)
    worst = dpot.worst_case_divergence(name, k, epsilon)
    points = np.eye(k)
    reached = dpot.DIVERGENCES[name](points, dpot.kl_projection(points, Q))
    np.testing.assert_allclose(reached, worst, rtol=1e-9)
    others = np.vstack([rng.dirichlet(np.full(k, c), 200) for c in (0.02, 0.3, 3.0)])
    assert dpot.DIVERGENCES[name](others, dpot.kl_projection(others, Q)).max() <= worst * (1 + 1e-9)


@pytest.mark.slow
def test_total_variation_is_lipschitz_as_in_proposition_4_1():
    """TV(Q(P), Q(P')) <= 2 / max(r_P, r_P') TV(P, P'), of minimax_ldp_sampling."""
    rng = np.random.default_rng(0)
    Q = dpot.Polytope(dpot.minimax_base_kl(6, 1.0), 1.0)
    for _ in range(200):
        p, other = rng.dirichlet(np.full(6, 0.3), 2)
        r = max(oracles.minimax_kl_output(p, 1.0)[1], oracles.minimax_kl_output(other, 1.0)[1])
        moved = dpot.total_variation(dpot.kl_projection(p, Q), dpot.kl_projection(other, Q))
        assert moved <= 2 / r * dpot.total_variation(p, other) + 1e-12


@pytest.mark.parametrize("mu", [[0.5, 0.5], [0.5, 0.5, 0.5], [math.nan, 0.5, 0.5]])
def test_bad_input_is_refused(mu):
    with pytest.raises(ValueError, match="mu"):
        dpot.kl_projection(mu, dpot.Polytope(np.full(3, 1 / 3), 1.0))
    for k in (0, -1, 1.5):
        with pytest.raises(ValueError, match="k"):
            dpot.minimax_base_kl(k, 1.0)
