"""A likely histogram: exact without noise, never less likely, refuses what fits no kernel."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.likely import likely_histogram


def log_likelihood(h: np.ndarray, kernel: np.ndarray, counts: np.ndarray) -> float:
    return float(counts @ np.log(np.maximum(h @ kernel, 1e-300)))


def test_without_noise_it_is_the_frequencies():
    np.testing.assert_allclose(likely_histogram(np.eye(4), [1, 2, 3, 4]), [0.1, 0.2, 0.3, 0.4], atol=1e-12)


def test_the_likely_histogram_is_exact_when_frequencies_are():
    kernel = Gkrr(ClusteredSpace(3, 3, 0.5), 2.0).matrix()
    truth = np.random.default_rng(0).dirichlet(np.ones(9))
    np.testing.assert_allclose(likely_histogram(kernel, truth @ kernel, 300), truth, atol=1e-6)


def test_the_likelihood_never_falls_and_beats_plain_steps():
    space = dpot.grid(8, 8)
    kernel = dpot.metric.metric_exponential(space.distances() / space.diameter, 3.0)
    rng = np.random.default_rng(1)
    counts = rng.multinomial(20_000, rng.dirichlet(np.full(64, 0.1)) @ kernel)
    path = [likely_histogram(kernel, counts, steps) for steps in range(1, 30)]
    reached = np.array([log_likelihood(h, kernel, counts) for h in path])
    assert (np.diff(reached) >= -1e-9).all()
    plain = np.full(64, 1 / 64)
    for _ in range(60):
        plain = plain * (kernel @ (counts / counts.sum() / (plain @ kernel)))
    assert reached[-1] > log_likelihood(plain, kernel, counts)
    assert all(h.min() >= 0 and h.sum() == pytest.approx(1.0) for h in path)


def test_bad_input_is_refused():
    kernel = np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]])
    with pytest.raises(ValueError, match="makes for no item"):
        likely_histogram(kernel, [1, 1, 1])
    with pytest.raises(ValueError, match="counts must hold reports"):
        likely_histogram(kernel, [0, 0, 0])
    with pytest.raises(ValueError, match="counts must hold reports"):
        likely_histogram(kernel, [1, 1])
    with pytest.raises(ValueError, match="steps must lie in"):
        likely_histogram(kernel, [1, 1, 0], 0)
