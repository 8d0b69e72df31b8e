"""Common parts of frequency oracles: the unbiased estimate from the reports that support an item, its variance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_count, check_distributions, check_epsilon, check_finite
from dpot_core.mechanisms.metric.items import Items, check_counts, check_items, rare_counts
from dpot_core.mechanisms.randomized_response import project_simplex

#: Rounding must not make a ratio exceed e^epsilon: what is rare is made likelier by more than that.
UP = 1.0 + 2.0**-50
# Entries of the reports that are made at once.
_ENTRIES = 2**22

#: Reports of n people, a row each.
Reports = NDArray[np.int64] | NDArray[np.bool_]


@dataclass(frozen=True)
class FrequencyOracle(ABC):
    r"""A person's report on one of k items: it supports the person's own with probability p, any other one with q.

    From the numbers of reports that support each item, ``C_v`` of n, comes the unbiased estimate
    ``(C_v/n - q)/(p - q)`` of how often v occurs: among n people ``C_v`` has the mean ``n (f_v p + (1 - f_v) q)``.

    Args:
        k: number of items, at least 2.
        epsilon: privacy parameter of one report, nats.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Wang, Blocki, Li, Jha 2017, section 3 ("pure" protocols), equation 1.
    """

    k: int
    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_count(self.k, "k", 2))
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))

    @property
    @abstractmethod
    def lost(self) -> float:
        """``1 - p``: probability that a report does not support the person's own item."""

    @property
    @abstractmethod
    def other(self) -> float:
        """``q``: probability that a report supports one given other item."""

    @abstractmethod
    def report(self, items: ArrayLike, rng: np.random.Generator) -> Reports:
        """One report for each item, independent of each other.

        Args:
            items: indices, (n,).
            rng: source of randomness: this is a demonstration.

        Returns:
            Reports, (n, width).

        Raises:
            ValueError: if an index is out of range.
        """

    def support(self, reports: Reports) -> NDArray[np.bool_]:
        """Which items each report supports, (n, k)."""
        return np.asarray(reports, dtype=np.bool_)

    def support_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """How many reports support each item, about so many items of each kind: distributed like counting `support`.

        Args:
            counts: how many items there are of each kind, (k,), whole numbers.
            rng: source of randomness.

        Returns:
            Numbers of reports, (k,).

        Raises:
            ValueError: if a count is negative or not whole.
        """
        given = check_counts(counts, self.k)
        items, some = np.repeat(np.arange(self.k), given), max(_ENTRIES // self.k, 1)
        found = np.zeros(self.k, dtype=np.int64)
        for start in range(0, items.size, some):
            found += self.support(self.report(items[start : start + some], rng)).sum(axis=0)
        return found

    def estimate(self, supports: ArrayLike, reports: int) -> Array:
        """Unbiased estimates of the frequencies: ``(C_v/n - q)/(p - q)``; they may be negative, and sum to any number.

        Args:
            supports: how many reports support each item C, (..., k).
            reports: how many reports there are in all n.

        Raises:
            ValueError: if the shape does not fit, or there is no report.
        """
        found = check_finite(supports, "supports")
        if found.ndim == 0 or found.shape[-1] != self.k:
            raise ValueError(f"supports must have {self.k} entries; got shape {found.shape}")
        return np.asarray((found / check_count(reports, "reports") - self.other) / self._gap)

    def distribution(self, supports: ArrayLike, reports: int) -> Array:
        """The distribution that is nearest to `estimate`, (..., k): post-processing, which makes it slightly biased."""
        raw = self.estimate(supports, reports)
        return project_simplex(raw.reshape(-1, self.k)).reshape(raw.shape)

    def variance(self, frequencies: ArrayLike, reports: int) -> Array:
        r"""Exact variance of each estimate: ``(f_v p(1-p) + (1 - f_v) q(1-q)) / (n (p-q)^2)``, (k,).

        The items are fixed. Where they are drawn from f themselves, ``f_v (1 - f_v)/n`` is added.

        Args:
            frequencies: of the items f, (k,).
            reports: how many reports there are n.

        Raises:
            ValueError: if the frequencies are no distribution on k items.

        Source:
            Wang, Blocki, Li, Jha 2017, Theorem 2.
        """
        ((share,), _), (own, another) = check_distributions(frequencies, "frequencies", self.k), self._coins
        return np.asarray((share * own + (1.0 - share) * another) / check_count(reports, "reports"))

    def spread(self) -> float:
        """Variance of the estimates from one report, summed over the items: the same whatever the item is."""
        own, another = self._coins
        return own + (self.k - 1) * another

    @property
    def _gap(self) -> float:
        """``p - q``, of the probabilities as they are drawn."""
        return (1.0 - self.other) - self.lost

    @property
    def _coins(self) -> tuple[float, float]:
        """``p(1-p)/(p-q)^2`` and ``q(1-q)/(p-q)^2``."""
        own, another = ((1.0 - rare) * rare / self._gap**2 for rare in (self.lost, self.other))
        return own, another

    def _binomial_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """The sum of independent coins: ``Bin(c_v, p) + Bin(n - c_v, q)``, independent over the items."""
        given = check_counts(counts, self.k)
        return given - rare_counts(given, self.lost, rng) + rare_counts(given.sum() - given, self.other, rng)


def flat_items(items: ArrayLike, k: int) -> Items:
    """Return indices (n,) after checking them.

    Raises:
        ValueError: if they are no whole numbers in 0..k-1, or of another shape.
    """
    found = check_items(items, k)
    if found.ndim != 1:
        raise ValueError(f"items must have shape (n,); got {found.shape}")
    return found
