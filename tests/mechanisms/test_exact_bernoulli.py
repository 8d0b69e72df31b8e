"""Events with the probability of a float: bit by bit, down to the smallest."""

import numpy as np
import pytest

from dpot_core.mechanisms.exact_bernoulli import happens


class Digits:
    """A generator whose random digits are given, the same for all events."""

    def __init__(self, *digits: int) -> None:
        self.left = list(digits)

    def integers(self, low: int, high: int, shape) -> np.ndarray:
        assert (low, high) == (0, 2**53)
        return np.full(shape, self.left.pop(0))


def test_small_probabilities_are_neither_rounded_up_nor_lost() -> None:
    tiny = 3.0 * 2.0**-110
    # In base 2^53 the digits of 3 * 2^-110 are 0, 0, 3 * 2^49.
    assert happens(tiny, Digits(0, 0, 3 * 2**49 - 1))
    assert not happens(tiny, Digits(0, 0, 3 * 2**49))
    assert not happens(tiny, Digits(0, 1))
    assert not happens(tiny, Digits(1))


def test_of_several_probabilities_each_is_compared_with_its_own_digits() -> None:
    found = happens(np.array([0.0, 1.0, 0.5, 2.0**-53, 2.0**-60, -1.0, 2.0]), Digits(0, 1))
    assert found.tolist() == [False, True, True, True, True, False, True]
    assert happens(np.array([0.25, 0.75]), Digits(2**52)).tolist() == [False, True]


@pytest.mark.parametrize("probability", [1e-3, 0.3, 0.999])
def test_frequencies(probability: float) -> None:
    found = happens(np.full(200_000, probability), np.random.default_rng(0))
    assert found.mean() == pytest.approx(probability, abs=5 * (probability * (1 - probability) / 200_000) ** 0.5)
    assert happens(np.zeros((2, 3)), np.random.default_rng(0)).shape == (2, 3)
