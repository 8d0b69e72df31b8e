"""Optimised unary encoding: a bit for each item, each flipped by a coin of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.mechanisms.metric.items import toss
from dpot_core.mechanisms.oracles.oracle import UP, FrequencyOracle, flat_items


@dataclass(frozen=True)
class OptimisedUnaryEncoding(FrequencyOracle):
    r"""Report k independent bits: the item's is 1 with probability p = 1/2, any other ``q = 1/(e^epsilon + 1)``.

    **Privacy.** Two items change the law of two bits only. The ratio of the probabilities of one report is at most
    ``(p/q) (1 - q)/(1 - p) = (1 - q)/q = e^epsilon``, reached where the one bit is 1 and the other 0: epsilon-LDP. In
    float64 q is rounded up, so that ``(1 - q)/q`` stays below. Of all p and q with this ratio, p = 1/2 has the least
    variance of a rare item's estimate, ``q(1 - q)/(p - q)^2 = 4 e^epsilon/(e^epsilon - 1)^2``.

    Source:
        Wang, Blocki, Li, Jha 2017, section 4 (OUE).
    """

    @property
    def lost(self) -> float:
        """``1/2``."""
        return 0.5

    @property
    def other(self) -> float:
        """``1/(e^epsilon + 1)``, rounded up."""
        return math.exp(-self.epsilon) / (1.0 + math.exp(-self.epsilon)) * UP

    def report(self, items: ArrayLike, rng: np.random.Generator) -> NDArray[np.bool_]:
        """One row of bits for each item, (n, k)."""
        own = flat_items(items, self.k)
        bits = toss(self.other, (own.size, self.k), rng)
        bits[np.arange(own.size), own] = toss(0.5, own.shape, rng)
        return bits

    def support_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Two binomials for each item: all bits of all reports are independent coins."""
        return self._binomial_counts(counts, rng)
