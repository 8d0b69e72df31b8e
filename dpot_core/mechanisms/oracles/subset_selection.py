"""Subset selection: some of the items, the person's own likelier among them than any other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import check_count
from dpot_core.mechanisms.metric.items import toss
from dpot_core.mechanisms.oracles.oracle import UP, FrequencyOracle, flat_items


@dataclass(frozen=True)
class SubsetSelection(FrequencyOracle):
    r"""Report d of k items: the person's own with ``p = d e^epsilon/(d e^epsilon + k - d)``, the rest evenly drawn.

    Another item is among them with probability ``q = (d - p)/(k - 1)``. With d = 1 this is k-RR. The bits of one set
    depend on each other: sums of reports are no binomials, and are counted.

    **Privacy.** A set with the item has probability ``p/C(k-1, d-1)``, one without it ``(1 - p)/C(k-1, d)``. The ratio
    of the two is ``p (k - d)/((1 - p) d) = e^epsilon``, and no other ratio occurs: epsilon-LDP. In float64 ``1 - p`` is
    rounded up.

    **The size** minimises the variance summed over the items. That is ``A/(p - q)^2 - (k - 1)/k``, ``A = d (k - d)/k``,
    which falls and rises with ``(d e^epsilon + k - d)^2/(d (k - d))``: least at ``d = k/(e^epsilon + 1)`` among real
    numbers, hence at one of the whole numbers beside it.

    Args:
        k: number of items, at least 2.
        epsilon: privacy parameter of one report, nats.
        size: how many items a report names d, 1 to k - 1; 0 for the optimal number.

    Source:
        Ye, Barg 2018, section III; Wang, Huang, Wang, et al. 2016.
    """

    size: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        size = check_count(self.size, "size", 0, self.k - 1) or _best_size(self.k, self.epsilon)
        object.__setattr__(self, "size", size)

    @property
    def lost(self) -> float:
        """``(k - d)/(d e^epsilon + k - d)``, rounded up."""
        others = (self.k - self.size) * math.exp(-self.epsilon)
        return others / (self.size + others) * UP

    @property
    def other(self) -> float:
        """``(d - p)/(k - 1)``."""
        return (self.size - 1 + self.lost) / (self.k - 1)

    def report(self, items: ArrayLike, rng: np.random.Generator) -> NDArray[np.bool_]:
        """One set for each item, as bits of which d are 1, (n, k)."""
        own = flat_items(items, self.k)
        rows, kept = np.arange(own.size), ~toss(self.lost, own.shape, rng)
        chosen = np.zeros((own.size, self.k), dtype=np.bool_)
        # The item itself is taken while others are drawn. Those that are new make an even set of any size, and no more
        # are drawn at once than are missing.
        chosen[rows, own] = True
        missing = self.size - kept
        while missing.any():
            drawn = np.repeat(rows, missing)
            chosen[drawn, rng.integers(self.k, size=drawn.size)] = True
            missing = self.size - kept - (chosen.sum(axis=1) - 1)
        chosen[rows, own] = kept
        return chosen


def _best_size(k: int, epsilon: float) -> int:
    rare = math.exp(-epsilon)
    near = k * rare / (1.0 + rare)
    sizes = sorted({min(max(whole, 1), k - 1) for whole in (math.floor(near), math.ceil(near))})
    return min(sizes, key=lambda d: (d + (k - d) * rare) ** 2 / (d * (k - d)))
