"""Calibration and composition: closed forms, inverses, and the numbers of the reading notes."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpot_core.privacy import accounting as acc
from dpot_core.privacy.guarantees import Guarantee, Sampled
from dpot_core.privacy.privacy_loss import largest_mu_beside_tree, log_gaussian_delta, tree_losses


def analytic_delta(epsilon: float, sigma: float) -> float:
    """Delta of the Gaussian mechanism of sensitivity 1 (Balle and Wang 2018, eq. 6), written out."""
    return float(norm.cdf(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * norm.cdf(-0.5 / sigma - epsilon * sigma))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 5.0, 12.36])
@pytest.mark.parametrize("delta", [5e-6, 1e-3, 0.3])
def test_gaussian_noise_is_the_smallest_private_one(epsilon: float, delta: float) -> None:
    sigma = acc.gaussian_noise(epsilon, delta)
    assert analytic_delta(epsilon, sigma) <= delta
    assert analytic_delta(epsilon, sigma * (1 - 1e-6)) > delta


def exact_delta(epsilon: float, sigma: float) -> mpmath.mpf:
    """As `analytic_delta`, with 400 digits."""
    with mpmath.workdps(400):
        a, half = mpmath.mpf(epsilon) * mpmath.mpf(sigma), 1 / (2 * mpmath.mpf(sigma))
        root = mpmath.sqrt(2)
        return (mpmath.erfc((a - half) / root) - mpmath.exp(epsilon) * mpmath.erfc((a + half) / root)) / 2


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1e-9, 1e-7, 1e-5, 1e-3, 0.03, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-100, 1e-30, 1e-12, 1e-5, 0.1])
def test_the_noise_keeps_its_delta_at_every_scale(epsilon: float, delta: float) -> None:
    """With a root finder of absolute tolerance 1e-12 delta was 9.2 % too large at (1e-9, 1e-300)."""
    sigma = acc.gaussian_noise(epsilon, delta)
    assert exact_delta(epsilon, sigma) <= delta
    assert exact_delta(epsilon, sigma * (1 - 1e-6)) > delta
    back = acc.gaussian_epsilon(sigma, delta)
    assert exact_delta(back, sigma) <= delta
    assert back == pytest.approx(epsilon, rel=1e-6, abs=1e-7)


@pytest.mark.slow
@given(st.floats(-10.0, 100.0), st.floats(-14.0, 3.0))
def test_the_delta_that_calibrates_is_never_below_the_exact_one(t: float, log_mu: float) -> None:
    mu = math.exp(log_mu)
    epsilon = mu * (t + mu / 2)
    if epsilon < 0 or t + mu < -30:
        return
    ours = float(log_gaussian_delta(epsilon, mu))
    with mpmath.workdps(60):
        exact = mpmath.log(exact_delta(epsilon, 1 / mpmath.mpf(mu)))
    assert exact <= ours <= exact + 1e-7


def test_classical_constant_is_too_small_where_the_notes_say() -> None:
    classical = math.sqrt(2 * math.log(1.25 / 5e-6)) / 12.36
    assert classical == pytest.approx(0.403, abs=5e-4)
    assert acc.gaussian_noise(12.36, 5e-6) == pytest.approx(0.432, abs=5e-4)


@given(st.floats(0.01, 20.0), st.floats(1e-9, 0.5), st.floats(0.01, 100.0), st.integers(1, 50))
def test_gaussian_epsilon_inverts_gaussian_noise(epsilon: float, delta: float, size: float, steps: int) -> None:
    noise = acc.gaussian_noise(epsilon, delta, size, steps)
    assert acc.gaussian_epsilon(noise, delta, size, steps) == pytest.approx(epsilon, rel=1e-5, abs=1e-8)


def test_steps_compose_like_one_release_of_larger_sensitivity() -> None:
    assert acc.gaussian_noise(1.0, 1e-6, 2.0, 9) == pytest.approx(acc.gaussian_noise(1.0, 1e-6, 6.0), rel=1e-12)


def test_no_sensitivity_needs_no_noise() -> None:
    assert acc.gaussian_noise(1.0, 1e-6, 0.0) == 0.0
    assert acc.gaussian_epsilon(0.5, 1e-6, 0.0) == 0.0


@given(st.floats(1e-3, 650.0), st.floats(1e-6, 1.0))
@settings(deadline=None)
def test_sampling_inverts_and_amplifies(epsilon: float, rate: float) -> None:
    inner = acc.sample_epsilon(epsilon, rate)
    assert inner >= epsilon / acc.SAFETY
    if inner < 690:
        outer = acc.amplified_epsilon(inner, rate)
        assert outer <= epsilon
        assert outer == pytest.approx(epsilon, rel=1e-5)


@pytest.mark.parametrize(("epsilon", "expected"), [(1.0, 7.9), (5.0, 12.4)])
def test_sample_epsilon_of_the_barycenter_paper(epsilon: float, expected: float) -> None:
    assert acc.sample_epsilon(epsilon, 200_000 / 306_675_006) == pytest.approx(expected, abs=0.08)


def test_renyi_of_the_gaussian_is_close_to_and_never_below_the_exact_epsilon() -> None:
    orders = np.array(acc.RENYI_ORDERS)
    for sigma in (0.3, 1.0, 5.0):
        exact = acc.gaussian_epsilon(sigma, 1e-6)
        bound = acc.renyi_epsilon(orders / (2 * sigma**2), 1e-6)
        assert exact <= bound <= 1.15 * exact


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, 2.0, math.nan])
def test_bad_delta(delta: float) -> None:
    with pytest.raises(ValueError, match="delta must lie"):
        acc.gaussian_noise(1.0, delta)


@pytest.mark.parametrize("steps", [0, -1, 1.5])
def test_bad_steps(steps: int) -> None:
    with pytest.raises(ValueError, match="steps must be a whole number"):
        acc.gaussian_noise(1.0, 1e-6, 1.0, steps)


def test_other_bad_input() -> None:
    with pytest.raises(ValueError, match="epsilon must lie"):
        acc.gaussian_noise(0.0, 1e-6)
    with pytest.raises(ValueError, match="rate must lie"):
        acc.amplified_epsilon(1.0, 0.0)
    with pytest.raises(ValueError, match="one entry per order"):
        acc.renyi_epsilon([1.0, 2.0], 1e-6)
    with pytest.raises(ValueError, match="must not be negative"):
        acc.renyi_epsilon([-1.0, 2.0], 1e-6, [2.0, 3.0])


def brute_losses(scales: tuple[float, ...], part: int, epsilon: float, far: int = 120) -> float:
    """Delta at epsilon of a tree whose points part at a level, from the probabilities of all noise values."""
    z = np.arange(-far, far + 1)

    def pair(b: float, shift: int) -> tuple[np.ndarray, np.ndarray]:
        weights = [np.exp(-np.abs(z - s) / b) * math.tanh(0.5 / b) for s in (0, shift)]
        return weights[0], weights[1]

    p, q = np.ones(1), np.ones(1)
    for level, b in enumerate(scales):
        for shift in () if level < part else (2,) if level == part else (1, 1):
            one, other = pair(b, shift)
            p, q = np.outer(p, one).ravel(), np.outer(q, other).ravel()
            # Equal likelihood ratios may be put together.
            ratio = np.round(np.log(p) - np.log(q), 9)
            kinds, which = np.unique(ratio, return_inverse=True)
            p, q = np.bincount(which, p, kinds.size), np.bincount(which, q, kinds.size)
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())


def test_losses_of_a_tree_are_those_of_its_noise_rounded_up() -> None:
    scales = (0.0, 3.0, 2.0, 1.5)
    values, chances = tree_losses(scales, "replace")
    assert chances.sum(axis=1) == pytest.approx(1.0, abs=1e-12) and (chances >= 0).all()
    for epsilon in (0.0, 0.3, 1.0, 1.9, 2.4):
        # Rows begin with the deepest level at which the points may part.
        for row, part in zip(chances, (2, 1, 0), strict=True):
            exact = brute_losses(scales[1:], part, epsilon)
            ours = float((row * np.maximum(-np.expm1(epsilon - values), 0)).sum())
            assert exact - 1e-9 <= ours <= exact + 5e-3
    single, sums = tree_losses((2.0, 3.0), "add-remove")
    mean = float(sums[0] @ single)
    # Kullback-Leibler divergence of a discrete Laplace distribution and its shift by one.
    assert mean == pytest.approx(sum(math.tanh(0.5 / b) / b for b in (2.0, 3.0)), rel=5e-3)
    assert single[-1] >= 1 / 2 + 1 / 3


def test_a_shift_in_one_place_is_easier_to_see_than_in_two() -> None:
    """The lemma behind `tree_losses`: whatever is split, or left out, is dominated."""
    for b in (0.4, 1.0, 7.0):
        for epsilon in np.linspace(0, 2.2 / b, 12):
            two = brute_losses((b,), 0, float(epsilon))
            assert _ones(b, float(epsilon)) <= two + 1e-12


def _ones(b: float, epsilon: float) -> float:
    q = math.exp(-1 / b)
    losses = np.array([2 / b, 0.0, -2 / b])
    chances = np.array([1.0, 2 * q, q * q]) / (1 + q) ** 2
    return float((chances * np.maximum(-np.expm1(epsilon - losses), 0)).sum())


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_noise_beside_a_tree_is_private_by_another_accountant(adjacency: str) -> None:
    epsilon, delta = 1.0, 1e-6
    scales = (0.0 if adjacency == "replace" else 40.0, 30.0, 25.0, 20.0)
    sigma = acc.gaussian_noise_beside_tree(epsilon, delta, 1.0, 2, [scales], adjacency)
    fine = {"value_discretization_interval": 1e-4}
    total = pld.from_gaussian_mechanism(sigma / math.sqrt(2), **fine)
    for level, b in enumerate(b for b in scales if b):
        first = adjacency == "add-remove" or level == 0
        one = pld.from_discrete_laplace_mechanism(
            1 / b, sensitivity=2 if adjacency == "replace" and first else 1, **fine
        )
        total = total.compose(one if first else one.self_compose(2))
    assert total.get_delta_for_epsilon(epsilon) == pytest.approx(delta, rel=0.05)
    alone = acc.gaussian_noise(
        epsilon - sum((2 if adjacency == "replace" else 1) / b for b in scales if b), delta, 1.0, 2
    )
    assert acc.gaussian_noise(epsilon, delta, 1.0, 2) < sigma < alone
    assert largest_mu_beside_tree(epsilon, delta, scales, adjacency) < math.sqrt(2) / sigma * (1 + 1e-8)


def test_a_tree_that_spends_everything_leaves_no_room() -> None:
    with pytest.raises(ValueError, match="epsilon must be more than the counts of the tree spend"):
        acc.gaussian_noise_beside_tree(1.0, 1e-6, 1.0, 1, [(0.0, 2.0)], "replace")


def test_releases_from_one_sample_add_up_before_they_are_amplified() -> None:
    inner, rate = acc.sample_epsilon(1.0, 1e-4), 1e-4
    one = Guarantee(1.0, 1e-9, "replace", sampled=Sampled(inner, 1e-5, rate))
    both = acc.from_one_sample([one, replace(one, delta=0.0, sampled=Sampled(inner, 0.0, rate))])
    assert both.sampled == Sampled(2 * inner, 1e-5, rate)
    assert both.epsilon == pytest.approx(math.log1p(rate * math.expm1(2 * inner)), rel=1e-9)
    assert both.epsilon > one.compose(one).epsilon
    assert both.delta == pytest.approx(1e-9)
    assert acc.from_one_sample([one]).epsilon == pytest.approx(1.0, rel=1e-8)
    many = acc.from_one_sample([one] * 100)
    assert many.epsilon == pytest.approx(100 * inner + math.log(rate))
    plain = Guarantee(1.0, 0.0, "replace")
    assert acc.from_one_sample([plain, plain]).epsilon == 2.0
    # Groups are sampled at different rates: the largest one counts, whichever stands first.
    rates = [replace(one, sampled=Sampled(inner, 1e-4, q)) for q in (rate / 2, rate, rate / 4)]
    whole = acc.amplified_epsilon(3 * inner, rate)
    assert acc.from_one_sample(rates).epsilon >= whole * (1 - 1e-12) and acc.from_one_sample(rates).sampled.rate == rate
    # What either of them takes for known to everybody is public for both.
    told = [replace(one, public=facts) for facts in (("grid", "n"), ("grid", "chunks"))]
    assert acc.from_one_sample(told).public == ("grid", "n", "chunks")
    with pytest.raises(ValueError, match="all be from a sample"):
        acc.from_one_sample([one, plain])
    with pytest.raises(ValueError, match="at least one promise"):
        acc.from_one_sample([])


@given(st.floats(1e-6, 1.0), st.floats(1e-300, 1e-3))
def test_the_delta_after_sampling_is_not_rounded_down(rate: float, delta: float) -> None:
    one = Guarantee(1.0, delta, "replace", sampled=Sampled(2.0, delta, rate))
    exact = Fraction(rate) * Fraction(delta)
    assert exact <= Fraction(acc.from_one_sample([one]).delta) <= exact * (1 + Fraction(1, 2**51)) + Fraction(5e-324)


def test_amplification_of_a_huge_epsilon_by_a_tiny_rate_is_not_below_the_exact_one():
    """log(q e^epsilon + 1 - q), in mpmath's place the two terms apart: 1e-300 e^601 is far below 1."""
    from dpot_core.privacy.accounting import amplified_epsilon

    assert amplified_epsilon(601.0, 1e-300) >= math.log1p(1e-300 * math.exp(601.0))
    assert 0.0 <= amplified_epsilon(650.0, 1e-300) <= 1e-9
    assert amplified_epsilon(699.0, 1.0) >= 699.0
