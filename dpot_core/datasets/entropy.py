"""Samples drawn from the operating system's entropy, exactly uniform: for releases, whose sample must stay secret."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def subset(total: int, n: int) -> Integers:
    """n different whole numbers below ``total``, every set of n alike, from the operating system.

    Numbers are drawn by rejection from whole random words, and those that came before are left out.

    Args:
        total: at least 1, at most 2^62.
        n: at most total; quick up to half of it.

    Returns:
        (n,), in no order.

    Raises:
        ValueError: if the numbers do not fit.
    """
    if not 0 <= n <= total <= 2**62 or total < 1:
        raise ValueError(f"n must be at most total, and that at most 2^62; got {n} of {total}")
    mask = np.uint64(2 ** max((total - 1).bit_length(), 1) - 1)
    chosen = np.empty(0, dtype=np.int64)
    while chosen.size < n:
        words = np.frombuffer(os.urandom(8 * max(64, 2 * (n - chosen.size))), dtype=np.uint64) & mask
        drawn = np.concatenate([chosen, words[words < total].astype(np.int64)])
        _, first = np.unique(drawn, return_index=True)
        chosen = drawn[np.sort(first)[:n]]
    return chosen


def sample_counts(people: Integers, n: int) -> Integers:
    """How many of n people, drawn without replacement from counted ones, fall on each count; every set of n alike.

    Args:
        people: how many there are of each kind, (k,).
        n: how many are drawn, at most their sum.

    Returns:
        Counts, (k,), with sum n.

    Raises:
        ValueError: if there are fewer than n.
    """
    total = int(people.sum())
    fewer = min(n, total - n)
    # Those left out are drawn where they are fewer.
    numbers = subset(total, fewer)
    kinds = np.searchsorted(np.cumsum(people), numbers, side="right")
    counts = np.bincount(kinds, minlength=people.size).astype(np.int64)
    return counts if fewer == n else people - counts
