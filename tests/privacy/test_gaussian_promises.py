"""Gaussian local privacy: certificates against all tests of small outputs, against closed forms, and what they give."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import norm

import dpot_core as dpot
from dpot_core.mechanisms.near_prior import gaussian_epsilon_near_prior, minimax_base_near_prior
from dpot_core.privacy.gaussian_promises import certify_gaussian
from tests.strategies import bases, distributions, epsilons


def quantile(mass: float, rest: float) -> float:
    """Phi^-1(mass), from the smaller of the mass and what is left of 1: near 1 a mass has lost its digits."""
    return norm.ppf(mass) if mass < 0.5 else norm.isf(rest)


def slow_mu(rows) -> float:
    """The largest Phi^-1(hits) - Phi^-1(false alarms) over all pairs of rows and all sets of outputs."""
    found = 0.0
    for p, q in itertools.permutations(np.asarray(rows), 2):
        for chosen in itertools.product((False, True), repeat=len(p)):
            inside, outside = np.array(chosen), ~np.array(chosen)
            if p[inside].sum() > 0 and q[outside].sum() > 0:
                hits = quantile(p[inside].sum(), p[outside].sum())
                found = max(found, hits - quantile(q[inside].sum(), q[outside].sum()))
    return found


def gaussian_delta(epsilon: float, mu: float) -> float:
    return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)


@given(st.data(), st.integers(1, 5), st.floats(0.05, 8.0))
def test_a_matrix_is_as_private_as_its_best_test_says(data, k, epsilon):
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    rows = Q.project_kl(np.array([data.draw(distributions(k)) for _ in range(3)]))
    mu = certify_gaussian(rows)
    assert mu == pytest.approx(slow_mu(rows), rel=1e-6, abs=1e-9)
    for p, q in itertools.permutations(rows, 2):
        for threshold in np.linspace(0.0, 1.1 * epsilon, 7) if mu > 1e-3 else ():
            excess = np.maximum(p - math.exp(threshold) * q, 0.0).sum()
            assert excess <= gaussian_delta(threshold, mu) + 1e-12


@given(st.data(), st.integers(1, 5), epsilons)
def test_a_polytope_covers_all_that_it_holds(data, k, epsilon):
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    mu = certify_gaussian(Q)
    inputs = np.vstack([np.eye(k), *[data.draw(distributions(k)) for _ in range(2)]])
    assert certify_gaussian(Q.project_kl(inputs)) <= mu
    # Of all epsilon-LDP mechanisms: the corner at which both errors are 1 / (1 + e^epsilon). Sums of the bounds are
    # certain to 2^-51, which counts 1 / epsilon times in the errors.
    rounding = 1e-12 + 4 * 2.0**-51 / epsilon
    assert mu <= -2 * norm.ppf(1 / (1 + math.exp(min(epsilon, 500.0)))) * (1 + 1e-9) + rounding


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 12.0])
@pytest.mark.parametrize("k", [2, 5, 30])
def test_the_corner_of_a_polytope_is_attained_by_kpm(k, epsilon):
    Q = dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon)
    share = math.exp(epsilon) + k - 1
    expected = norm.ppf(math.exp(epsilon) / share) - norm.ppf(1 / share)
    assert certify_gaussian(Q) == pytest.approx(expected, rel=1e-9)
    assert certify_gaussian(dpot.kl_projection(np.eye(k), Q)) == pytest.approx(expected, rel=1e-9)


def test_a_channel_that_tells_two_inputs_apart_for_sure_has_no_mu():
    assert certify_gaussian([[0.5, 0.5, 0.0], [0.5, 0.25, 0.25]]) == math.inf
    assert certify_gaussian([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]) <= 1e-12
    assert certify_gaussian([0.5, 0.5]) == 0.0


@pytest.mark.parametrize("nu", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("k", [10, 20, 100])
def test_the_sampler_of_a_mu_has_the_worst_case_of_the_published_one(k, nu):
    """Their lambda is a minimum over beta (Figures 7 to 9: uniform prior, gamma = k/2 - 1); ours is a corner."""
    gamma = k / 2 - 1
    c1, c2 = 1 / gamma, gamma

    def share(beta):
        delta = norm.cdf(nu / 2 - beta / nu) - np.exp(beta) * norm.cdf(-nu / 2 - beta / nu)
        return ((c2 - c1) / (1 - c1) * delta + np.expm1(beta)) / ((1 - c1) * np.exp(beta) + c2 - 1)

    grid = np.linspace(0, 20, 2001)
    start = grid[np.argmin(share(grid))]
    within = max(start - 0.02, 0.0), start + 0.02
    mixed = minimize_scalar(share, bounds=within, method="bounded", options={"xatol": 1e-10}).fun
    epsilon = gaussian_epsilon_near_prior(nu, np.ones(k), gamma)
    # b e^epsilon and b: what the mixture has at the two ends.
    upper, lower = mixed * (c2 - 1) + 1, 1 - (1 - c1) * mixed
    assert math.log(upper / lower) == pytest.approx(epsilon, rel=1e-6)
    base = minimax_base_near_prior(np.ones(k), epsilon, gamma)
    assert certify_gaussian(dpot.Polytope(base, epsilon)) <= nu


def test_a_mu_that_no_epsilon_keeps_is_refused():
    with pytest.raises(ValueError, match="mu"):
        gaussian_epsilon_near_prior(1e-12, np.ones(3), 2.0)
    assert gaussian_epsilon_near_prior(200.0, np.ones(3), 2.0) == 700.0


def test_many_releases_are_promised_less_than_by_epsilon_alone():
    Q = dpot.Polytope(dpot.minimax_base_kl(10, 0.5), 0.5)
    promise = dpot.gaussian_guarantee([Q] * 100, 1e-6)
    assert promise.delta == 1e-6 and promise.gaussian is None and promise.neighbours == "local"
    assert 18.0 < promise.epsilon < 18.5  # exact composition of any 0.5-LDP releases: 33.3
    assert gaussian_delta(promise.epsilon, 10 * certify_gaussian(Q)) <= 1e-6 * (1 + 1e-6)
    assert dpot.gaussian_guarantee([Q], 1e-6) == dpot.Guarantee(0.5)
    with pytest.raises(ValueError, match="delta"):
        dpot.gaussian_guarantee([Q], 0.0)


def test_a_loss_can_be_exceeded_more_often_than_gaussian_noise_exceeds_it():
    """Why the promise has no `gaussian`: with it goes a probability that is not proven here."""
    k, epsilon = 10, 1.0
    Q = dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon)
    mu, hits = certify_gaussian(Q), math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    often = dpot.Guarantee(0.99, 1e-3, gaussian=mu).exceeded
    assert hits > 2 * often  # the privacy loss is epsilon with this probability
