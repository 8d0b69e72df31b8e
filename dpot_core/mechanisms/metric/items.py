"""Items of users: what a release of one report for each item needs to know, and its checks."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_finite, check_number

#: Indices of points, (m,) or (n, m).
Items = NDArray[np.int64]


class ItemMechanism(Protocol):
    """A randomised report about one item, and the decoder of many reports."""

    @property
    def symbols(self) -> int:
        """How many different reports there are."""

    def matrix(self) -> Array:
        """Transition probabilities, (k, symbols)."""

    def decode(self, frequencies: ArrayLike) -> Array:
        """Unbiased estimate of the histogram from frequencies of reports, (..., symbols) to (..., k)."""

    def release(self, items: ArrayLike, rng: np.random.Generator) -> Items:
        """One report for each item, (m,) or (n, m), each row in random order."""

    def release_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Counts of reports about so many items of each kind, distributed like counting `release`."""


def check_items(items: ArrayLike, k: int) -> Items:
    """Return indices of items after checking that they are whole numbers in 0..k-1.

    Args:
        items: indices, (m,) of one user or (n, m) of n users; at least one.
        k: number of points.

    Raises:
        ValueError: if there is none, or one is not such an index.
    """
    array = np.asarray(items)
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"items must have shape (m,) or (n, m) with at least one item; got {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"items must be whole numbers, indices of points; got {array.dtype}")
    if array.min() < 0 or array.max() >= k:
        raise ValueError(f"items must lie in 0..{k - 1}; got {array.min()}..{array.max()}")
    return array.astype(np.int64, copy=False)


def check_counts(counts: ArrayLike, k: int) -> NDArray[np.int64]:
    """Return counts of items after checking that they are whole numbers, not negative, one for each point.

    Args:
        counts: how many items there are of each kind, (k,) or (n, k).
        k: number of points.

    Raises:
        ValueError: if the shape does not fit or an entry is negative or not whole.
    """
    array = check_finite(counts, "counts")
    if array.ndim not in (1, 2) or array.shape[-1] != k or array.size == 0:
        raise ValueError(f"counts must have shape ({k},) or (n, {k}); got {array.shape}")
    whole = array.astype(np.int64)
    if (whole != array).any():
        raise ValueError(f"counts must be whole numbers; got {float(array[whole != array][0]):g}")
    return whole


def toss(probability: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Coins that show heads with exactly a float64 probability, however small: ``U < probability``, digit by digit.

    ``rng.random() < probability`` draws U on a grid of 2^-53, on which nothing rarer than that happens at its own rate.
    Here further digits of U are drawn for as long as they decide.

    Args:
        probability: of heads, in [0, 1].
        shape: how many.
        rng: source of randomness.

    Raises:
        ValueError: if ``probability`` lies outside [0, 1].
    """
    rest = check_number(probability, "probability", 0.0, 1.0)
    heads = np.full(shape, rest >= 1.0)
    open_ = np.flatnonzero(~heads)
    while open_.size and rest > 0.0:
        # Multiplying by 2^53 and taking off the whole part are exact.
        digit = math.floor(rest * 2.0**53)
        rest = rest * 2.0**53 - digit
        drawn = rng.integers(2**53, size=open_.size)
        heads.flat[open_[drawn < digit]] = True
        open_ = open_[drawn == digit]
    return heads


def rare_counts(trials: NDArray[np.int64], probability: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """How often something happens in so many trials, binomial, also where ``1 - probability`` rounds to 1.

    NumPy's sampler takes the logarithm of that and never draws anything rarer than 1e-16. Below 1e-9 the first success
    is therefore found by whether there is one at all, ``1 - (1 - p)^n``, and by how long one waits for it.

    Args:
        trials: numbers of trials, any shape.
        probability: of each, in [0, 1].
        rng: source of randomness.

    Returns:
        Numbers of successes, the shape of ``trials``; in floating point, for demonstrations.
    """
    if probability >= 1e-9:
        return np.asarray(rng.binomial(trials, probability), dtype=np.int64)
    found = np.zeros(trials.shape, dtype=np.int64)
    if probability <= 0.0:
        return found
    slope = math.log1p(-probability)
    for at, left in enumerate(trials.ravel().tolist()):
        while left > 0 and (some := -math.expm1(left * slope)) > 0.0 and toss(some, (), rng):
            waited = math.floor(math.log1p(-some * rng.random()) / slope)
            found.flat[at] += 1
            left -= waited + 1
    return found


def counts_of(reports: ArrayLike, symbols: int) -> NDArray[np.int64]:
    """How often each report was made, by all users together, (symbols,).

    Args:
        reports: indices, any shape.
        symbols: number of possible reports.
    """
    return np.bincount(np.asarray(reports).ravel(), minlength=symbols)
