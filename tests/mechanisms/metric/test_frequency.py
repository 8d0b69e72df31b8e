"""Frequency estimation: unbiased, projected, private Laplace noise."""

import math

import numpy as np
import pytest

from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.frequency import (
    estimate_frequencies,
    k_rr,
    laplace_histogram,
    laplace_scale,
    metric_laplace_scale,
)
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.hadamard import HadamardResponse

SPACE = ClusteredSpace(3, 4, 0.2)
MECHANISMS = {"gkrr": Gkrr(SPACE, 2.0), "hadamard": HadamardResponse(12, 1.0), "krr": k_rr(12, 2.0)}


@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_every_mechanism_finds_the_histogram_of_many_items(name: str):
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 10**9, 12)
    truth = counts / counts.sum()
    mechanism = MECHANISMS[name]
    estimate = estimate_frequencies(mechanism, mechanism.release_counts(counts, rng), SPACE)
    assert estimate.items == counts.sum()
    assert estimate.histogram.sum() == pytest.approx(1.0)
    assert estimate.error(truth, SPACE) < 1e-3
    np.testing.assert_allclose(estimate.raw, truth, atol=1e-3)


@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_few_reports_still_give_a_distribution(name: str):
    mechanism = MECHANISMS[name]
    reports = mechanism.release_counts(np.eye(12, dtype=int)[3], np.random.default_rng(2))
    estimate = estimate_frequencies(mechanism, reports, SPACE)
    assert estimate.histogram.min() >= 0.0
    assert estimate.histogram.sum() == pytest.approx(1.0)
    assert estimate.raw.min() < 0.0 or name == "krr"


def test_laplace_noise_bounds_the_ratio_of_densities_for_the_worst_neighbour():
    """Replace a history that is all at one point by one at another point: epsilon is spent exactly."""
    users, epsilon = 10, 0.8
    scale = laplace_scale(users, epsilon)
    before, after = np.zeros(12), np.zeros(12)
    before[0], after[5] = 1 / users, 1 / users
    loss = np.abs(before - after).sum() / scale  # largest log-ratio of two Laplace densities
    assert loss == pytest.approx(epsilon)
    assert loss > 0.5 * epsilon * 1.99  # the printed scale 1/(n epsilon) would have spent twice as much


def test_metric_laplace_spends_alpha_times_the_distance():
    users, alpha = 10, 3.0
    scale = metric_laplace_scale(users, alpha, SPACE)
    rng = np.random.default_rng(3)
    first, second = rng.dirichlet(np.full(12, 0.3), (2, 500))
    loss = np.abs(first - second).sum(axis=1) / users / scale
    assert (loss <= alpha * SPACE.earth_movers(first, second) * (1 + 1e-12)).all()
    corner = np.eye(12)
    assert 2 / users / scale == pytest.approx(alpha * SPACE.earth_movers(corner[0], corner[1]))
    assert metric_laplace_scale(users, alpha, ClusteredSpace(4, 1, 0.2)) == pytest.approx(2 / (users * alpha))
    # At alpha = epsilon/r it is the user-level scale: for a histogram in the central model nothing is gained.
    assert metric_laplace_scale(users, 0.5 / SPACE.r, SPACE) == pytest.approx(laplace_scale(users, 0.5))


@pytest.mark.slow
def test_laplace_histograms_have_that_noise():
    rng = np.random.default_rng(4)
    truth = np.full(12, 1 / 12)
    raw = np.array([laplace_histogram(truth, 0.3, SPACE, rng).raw for _ in range(3000)])
    np.testing.assert_allclose(np.abs(raw - truth).mean(), 0.3, rtol=0.02)
    estimate = laplace_histogram(truth, 1e-9, SPACE, rng)
    assert estimate.error(truth, SPACE) < 1e-7


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least one report"):
        estimate_frequencies(MECHANISMS["gkrr"], np.zeros(12), SPACE)
    with pytest.raises(ValueError, match=r"counts must have shape \(16,\); got \(12,\)"):
        estimate_frequencies(MECHANISMS["hadamard"], np.ones(12), SPACE)
    with pytest.raises(ValueError, match="users must lie in"):
        laplace_scale(0, 1.0)
    with pytest.raises(ValueError, match="alpha must lie in"):
        metric_laplace_scale(10, 0.0, SPACE)
    with pytest.raises(ValueError, match="histogram must sum to 1"):
        laplace_histogram(np.ones(12), 1.0, SPACE, np.random.default_rng(0))
    with pytest.raises(ValueError, match="k must lie in"):
        k_rr(1, 1.0)
    assert math.isfinite(laplace_scale(1, 1e-9))
