"""The paper's rates against moments by simulation, exact transport, and draws from laws that cluster."""

import math

import numpy as np
import pytest

from dpot_core.mechanisms.central.approximation_rates import clustered_bound, smoothing_bound, thinning_bound
from dpot_core.transport.wasserstein import wasserstein


@pytest.mark.parametrize(("d", "p"), [(1, 1), (2, 2), (10, 1), (3, 4), (784, 2)])
def test_smoothing_is_the_moment_of_the_noise_and_below_the_papers_form(d: int, p: float) -> None:
    drawn = np.linalg.norm(np.random.default_rng(1).normal(0, 0.3, (4000, d)), axis=1)
    moment, printed = smoothing_bound(0.3, d, p)
    assert moment == pytest.approx((drawn**p).mean() ** (1 / p), rel=0.05)
    assert moment <= printed == pytest.approx(0.3 * (math.sqrt(d) + math.sqrt(2 * p)))


def test_smoothing_bounds_what_transport_finds() -> None:
    """On the line, 300 points and their noisy copies: sorted values give W_p."""
    rng = np.random.default_rng(2)
    points = rng.uniform(0, 1, 300)
    for p in (1, 2, 3):
        noisy = np.sort(points + rng.normal(0, 0.1, 300))
        assert (np.abs(np.sort(points) - noisy) ** p).mean() ** (1 / p) <= 1.1 * smoothing_bound(0.1, 1, p)[0]


@pytest.mark.parametrize("p", [1, 2, 3])
def test_thinning_is_attained_by_points_at_two_ends(p: int) -> None:
    points = np.array([0.0] * 3 + [2.0])
    cost = np.abs(points[:, None] - points) ** p
    whole, kept = np.full(4, 0.25), np.array([1 / 3, 1 / 3, 1 / 3, 0.0])
    # Exactly 1/4 of the mass crosses the diameter.
    assert wasserstein(whole, kept, cost, p) == pytest.approx(thinning_bound(4, 3, 2.0, p))
    assert thinning_bound(4, 4, 2.0, p) == 0.0
    with pytest.raises(ValueError, match="at most n = 4"):
        thinning_bound(4, 5, 2.0, p)


def test_clustered_draws_are_within_the_bound() -> None:
    """Three tight balls and a tenth of the mass elsewhere, on the line: 30 samples of 400 against 20,000 draws."""
    rng, n = np.random.default_rng(3), 400

    def draw(count: int) -> np.ndarray:
        near = rng.choice([0.0, 0.5, 1.0], count) + rng.uniform(-1e-4, 1e-4, count)
        return np.sort(np.where(rng.random(count) < 0.1, rng.uniform(0, 1, count), near).clip(0, 1))

    law = draw(20_000)
    for p in (1, 2):
        bound = clustered_bound(n, 3, 1e-4, 0.1, p, 0.01)
        far = max(float((np.abs(np.repeat(draw(n), 50) - law) ** p).mean()) for _ in range(30))
        assert 0.0 < far < bound


def test_the_clustered_bound_by_hand_and_where_it_says_nothing() -> None:
    # log(4/xi) = 2, n = 100: r = 0.1; c = 0.1: (1 - c - r) n = 80; p = 1: 12 sqrt(5/80) = 3, sqrt(2/160) = 0.1118034
    assert clustered_bound(100, 5, 0.01, 0.1, 1, 4 * math.exp(-2)) == pytest.approx(0.9 * 3.1118034 + 0.2)
    # n may be m (2 radius)^(-2p) = 5 * 2500 at most.
    assert math.isfinite(clustered_bound(12_500, 5, 0.01, 0.1, 1, 0.1))
    assert clustered_bound(12_501, 5, 0.01, 0.1, 1, 0.1) == math.inf
    assert clustered_bound(2, 5, 0.01, 0.1, 1, 0.1) == math.inf
    # At p = 2 its first constant is 84: below 1 only from 84^2 m draws on, which need a radius below 0.055.
    assert clustered_bound(84**2 * 5, 5, 0.055, 0.0, 2, 0.99) == math.inf
