"""Optimal local hashing: a random map of the items to few values, and a randomised value."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.mechanisms.metric.items import toss
from dpot_core.mechanisms.oracles.oracle import UP, FrequencyOracle, Reports, flat_items

# Beyond so many values two items have one value as rarely as float64 can tell from never.
_MOST_VALUES = 2**52


@dataclass(frozen=True)
class OptimalLocalHashing(FrequencyOracle):
    r"""Report a random map H from the items to g values, and y: ``H(item)``, with probability 1 - p another value.

    Here ``p = e^epsilon/(e^epsilon + g - 1)`` and q = 1/g. H is one of all ``g^k`` maps, drawn evenly and without a
    look at the item; a report supports the items with ``H(v) = y``. A deployment sends the seed of a hash function in
    its place: privacy needs nothing of it, the estimate that it maps two items alike with probability 1/g.

    **Privacy.** Given H, which no item decides, y is ``H(item)`` with probability p, and any other value with
    ``(1 - p)/(g - 1)``. The ratio for two items is 1 or ``e^epsilon``: epsilon-LDP. In float64 ``1 - p`` is rounded up.

    **The number of values** minimises ``q(1 - q)/(p - q)^2 = (e^epsilon + m)^2/((e^epsilon - 1)^2 m)``, m = g - 1. Of
    two neighbours m + 1 is better where ``m (m + 1) < e^(2 epsilon)``: m is the smallest integer where it is not.

    Source:
        Wang, Blocki, Li, Jha 2017, section 4 (OLH), where g = e^epsilon + 1 is rounded.
    """

    @property
    def values(self) -> int:
        """The optimal number of values g, at least 2 and at most 2^52."""
        if self.epsilon > math.log(_MOST_VALUES):
            return _MOST_VALUES
        others, square = max(1, math.ceil(math.exp(self.epsilon)) - 1), math.exp(2.0 * self.epsilon)
        while others * (others + 1) < square:
            others += 1
        return min(others + 1, _MOST_VALUES)

    @property
    def lost(self) -> float:
        """``(g - 1)/(e^epsilon + g - 1)``, rounded up."""
        others = (self.values - 1) * math.exp(-self.epsilon)
        return others / (1.0 + others) * UP

    @property
    def other(self) -> float:
        """``1/g``."""
        return 1.0 / self.values

    def report(self, items: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """For each item the values of the map, and y, (n, k + 1)."""
        own, g = flat_items(items, self.k), self.values
        maps = rng.integers(g, size=(own.size, self.k))
        told = maps[np.arange(own.size), own]
        told = np.where(toss(self.lost, own.shape, rng), (told + rng.integers(1, g, size=own.shape)) % g, told)
        return np.column_stack([maps, told])

    def support(self, reports: Reports) -> NDArray[np.bool_]:
        """The items that the map sends to the value reported, (n, k)."""
        return np.asarray(reports[:, :-1] == reports[:, -1:])

    def support_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Two binomials for each item.

        The values of a map drawn from all maps are independent. So, given y, are the coins ``H(v) = y`` of the other
        items, each with 1/g, and whether ``H(item) = y`` depends on none of them.
        """
        return self._binomial_counts(counts, rng)
