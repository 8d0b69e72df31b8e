"""The clustered space: a metric, its distance in closed form, and the projection level by level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.randomized_response import project_simplex

spaces = st.builds(ClusteredSpace, st.integers(2, 6), st.integers(1, 6), st.floats(0.01, 1.0))
seeds = st.integers(0, 2**32 - 1)


def test_distances_are_r_inside_a_cluster_and_one_across():
    distances = ClusteredSpace(2, 2, 0.25).space.distances()
    expected = [[0, 0.25, 1, 1], [0.25, 0, 1, 1], [1, 1, 0, 0.25], [1, 1, 0.25, 0]]
    np.testing.assert_array_equal(distances, expected)


@given(spaces, seeds)
def test_the_closed_form_is_the_earth_movers_distance(space: ClusteredSpace, seed: int):
    rng = np.random.default_rng(seed)
    mu, nu = rng.dirichlet(np.full(len(space), 0.4), 2)
    exact = dpot.wasserstein(mu, nu, space.space.distances(), 1)
    assert space.earth_movers(mu, nu) == pytest.approx(exact, abs=1e-9)


def test_known_distances():
    space = ClusteredSpace(2, 3, 0.1)
    corner = np.eye(6)
    assert space.earth_movers(corner[0], corner[1]) == pytest.approx(0.1)
    assert space.earth_movers(corner[0], corner[5]) == pytest.approx(1.0)
    assert space.earth_movers(corner[0], np.full(6, 1 / 6)) == pytest.approx((0.1 * 2 + 3) / 6)
    np.testing.assert_allclose(space.earth_movers(corner[:3], corner[3:]), 1.0)


@given(spaces, seeds, st.floats(1e-3, 10.0))
def test_the_projection_is_a_distribution_within_the_bound_of_its_docstring(
    space: ClusteredSpace, seed: int, noise: float
):
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.full(len(space), 0.3))
    error = rng.normal(0.0, noise, len(space))
    projected = space.project(truth + error)
    assert projected.min() >= 0.0
    assert projected.sum() == pytest.approx(1.0, abs=1e-12)
    bound = space.r * np.abs(error).sum() + np.abs(space.cluster_sums(error)).sum()
    assert space.earth_movers(projected, truth) <= bound * (1 + 1e-12) + 1e-12


def test_the_projection_leaves_distributions_alone_and_takes_batches():
    space = ClusteredSpace(3, 4, 0.5)
    rows = np.random.default_rng(0).dirichlet(np.ones(12), (2, 5))
    np.testing.assert_allclose(space.project(rows), rows, atol=1e-15)
    assert space.project(rows).shape == (2, 5, 12)


def test_with_one_cluster_the_projection_is_the_euclidean_one():
    space = ClusteredSpace(1, 8, 0.5)
    values = np.random.default_rng(1).normal(0.1, 0.3, (20, 8))
    np.testing.assert_allclose(space.project(values), project_simplex(values), atol=1e-12)


def test_noise_inside_clusters_does_not_leak_into_their_masses():
    space = ClusteredSpace(2, 50, 0.01)
    truth = np.r_[np.full(50, 0.9 / 50), np.full(50, 0.1 / 50)]
    error = np.random.default_rng(2).normal(0.0, 0.2, (2, 50))
    error[1] = 0.0
    error -= error.mean(axis=1, keepdims=True)
    estimate = truth + error.ravel()
    at_once = space.cluster_sums(project_simplex(estimate)[0])
    assert abs(at_once[0] - 0.9) > 0.04
    np.testing.assert_allclose(space.cluster_sums(space.project(estimate)), [0.9, 0.1], atol=1e-12)


def test_extreme_estimates_are_projected():
    space = ClusteredSpace(2, 2, 0.5)
    for values in ([1e300, 0, -1e300, 0], [1.0, 0.0, 1.0 - 1e-17, -1.0], [0, 0, 0, 0], [-5, -5, -5, -5]):
        projected = space.project(values)
        assert projected.min() >= 0.0
        assert projected.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("clusters", "size", "r", "words"),
    [
        (0, 3, 0.5, "clusters must lie in"),
        (2, 2.5, 0.5, "size must be a whole number"),
        (1, 1, 0.5, "at least 2"),
        (2, 2, 0.0, r"r must lie in \(0, 1\]"),
        (2, 2, -0.1, r"r must lie in \[0, 1\]; got -0.1"),
        (2, 2, 1.2, r"r must lie in \[0, 1\]; got 1.2"),
        (2, 2, float("nan"), "r must lie in"),
    ],
)
def test_bad_spaces_are_refused(clusters: int, size: int, r: float, words: str):
    with pytest.raises(ValueError, match=words):
        ClusteredSpace(clusters, size, r)


def test_bad_vectors_are_refused():
    space = ClusteredSpace(2, 2, 0.5)
    with pytest.raises(ValueError, match="mu must have 4 entries"):
        space.earth_movers(np.ones(3) / 3, np.ones(4) / 4)
    with pytest.raises(ValueError, match="estimate must be finite"):
        space.project([np.nan, 0, 0, 1])
    with pytest.raises(ValueError, match="at most 4096 points; got 5000"):
        _ = ClusteredSpace(100, 50, 0.5).space
