"""The binary partition of a public box: cells, their codes, and the budget of each level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpot_core.arguments import Array, check_count, check_epsilon
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.mechanisms.central.regions import check_corners

#: Deeper than this a cell is smaller than what coordinates resolve.
MAX_DEPTH = 40

#: L1 sensitivity of one level's differences of siblings: a replaced point leaves one cell and enters another.
SENSITIVITY = {"replace": 2, "add-remove": 1}

#: Budgets are multiples of epsilon / SHARES.
SHARES = 2**32


@dataclass(frozen=True)
class Partition:
    """A box that is halved ``depth`` times, each time across the longest side of its cells (the first such side).

    A cell of level j has a code of j bits, the path from the root; all cells of a level are equal boxes.

    Attributes:
        lower: smallest coordinates of the box, (d,).
        upper: largest coordinates, (d,).
        axes: the coordinate across which level j is cut, for j = 0, ..., depth - 1.
    """

    lower: Array
    upper: Array
    axes: tuple[int, ...]

    @property
    def depth(self) -> int:
        """Number of cuts from the root to a leaf."""
        return len(self.axes)

    def cuts(self, level: int) -> Integers:
        """How often each side has been halved at a level, (d,)."""
        return np.bincount(np.asarray(self.axes[:level], dtype=np.int64), minlength=self.lower.size)

    def diameter(self, level: int) -> float:
        """Length of the diagonal of a cell of a level."""
        return float(np.linalg.norm((self.upper - self.lower) * 0.5 ** self.cuts(level)))

    def codes(self, points: Array) -> Integers:
        """Code of the leaf of each point (n, d) of the box, (n,); its level-j cell is ``code >> (depth - j)``."""
        cuts = self.cuts(self.depth)
        steps = np.floor((points - self.lower) / (self.upper - self.lower) * 2.0**cuts).astype(np.int64)
        steps = np.clip(steps, 0, 2**cuts - 1)
        left = cuts.copy()
        codes = np.zeros(len(points), dtype=np.int64)
        for axis in self.axes:
            left[axis] -= 1
            codes = (codes << 1) | ((steps[:, axis] >> left[axis]) & 1)
        return codes

    def boxes(self, codes: Integers, level: int) -> tuple[Array, Array]:
        """Lower and upper corners (n, d) of the cells with the given codes at a level."""
        steps = np.zeros((len(codes), self.lower.size), dtype=np.int64)
        for j, axis in enumerate(self.axes[:level]):
            steps[:, axis] = (steps[:, axis] << 1) | ((codes >> (level - 1 - j)) & 1)
        size = (self.upper - self.lower) * 0.5 ** self.cuts(level)
        return self.lower + steps * size, np.minimum(self.lower + (steps + 1) * size, self.upper)


def partition(lower: Array, upper: Array, depth: int) -> Partition:
    """Halve a public box ``depth`` times, each time across the longest side.

    Args:
        lower: smallest coordinates, (d,).
        upper: largest coordinates, (d,).
        depth: number of halvings, at most `MAX_DEPTH`.

    Returns:
        The partition.

    Raises:
        ValueError: if the box or the depth is out of range.
    """
    low, high = check_corners(lower, upper)
    sides, axes = high - low, []
    for _ in range(check_count(depth, "depth", 0, MAX_DEPTH)):
        axis = int(np.argmax(sides))
        sides[axis] /= 2
        axes.append(axis)
    return Partition(low, high, tuple(axes))


def private_depth(epsilon: float, n: int) -> int:
    """Depth of the partition for n points: ceil(log2(epsilon n)), at least 1, at most `MAX_DEPTH`.

    Args:
        epsilon: privacy parameter in nats.
        n: number of points, public.

    Returns:
        Number of halvings.

    Source:
        He, Vershynin, Zhu 2023, Theorem 1.2.
    """
    return min(max(math.ceil(math.log2(check_epsilon(epsilon) * check_count(n, "n"))), 1), MAX_DEPTH)


def level_budgets(epsilon: float, cells: Partition, adjacency: str) -> tuple[Fraction, ...]:
    """The epsilon of each level 0, ..., depth: exact rationals that add up to exactly epsilon.

    ``epsilon_j = epsilon sqrt(D_(j-1)) / sum sqrt(D_(i-1))``, ``D_j = 2^j`` times the diameter of a cell of level j and
    D_(-1) the diameter of the box: the split that minimises the sum of scale_j D_(j-1), which bounds the W_1 error.
    Under "replace" the root count n is public and level 0 spends nothing. Shares are whole numbers over `SHARES`.

    Args:
        epsilon: privacy parameter in nats, taken as the exact rational value of the float.
        cells: the partition, of depth at least 1.
        adjacency: "replace" or "add-remove".

    Returns:
        depth + 1 fractions.

    Source:
        He, Vershynin, Zhu 2023, section 3 (choice of the noise parameters).
    """
    total = Fraction(check_epsilon(epsilon))
    spread = [1.0, *(2.0**j for j in range(cells.depth))]
    wide = [cells.diameter(max(j - 1, 0)) for j in range(cells.depth + 1)]
    weights = np.sqrt(np.asarray(spread) * np.asarray(wide))
    if adjacency == "replace":
        weights[0] = 0.0
    parts = [max(int(w), 1) if w > 0 else 0 for w in weights / weights.sum() * SHARES]
    parts[int(np.argmax(weights))] += SHARES - sum(parts)
    return tuple(total * Fraction(part, SHARES) for part in parts)
