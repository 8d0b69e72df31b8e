"""Coins and counts of rare events: the right probability where float64 has no digits left for its complement."""

import math

import numpy as np
import pytest
from scipy import stats

from dpot_core.mechanisms.metric.items import rare_counts, toss


class Digits:
    """A generator whose digits of 53 bits are given."""

    def __init__(self, *digits: int):
        self.digits = list(digits)

    def integers(self, high: int, size: int):
        assert high == 2**53
        return np.full(size, self.digits.pop(0))


@pytest.mark.parametrize(
    ("probability", "digits", "heads"),
    [
        (0.5, [2**52 - 1], True),
        (0.5, [2**52], False),  # U = 1/2 exactly so far, and nothing is left of the probability
        (2.0**-60, [0, 2**46 - 1], True),
        (2.0**-60, [0, 2**46], False),
        (2.0**-60, [1], False),
        (3 * 2.0**-106, [0, 2], True),
        (3 * 2.0**-106, [0, 3], False),
        (1.0, [], True),
        (0.0, [], False),
    ],
)
def test_a_coin_compares_digit_by_digit(probability: float, digits: list[int], heads: bool):
    assert toss(probability, (2,), Digits(*digits)).tolist() == [heads, heads]


def test_coins_are_as_frequent_as_they_should_be():
    rng = np.random.default_rng(0)
    for p in (0.3, 0.97, 1e-3):
        assert toss(p, (200, 500), rng).mean() == pytest.approx(p, abs=4.5 * math.sqrt(p * (1 - p) / 1e5))
    with pytest.raises(ValueError, match="probability must lie in"):
        toss(1.5, (1,), rng)


@pytest.mark.slow
@pytest.mark.parametrize("p", [1e-10, 1e-17, 1e-3])
def test_rare_counts_are_binomial(p: float):
    """At 1e-17 NumPy's sampler returns 0 forever."""
    n = round(2.0 / p)
    drawn = rare_counts(np.full(4000, n), p, np.random.default_rng(1))
    expected = 4000 * stats.poisson.pmf(np.arange(7), 2.0)
    seen = np.bincount(drawn, minlength=7)[:7]
    assert ((seen - expected) ** 2 / expected).sum() < 31.8  # 99.99% of chi2 with 7 degrees
    assert (rare_counts(np.array([0, 5]), p, np.random.default_rng(2)) <= [0, 5]).all()


def test_nothing_that_cannot_happen_happens():
    assert rare_counts(np.array([10**15]), 0.0, np.random.default_rng(0)).tolist() == [0]
