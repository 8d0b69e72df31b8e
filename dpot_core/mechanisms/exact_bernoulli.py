"""Events that happen with exactly the probability that a float says, however small it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import as_floats

_BITS = 53


def happens(probability: ArrayLike, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Independent events: True with the given probabilities, bit by bit.

    ``rng.random() < p`` rounds p up to a multiple of 2^-53. Here the digits of p in base 2^53 are compared with random
    ones until they differ, so that 1e-300 is 1e-300: what a neighbour's input can give, with e^-epsilon of the
    probability, this one can give too.

    Args:
        probability: any shape; below 0 counts as 0, above 1 as 1.
        rng: source of randomness.
    """
    rest = np.clip(as_floats(probability, "probability"), 0.0, 1.0)
    scale = 2.0**_BITS
    # Times a power of two, and minus the whole part: both are exact.
    rest = rest * scale
    digit = np.floor(rest)
    drawn = rng.integers(0, 2**_BITS, rest.shape).astype(np.float64)
    found = np.asarray(drawn < digit)
    tied = np.asarray(drawn == digit) & (rest > digit)
    while tied.any():
        rest = (rest - digit) * scale
        digit = np.floor(rest)
        drawn = rng.integers(0, 2**_BITS, rest.shape).astype(np.float64)
        found |= tied & (drawn < digit)
        tied &= (drawn == digit) & (rest > digit)
    return found
