"""Calibration and composition: closed forms, inverses, and the numbers of the reading notes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpot_core import accounting as acc


def analytic_delta(epsilon: float, sigma: float) -> float:
    """Delta of the Gaussian mechanism of sensitivity 1 (Balle and Wang 2018, eq. 6), written out."""
    return float(norm.cdf(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * norm.cdf(-0.5 / sigma - epsilon * sigma))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 5.0, 12.36])
@pytest.mark.parametrize("delta", [5e-6, 1e-3, 0.3])
def test_gaussian_noise_is_the_smallest_private_one(epsilon: float, delta: float) -> None:
    sigma = acc.gaussian_noise(epsilon, delta)
    assert analytic_delta(epsilon, sigma) <= delta
    assert analytic_delta(epsilon, sigma * (1 - 1e-6)) > delta


def test_classical_constant_is_too_small_where_the_notes_say() -> None:
    classical = math.sqrt(2 * math.log(1.25 / 5e-6)) / 12.36
    assert classical == pytest.approx(0.403, abs=5e-4)
    assert acc.gaussian_noise(12.36, 5e-6) == pytest.approx(0.432, abs=5e-4)


@given(st.floats(0.01, 20.0), st.floats(1e-9, 0.5), st.floats(0.01, 100.0), st.integers(1, 50))
@settings(max_examples=40, deadline=None)
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
