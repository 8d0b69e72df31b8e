"""Bayesian remapping: by brute force over all maps of outputs; it never loses, and never costs privacy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.mechanisms.metric.remapping import bayesian_remap

SPACE = dpot.point_cloud(np.random.default_rng(3).normal(size=(4, 2)))


def loss_of(kernel: np.ndarray, prior: np.ndarray, distances: np.ndarray, p: float = 1.0) -> float:
    return float((prior[:, None] * kernel * distances**p).sum())


@pytest.mark.parametrize("p", [1.0, 2.0, 4.0])
@pytest.mark.parametrize("seed", range(4))
def test_no_map_of_the_outputs_is_better(seed: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    distances = SPACE.distances([[0.0, 0.0], [1.0, -1.0], [0.3, 0.8], [-2.0, 0.1], [0.5, 0.5]])
    kernel, prior = rng.dirichlet(np.ones(5), 4), rng.dirichlet(np.ones(4))
    losses = []
    for choice in itertools.product(range(5), repeat=5):
        after = np.zeros((4, 5))
        for output, reported in enumerate(choice):
            after[:, reported] += kernel[:, output]
        losses.append(loss_of(after, prior, distances, p))
    found = bayesian_remap(kernel, prior, distances, p)
    assert found.value == pytest.approx(min(losses), rel=1e-12)
    assert found.value == pytest.approx(loss_of(found.kernel, prior, distances, p), rel=1e-12)


@given(st.integers(0, 10_000), st.integers(2, 7), st.sampled_from([1.0, 1.5, 3.0]))
def test_remapping_never_loses_and_never_tells_more(seed: int, k: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    distances = dpot.point_cloud(rng.normal(size=(k, 2))).distances()
    kernel, prior = rng.dirichlet(np.full(k, 0.7), k), rng.dirichlet(np.full(k, 0.3))
    found = bayesian_remap(kernel, prior, distances, p)
    assert found.value <= loss_of(kernel, prior, distances, p) * (1 + 1e-12)
    np.testing.assert_allclose(found.kernel.sum(axis=1), 1.0, rtol=1e-12)
    assert dpot.certify(found.kernel) <= dpot.certify(kernel) * (1 + 1e-9) + 1e-12
    again = bayesian_remap(found.kernel, prior, distances, p)
    assert again.value == pytest.approx(found.value, rel=1e-9)


def test_a_kernel_that_tells_nothing_reports_the_best_place_for_all() -> None:
    distances, prior = dpot.grid(3, 3).distances(), np.array([0.6, *[0.05] * 8])
    found = bayesian_remap(np.full((9, 9), 1 / 9), prior, distances)
    assert (found.onto == 0).all() and (found.kernel[:, 0] == pytest.approx(1.0))
    assert found.value == pytest.approx(float(prior @ distances[:, 0]))


def test_of_equals_an_output_stays_where_it_is() -> None:
    np.testing.assert_array_equal(bayesian_remap(np.eye(3), [1.0, 0.0, 0.0], 1 - np.eye(3)).onto, [0, 1, 2])
    everywhere = bayesian_remap(np.full((4, 4), 0.25), np.full(4, 0.25), dpot.ring(4).distances())
    np.testing.assert_array_equal(everywhere.onto, range(4))


@pytest.mark.parametrize(
    ("kernel", "prior", "distances", "problem"),
    [
        (np.ones((2, 2)), [0.5, 0.5], np.ones((2, 2)), "kernel must sum to 1"),
        (np.eye(2), [0.5, 0.5], np.ones((2, 3)), "from inputs to outputs"),
        (np.eye(2), [1.0], np.ones((2, 2)), "length 2"),
        (np.eye(2), [[0.5, 0.5]], np.ones((2, 2)), "one distribution"),
        (np.eye(2), [0.5, 0.5], -np.ones((2, 2)), "negative"),
    ],
)
def test_bad_input_is_named(kernel: object, prior: object, distances: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        bayesian_remap(kernel, prior, distances)  # type: ignore[arg-type]
