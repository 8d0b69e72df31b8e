"""Makers of inputs: what they sum to, what they are, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests.strategies import distributions


@given(st.integers(1, 20).flatmap(distributions), st.sampled_from([1e-300, 1e-3, 1.0, 12.0, 1e300]))
def test_normalise_sums_to_one_and_keeps_ratios(weights, scale):
    result = dpot.normalise(weights * scale)
    assert math.fsum(result) == pytest.approx(1, abs=1e-14)
    large = weights > 1e-5
    np.testing.assert_allclose(result[large], weights[large], rtol=1e-12)


def test_normalise_works_row_by_row():
    np.testing.assert_allclose(dpot.normalise([[1, 3], [2, 0]]), [[0.25, 0.75], [1, 0]])


@pytest.mark.parametrize(
    "bad", [[0.0, 0.0], [1.0, -1.0], [np.nan, 1.0], [np.inf, 1.0], [], [[1.0, 1.0], [0.0, 0.0]], "ab", [[[1.0]]]]
)
def test_normalise_refuses(bad):
    with pytest.raises(ValueError, match="weights"):
        dpot.normalise(bad)


def test_dirichlet_repeats_with_its_seed_and_has_the_right_mean():
    one = dpot.dirichlet(5, 0.1, np.random.default_rng(3))
    assert one.shape == (5,)
    assert (one == dpot.dirichlet(5, 0.1, np.random.default_rng(3))).all()
    many = dpot.dirichlet(4, 0.5, np.random.default_rng(1), size=20_000)
    assert many.shape == (20_000, 4)
    np.testing.assert_allclose(many.sum(axis=1), 1, atol=1e-12)
    # Standard deviation of the mean: sqrt(0.25 * 0.75 / (3 * 20000)) = 0.0018; six of them.
    np.testing.assert_allclose(many.mean(axis=0), 0.25, atol=0.011)


def test_dirichlet_with_tiny_concentration_has_no_nan():
    draws = dpot.dirichlet(30, 1e-3, np.random.default_rng(0), size=500)
    assert np.isfinite(draws).all()
    np.testing.assert_allclose(draws.sum(axis=1), 1, atol=1e-12)


def test_dirac_is_one_point():
    assert dpot.dirac(4, 2).tolist() == [0, 0, 1, 0]
    for index in (-1, 4, 1.5):
        with pytest.raises(ValueError, match="index"):
            dpot.dirac(4, index)


@pytest.mark.parametrize("k", [1, 2, 3, 30, 200])
def test_two_bumps_is_a_distribution(k):
    bumps = dpot.two_bumps(k)
    assert bumps.shape == (k,)
    assert (bumps >= 0).all()
    assert math.fsum(bumps) == pytest.approx(1, abs=1e-14)


def test_two_bumps_has_two_peaks():
    bumps = dpot.two_bumps(60)
    peaks = (bumps > np.roll(bumps, 1)) & (bumps >= np.roll(bumps, -1))
    assert peaks.sum() == 2


def test_mixture_is_the_weighted_sum():
    parts = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]
    np.testing.assert_allclose(dpot.mixture([0.25, 0.75], parts), [0.25, 0.375, 0.375])
    with pytest.raises(ValueError, match="weights"):
        dpot.mixture([1.0], parts)
    with pytest.raises(ValueError, match="normalise"):
        dpot.mixture([0.5, 0.6], parts)


def test_empirical_counts_visits():
    np.testing.assert_allclose(dpot.empirical([0, 2, 2, 2], 4), [0.25, 0, 0.75, 0])
    np.testing.assert_allclose(dpot.empirical([0, 2], 3, weights=[1, 3]), [0.25, 0, 0.75])


@pytest.mark.parametrize(
    ("indices", "weights"),
    [([], None), ([3], None), ([-1], None), ([0.5], None), ([0, 1], [1.0]), ([0, 1], [0.0, 0.0]), ([0], [np.nan])],
)
def test_empirical_refuses(indices, weights):
    with pytest.raises(ValueError, match=r"indices|weights"):
        dpot.empirical(indices, 3, weights=weights)
