"""A real release: whole numbers inside the polytope, exactly; the law of the draws; nothing to seed."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import dpot_core as dpot
from tests import oracles
from tests.strategies import bases, distributions, epsilons


@st.composite
def releases(draw, several=1):
    k = draw(st.integers(1, 10))
    epsilon = draw(epsilons)
    Q = dpot.Polytope(draw(bases(k, epsilon)), epsilon)
    return Q, [Q.repair(draw(distributions(k))) for _ in range(several)]


@given(releases(several=3))
def test_the_probabilities_of_all_inputs_keep_the_exact_ratio(case):
    """w_j / total for one input over w'_j / total' for another, in whole numbers."""
    Q, outputs = case
    drawn = [dpot.integer_weights(nu, Q) for nu in outputs]
    drawn += [dpot.integer_weights(Q.repair(row), Q) for row in np.eye(Q.lower.size)]
    totals = [sum(weights) for weights in drawn]
    assert len(set(totals)) == 1, "the total must not depend on the input"
    for j in range(Q.lower.size):
        column = [weights[j] for weights in drawn]
        assert oracles.at_most_exp(max(column), min(column), Q.epsilon)


@given(releases())
def test_the_weights_lie_in_the_integer_polytope(case):
    """2^53 or more in total; ceil(N lower) <= w <= floor(N upper), N the total up to the rounding of the bounds."""
    Q, (nu,) = case
    weights = dpot.integer_weights(nu, Q)
    assert all(isinstance(w, int) and w >= 0 for w in weights)
    total = sum(weights)
    assert total >= 2**53
    slack = Fraction(4 * len(weights), 2**52)
    for w, low, high in zip(weights, Q.lower, Q.upper, strict=True):
        share = Fraction(w, total)
        assert Fraction(float(low)) * (1 - slack) <= share <= Fraction(float(high)) * (1 + slack)


@given(releases())
def test_the_weights_are_those_of_nu(case):
    Q, (nu,) = case
    weights = dpot.integer_weights(nu, Q)
    total = sum(weights)
    for w, p in zip(weights, nu, strict=True):
        assert abs(Fraction(w, total) - Fraction(float(p))) <= Fraction(2 * len(weights), 2**52)


@settings(max_examples=20)
@given(releases())
def test_an_output_without_mass_is_never_drawn(case):
    Q, (nu,) = case
    drawn = [dpot.release(nu, Q) for _ in range(5)]
    assert all(nu[j] > 0 for j in drawn)
    assert all(type(j) is int for j in drawn)


@given(releases())
def test_as_many_random_numbers_lead_to_an_output_as_its_weight_says(case):
    """The numbers that lead to one output are an interval; its ends show how many they are, exactly."""
    Q, (nu,) = case
    weights = dpot.integer_weights(nu, Q)

    def output(number):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "dpot_core.privacy.releases.secrets.randbelow", lambda total: number if total == sum(weights) else -1
            )
            return dpot.release(nu, Q)

    start = 0
    for j, weight in enumerate(weights):
        if weight:
            assert output(start) == output(start + weight - 1) == j
        start += weight


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "epsilon", "mu"),
    [
        pytest.param([0.25, 0.25, 0.25, 0.25], 1.0, [0.7, 0.1, 0.1, 0.1], id="four", marks=pytest.mark.nightly),
        pytest.param([0.5, 0.3, 0.15, 0.05], 3.0, [0.0, 0.0, 0.0, 1.0], id="skewed"),
        pytest.param(np.full(30, 1 / 30), 0.5, np.r_[1.0, np.zeros(29)], id="thirty", marks=pytest.mark.nightly),
    ],
)
def test_draws_follow_nu(base, epsilon, mu):
    """Pearson's chi-square over 5000 draws of the system's entropy; fails by chance once in 10^9 runs."""
    Q = dpot.Polytope(base, epsilon)
    nu = dpot.kl_projection(mu, Q)
    n = 5_000
    counts = np.bincount([dpot.release(nu, Q) for _ in range(n)], minlength=nu.size)
    statistic = float(((counts - n * nu) ** 2 / (n * nu)).sum())
    assert statistic <= chi2.isf(1e-9, nu.size - 1)


def test_a_release_cannot_be_seeded():
    assert list(inspect.signature(dpot.release).parameters) == ["nu", "Q"]
    Q = dpot.Polytope(np.full(64, 1 / 64), 1.0)
    nu = np.full(64, 1 / 64)
    np.random.seed(0)
    first = [dpot.release(nu, Q) for _ in range(40)]
    np.random.seed(0)
    second = [dpot.release(nu, Q) for _ in range(40)]
    assert first != second  # equal by chance with probability 64^-40


@pytest.mark.parametrize("k", [1, 400])
def test_sizes_from_one_place_to_a_city(k):
    Q = dpot.Polytope(dpot.uniform_base(k), 1.0)
    assert 0 <= dpot.release(Q.repair(dpot.dirac(k, 0)), Q) < k


@pytest.mark.parametrize(
    ("nu", "word"),
    [
        ([0.9, 0.05, 0.05], "polytope"),
        ([0.5, 0.5], "length"),
        ([0.2, 0.2, 0.2], "normalise"),
        ([math.nan, 0.5, 0.5], "finite"),
        ([-0.1, 0.6, 0.5], "negative"),
        ([[0.2, 0.3, 0.5]], "one distribution"),
    ],
)
def test_only_one_output_in_the_polytope_is_released(nu, word):
    with pytest.raises(ValueError, match=word):
        dpot.release(nu, dpot.Polytope(np.full(3, 1 / 3), 1.0))
