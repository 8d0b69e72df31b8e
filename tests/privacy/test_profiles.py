"""The privacy profile of a release: against exact sums over noise, the closed form of Gaussians, and its promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.mechanisms.central.paper_barycenter import paper_barycenter
from dpot_core.mechanisms.central.perturbed_barycenter import perturbed_barycenter
from dpot_core.privacy.profiles import Profile

EPSILONS = np.array([0.0, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0])
BOX = ((0.0, 0.0), (1.0, 1.0))


def by_sums(epsilon: float, scale: float, shift: int) -> float:
    """Hockey-stick divergence of discrete Laplace noise from itself shifted, by summing over whole numbers."""
    z = np.arange(-400, 401)
    chances = np.exp(-np.abs(z) / scale)
    total = chances.sum()
    other = np.exp(-np.abs(z - shift) / scale)
    return float(np.maximum(chances - math.exp(epsilon) * other, 0.0).sum() / total)


@pytest.mark.parametrize("scale", [0.7, 2.0, 5.0])
def test_one_noisy_difference_is_what_sums_over_its_noise_say(scale: float) -> None:
    known = Profile(None, ((0.0, scale),), "replace", None, None).delta(EPSILONS)
    exact = np.array([by_sums(epsilon, scale, 2) for epsilon in EPSILONS])
    assert (known >= exact - 1e-15).all(), "never less than what an attacker can reach"
    assert known == pytest.approx(exact, abs=2e-3)


@pytest.mark.slow
def test_two_levels_are_what_the_worst_of_their_products_says() -> None:
    scales = (2.0, 3.0)
    known = Profile(None, ((0.0, *scales),), "replace", None, None).delta(EPSILONS)
    z = np.arange(-90, 91)  # beyond are 1e-13 of the noise

    def pair(scale: float, shift: int) -> tuple[np.ndarray, np.ndarray]:
        one, other = np.exp(-np.abs(z) / scale), np.exp(-np.abs(z - shift) / scale)
        return one / one.sum(), other / other.sum()

    def exact(epsilon: float, *shifts: tuple[float, int]) -> float:
        one, other = np.ones(1), np.ones(1)
        for scale, shift in shifts:
            p, q = pair(scale, shift)
            one, other = np.multiply.outer(one, p), np.multiply.outer(other, q)
        return float(np.maximum(one - math.exp(epsilon) * other, 0.0).sum())

    # Points part at the last level, or at the first and differ by one in two places below.
    for epsilon, value in zip(EPSILONS, known, strict=True):
        cases = exact(epsilon, (3.0, 2)), exact(epsilon, (2.0, 2), (3.0, 1), (3.0, 1))
        assert max(cases) - 1e-12 <= value <= max(cases) + 5e-3


def test_without_a_tree_it_is_the_closed_form_of_gaussian_noise() -> None:
    mu = 0.9
    t = EPSILONS / mu - mu / 2
    exact = norm.cdf(-t) - np.exp(EPSILONS) * norm.cdf(-t - mu)
    assert Profile(mu, (), "replace", None, None).delta(EPSILONS) == pytest.approx(exact, rel=1e-6)
    with pytest.raises(ValueError, match="mu"):
        Profile(None, (), "replace", None, None).delta(EPSILONS)


def test_a_sample_turns_the_profile_as_its_theorem_says() -> None:
    whole, rate = Profile(0.9, (), "replace", None, None), 0.01
    sampled = Profile(0.9, (), "replace", None, rate)
    inner = np.log(1 + (np.exp(EPSILONS) - 1) / rate)
    assert sampled.delta(EPSILONS) == pytest.approx(rate * whole.delta(inner), rel=1e-9)


@pytest.mark.parametrize("population", [None, 50_000])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_profiles_keep_what_is_promised_and_fall(epsilon: float, population: int | None) -> None:
    points = np.random.default_rng(0).random((500, 2))
    more = {"region": BOX, "rng": np.random.default_rng(1), "population": population}
    at = np.linspace(0.0, 2 * epsilon, 41)
    pure = coreset_barycenter([points], 3, epsilon, **more).profile
    noisy = perturbed_barycenter([points], 3, epsilon, 1e-6, **more).profile
    assert noisy is not None
    assert pure.delta([epsilon])[0] == 0.0 and pure.delta([0.5 * epsilon])[0] > 0.0
    # Nothing is given away: what is promised is what the noise was calibrated to.
    assert 0.99e-6 <= noisy.delta([epsilon])[0] <= 1e-6
    for one in (pure, noisy):
        values = one.delta(at)
        assert (np.diff(values) <= 1e-15).all() and (values >= 0).all() and (values <= 1).all()
    public = perturbed_barycenter([points], 3, epsilon, 1e-6, start="uniform", **more).profile
    assert public is not None and not public.trees and public.delta([epsilon])[0] <= 1e-6
    if population is not None:
        assert paper_barycenter([points], 3, epsilon, 1e-6, **more).profile is None
