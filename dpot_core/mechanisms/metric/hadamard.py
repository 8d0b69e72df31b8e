"""Hadamard response: epsilon-LDP reports about one of k items, decoded by a fast Walsh-Hadamard transform."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_count, check_epsilon, check_finite
from dpot_core.mechanisms.metric.items import Items, check_counts, check_items, rare_counts, toss


def walsh_hadamard(values: ArrayLike) -> Array:
    """``values H`` with Sylvester's Hadamard matrix ``H_xy = (-1)^(number of common binary ones)``, in O(K log K).

    Args:
        values: (..., K) with K a power of two.

    Returns:
        The transform, (..., K), not normalised: applied twice it multiplies by K.

    Raises:
        ValueError: if K is not a power of two.
    """
    table = np.array(values, dtype=np.float64)
    size = table.shape[-1]
    if size & (size - 1) or size == 0:
        raise ValueError(f"the last axis must have a power of two as its length; got {size}")
    step = 1
    while step < size:
        pairs = table.reshape(*table.shape[:-1], size // (2 * step), 2, step)
        table = np.stack([pairs[..., 0, :] + pairs[..., 1, :], pairs[..., 0, :] - pairs[..., 1, :]], axis=-2)
        table = table.reshape(*table.shape[:-3], size)
        step *= 2
    return table


@dataclass(frozen=True)
class HadamardResponse:
    r"""Report y with probability ``(2/K) e^epsilon/(1 + e^epsilon)`` where ``H_(x+1)y = +1``, ``(2/K)/(1 + e^epsilon)`` else.

    K is the smallest power of two above k, so that the constant row 0 of H is not used: k need not be a power of two.
    Half of each row used is +1, hence rows sum to 1, and any two entries have ratio 1 or ``e^epsilon``: epsilon-LDP.

    Args:
        k: number of items, at least 2.
        epsilon: privacy parameter of one item, nats.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Acharya, Sun, Zhang 2019, section 4 (one block); metric_dp_emd, section 6.2.1.
    """  # noqa: E501

    k: int
    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_count(self.k, "k", 2))
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))

    @property
    def symbols(self) -> int:
        """How many different reports there are: K."""
        return 1 << self.k.bit_length()

    @property
    def advantage(self) -> float:
        """``(e^epsilon - 1)/(e^epsilon + 1)``: a report is drawn from the item's half with this probability, else at all."""  # noqa: E501
        return math.tanh(self.epsilon / 2.0)

    @property
    def _anyhow(self) -> float:
        """``1 - advantage = 2/(1 + e^epsilon)``, with all its digits."""
        return 2.0 * math.exp(-self.epsilon) / (1.0 + math.exp(-self.epsilon))

    def matrix(self) -> Array:
        """Transition probabilities, (k, K)."""
        signs = 1.0 - 2.0 * _odd(np.arange(1, self.k + 1)[:, None], np.arange(self.symbols)[None, :])
        # Rounding must not make the ratio exceed e^epsilon: the rare report is made likelier by more than that.
        rare = math.exp(-self.epsilon) / (1.0 + math.exp(-self.epsilon)) * (1.0 + 2.0**-50)
        likely = 1.0 - rare
        return np.asarray(np.where(signs > 0, likely, rare) * (2.0 / self.symbols))

    def decode(self, frequencies: ArrayLike) -> Array:
        r"""Unbiased estimate of the histogram: ``(e^epsilon + 1)/(e^epsilon - 1) (frequencies H)_(x+1)``.

        Args:
            frequencies: of reports, (..., K), any scale.

        Returns:
            Estimates on the same scale, (..., k); may be negative, and their sum need not be that of the frequencies.

        Raises:
            ValueError: if the shape does not fit.
        """
        reported = check_finite(frequencies, "frequencies", non_negative=False)
        if reported.ndim == 0 or reported.shape[-1] != self.symbols:
            raise ValueError(f"frequencies must have {self.symbols} entries; got shape {reported.shape}")
        return walsh_hadamard(reported)[..., 1 : self.k + 1] / self.advantage

    def release(self, items: ArrayLike, rng: np.random.Generator) -> Items:
        """One report for each item, independent of each other; each user's row is in random order.

        Args:
            items: indices of points, (m,) of one user or (n, m) of n users.
            rng: source of randomness. This is a demonstration: a release takes `secure_reports`.

        Returns:
            Indices in 0..K-1, the same shape.

        Raises:
            ValueError: if an index is out of range.
        """
        rows = check_items(items, self.k) + 1
        reports = rng.integers(self.symbols, size=rows.shape)
        # In the wrong half: change the lowest common bit, which leads one to one into the right half.
        wrong = ~toss(self._anyhow, rows.shape, rng) & _odd(rows, reports)
        return rng.permuted(np.where(wrong, reports ^ (rows & -rows), reports), axis=-1)

    def release_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """How often each report is made about so many items of each kind: distributed like counting `release`.

        Args:
            counts: how many items there are of each kind, (k,) or (n, k), whole numbers.
            rng: source of randomness.

        Returns:
            Counts of reports, (K,) or (n, K), the same total in each row.

        Raises:
            ValueError: if a count is negative or not whole.
        """
        given = check_counts(counts, self.k)
        size = self.symbols
        half = given - rare_counts(given, self._anyhow, rng)
        reports = rng.multinomial((given - half).sum(axis=-1), np.full(size, 1.0 / size))
        every = np.arange(size)
        for item in np.flatnonzero(half.reshape(-1, self.k).any(axis=0)):
            good = every[~_odd(np.array(item + 1), every)]
            reports[..., good] += rng.multinomial(half[..., item], np.full(len(good), 1.0 / len(good)))
        return reports

    def spread(self) -> float:
        r"""``k ((e^epsilon + 1)/(e^epsilon - 1))^2 - 1``: variance of the estimate from one report, summed over points.

        Every entry of B is plus or minus ``1/advantage``, so ``||B_y||^2`` is the same for all reports.
        """
        return self.k / self.advantage**2 - 1.0


def _odd(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the row of H has -1 in the column: an odd number of common binary ones."""
    return (np.bitwise_count(rows & columns) & 1).astype(bool)
