"""Hadamard response: epsilon exactly, unbiased, for any k; the fast transform against the matrix."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy.linalg import hadamard

from dpot_core.mechanisms.metric.hadamard import HadamardResponse, walsh_hadamard
from dpot_core.mechanisms.metric.items import counts_of


@pytest.mark.parametrize("size", [1, 2, 8, 64])
def test_the_fast_transform_is_the_matrix(size: int):
    values = np.random.default_rng(size).normal(size=(3, size))
    np.testing.assert_allclose(walsh_hadamard(values), values @ hadamard(size), atol=1e-12)
    np.testing.assert_allclose(walsh_hadamard(walsh_hadamard(values)), size * values, atol=1e-11)


@pytest.mark.parametrize("size", [0, 3, 12])
def test_other_lengths_are_refused(size: int):
    with pytest.raises(ValueError, match=f"power of two as its length; got {size}"):
        walsh_hadamard(np.zeros(size))


@pytest.mark.parametrize("k", [2, 3, 7, 8, 20])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_privacy_is_epsilon_exactly_and_the_decoder_is_exact(k: int, epsilon: float):
    mechanism = HadamardResponse(k, epsilon)
    matrix = mechanism.matrix()
    assert matrix.shape == (k, mechanism.symbols)
    assert k < mechanism.symbols <= 2 * k  # a power of two above k, whatever k
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=1e-13)
    ratio = np.log(matrix[:, None, :] / matrix[None, :, :]).max()
    assert ratio == pytest.approx(epsilon, rel=1e-10)
    np.testing.assert_allclose(mechanism.decode(matrix), np.eye(k), atol=1e-13 / mechanism.advantage)


@pytest.mark.parametrize("k", [5, 8])
def test_both_samplers_draw_from_the_matrix(k: int):
    mechanism, rng = HadamardResponse(k, 1.3), np.random.default_rng(k)
    for item in range(k):
        drawn = counts_of(mechanism.release(np.full(40_000, item), rng), mechanism.symbols)
        expected = 40_000 * mechanism.matrix()[item]
        assert ((drawn - expected) ** 2 / expected).sum() < 45.0  # 99.99% of chi2 with 15 degrees: 44.3
    counts = rng.integers(1000, 9000, k)
    drawn = mechanism.release_counts(counts, rng)
    expected = counts @ mechanism.matrix()
    assert drawn.sum() == counts.sum()
    assert ((drawn - expected) ** 2 / expected).sum() < 45.0


def test_counts_of_several_users_keep_their_totals():
    mechanism, rng = HadamardResponse(6, 0.7), np.random.default_rng(1)
    counts = rng.integers(0, 9, (50, 6))
    drawn = mechanism.release_counts(counts, rng)
    assert drawn.shape == (50, 8)
    np.testing.assert_array_equal(drawn.sum(axis=1), counts.sum(axis=1))


def test_the_spread_is_the_variance_of_one_report():
    mechanism = HadamardResponse(6, 1.0)
    matrix = mechanism.matrix()
    decoded = mechanism.decode(np.eye(mechanism.symbols))
    for item in range(6):
        variance = matrix[item] @ (decoded**2).sum(axis=1) - 1.0
        assert variance == pytest.approx(mechanism.spread(), rel=1e-12)


@pytest.mark.parametrize("epsilon", np.linspace(0.5, 19.0, 38).tolist())
def test_no_entry_exceeds_e_to_the_epsilon_not_even_by_rounding(epsilon: float):
    """Exact decimal arithmetic on the entries as they are: 16 of these 38 were above by an ulp."""
    matrix = HadamardResponse(5, epsilon).matrix()
    assert Decimal(matrix.max()) <= Decimal(epsilon).exp() * Decimal(matrix.min())
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=1e-15)


@pytest.mark.parametrize("epsilon", [40.0, 700.0])
def test_at_any_epsilon_every_report_can_come_from_every_item(epsilon: float):
    """`rng.random() < advantage` with an advantage that rounds to 1 never gives a report of the wrong half."""

    class Extreme:
        def random(self, size):
            return np.full(size, 1.0 - 2.0**-53)

        def integers(self, high, size):
            return np.full(size, 1 if high == 8 else 0)

        def permuted(self, array, axis):
            return array

    assert HadamardResponse(4, epsilon).release([0], Extreme()).tolist() == [1]  # row 1 has -1 in column 1


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="k must lie in"):
        HadamardResponse(1, 1.0)
    with pytest.raises(ValueError, match="epsilon must lie in"):
        HadamardResponse(4, 0.0)
    with pytest.raises(ValueError, match="frequencies must have 8 entries"):
        HadamardResponse(4, 1.0).decode(np.zeros(4))
    assert math.isclose(HadamardResponse(4, 700.0).matrix().sum(), 4.0)
