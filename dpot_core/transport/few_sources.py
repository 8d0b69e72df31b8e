"""W_1 from a distribution on few places to one on a large grid, as a certified interval: by boxes of cells.

Let b(j) be the box of cell j. The cells of a box are drawn together, at their mean row of costs, and transport from mu
to the boxes is solved exactly: an optimal plan P (r, B) and potentials f of the rows. Back on all cells

- the plan pi_ij = nu_j P_i,b(j) / nu_b(j) has the row sums mu and the column sums nu, so that its cost is at least W_1;
- for any f, sum_i mu_i f_i + sum_j nu_j min_i (C_ij - f_i) is at most W_1 (weak duality).

Both ends are near W_1 to second order: a box that goes whole to one row costs what it must, and on the border between
two rows neither is much cheaper. How far the ends are apart is a sum over the boxes, of terms that are not negative:

    sum_b sum_(j in b) nu_j (sum_i P_ib / nu_b (C_ij - f_i) - min_i (C_ij - f_i)).

Boxes with the largest terms are quartered until the interval is narrow: those on borders, and around places where much
of nu lies. No triangle inequality is used, so that any cost will do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.smoothed_dual import Rows
from dpot_core.transport.wasserstein import network_simplex

#: What sums of so many terms may be rounded by, relative to the largest cost.
_ROUNDING = 1e-12
#: At first a side of the grid has at most so many boxes.
_FIRST = 20
#: From so many rows on a solve begins with the potentials of the last one: of fewer rows it is as fast without.
_MANY_ROWS = 200
#: Boxes that are not quartered have at most this share of the width that is asked for.
_LEFT = 0.3


@dataclass(frozen=True)
class _Boxes:
    """A division of the cells.

    Attributes:
        of_cell: box of each cell, (k,).
        level: a box has 2^level cells a side, fewer where the grid ends, (B,).
        mass: of nu, (B,).
        paid: sum of nu_j C_ij over the cells of a box, (r, B).
    """

    of_cell: Rows
    level: Rows
    mass: Array
    paid: Array


@dataclass(frozen=True)
class _Ends:
    """Both ends, and by how much each box keeps them apart, (B,)."""

    lower: float
    upper: float
    apart: Array
    potentials: Array  # f, (r,)


def interval_by_boxes(
    mu: Array, cost: Array, nu: Array, width: float, alive: Callable[[], object] | None = None
) -> tuple[float, float]:
    """Lower and upper bound of min <C, pi> over couplings of mu and nu, at most `width` of the upper one apart.

    Farther only where rounding, of 1e-12 of the largest cost, leaves them so.

    Args:
        mu: masses of the rows, (r,), positive, of sum 1.
        cost: C_ij, (r, k), non-negative, to the k = n * n cells of a grid row by row.
        nu: masses of the cells, (k,), of sum 1.
        width: largest (upper - lower) / upper.
        alive: called before every solve; what it raises abandons the work.
    """
    boxes, potentials = _first(cost, nu), None
    while True:
        if alive is not None:
            alive()
        ends = _solved(mu, cost, nu, boxes, potentials)
        potentials = ends.potentials if mu.size >= _MANY_ROWS else None
        split = _widest(ends, boxes, width)
        if not split.size:
            slack = _ROUNDING * float(cost.max())
            return max(0.0, min(ends.lower, ends.upper) - slack), ends.upper + slack
        boxes = _quartered(cost, nu, boxes, split)


def _first(cost: Array, nu: Array) -> _Boxes:
    n = round(nu.size**0.5)
    level = 0
    while (n - 1 >> level) + 1 > _FIRST:
        level += 1
    along = np.arange(n) >> level
    count, starts = int(along[-1]) + 1, np.arange(0, n, 1 << level)
    of_cell = (along[:, None] * count + along).ravel()

    # Along a row of cells by one product of matrices, which reads the costs once.
    within = np.zeros((n, n, count))
    within[:, np.arange(n), along] = nu.reshape(n, n)
    paid = np.add.reduceat(cost.reshape(-1, n, n).transpose(1, 0, 2) @ within, starts, axis=0)
    mass = np.add.reduceat(within.sum(axis=1), starts, axis=0).ravel()
    return _Boxes(of_cell, np.full(count**2, level), mass, paid.transpose(1, 0, 2).reshape(len(cost), -1))


def _solved(mu: Array, cost: Array, nu: Array, boxes: _Boxes, near: Array | None) -> _Ends:
    """Transport to the boxes, and both ends; ``near``: potentials of the rows to begin with."""
    used = boxes.mass > 0
    together = boxes.paid[:, used] / boxes.mass[used]
    start = None if near is None else (near, (together - near[:, None]).min(axis=0))
    plan, f = network_simplex(mu, boxes.mass[used] / boxes.mass[used].sum(), together, start)
    # What is shared out of each box is one whole, whatever the simplex makes of hardly any mass.
    plan += 1e-300
    share = np.zeros_like(boxes.paid)
    share[:, used] = plan / plan.sum(axis=0)
    least, reduced = np.full(nu.size, np.inf), np.empty(nu.size)
    for row, potential in zip(cost, f, strict=True):  # in the cache, which all rows at once are not
        np.minimum(least, np.subtract(row, potential, out=reduced), out=least)
    above = (share * boxes.paid).sum(axis=0)
    below = (share * f[:, None]).sum(axis=0) * boxes.mass + np.bincount(boxes.of_cell, nu * least, boxes.mass.size)
    return _Ends(float(mu @ f + nu @ least), float(above.sum()), above - below, f)


def _widest(ends: _Ends, boxes: _Boxes, width: float) -> Rows:
    """The boxes to quarter: the fewest that keep the ends too far apart; none where they are near, or single cells."""
    if ends.upper - ends.lower <= width * ends.upper:
        return np.empty(0, dtype=np.intp)
    divisible = np.flatnonzero((boxes.level > 0) & (ends.apart > 0))
    order = divisible[np.argsort(-ends.apart[divisible], kind="stable")]
    total = float(ends.apart[order].sum())
    # At least half of it: where single cells are apart by rounding, boxes must not be quartered one by one.
    left = total - np.cumsum(ends.apart[order])
    return order[: int(np.count_nonzero(left > min(_LEFT * width * ends.upper, total / 2))) + 1]


def _quartered(cost: Array, nu: Array, boxes: _Boxes, split: Rows) -> _Boxes:
    n, kept = round(nu.size**0.5), np.ones(boxes.mass.size, dtype=bool)
    kept[split] = False
    cells = np.flatnonzero(~kept[boxes.of_cell])
    level = boxes.level[boxes.of_cell[cells]] - 1
    y, x = np.divmod(cells, n)
    number = np.empty(kept.size, dtype=np.intp)
    number[split] = np.arange(split.size)
    quarter = 4 * number[boxes.of_cell[cells]] + 2 * (y >> level & 1) + (x >> level & 1)
    count, weights = 4 * split.size, nu[cells]
    paid = np.stack([np.bincount(quarter, row * weights, count) for row in cost[:, cells]])
    number[kept] = np.arange(kept.size - split.size)
    of_cell = number[boxes.of_cell]
    of_cell[cells] = kept.size - split.size + quarter
    return _Boxes(
        of_cell,
        np.concatenate([boxes.level[kept], np.repeat(boxes.level[split] - 1, 4)]),
        np.concatenate([boxes.mass[kept], np.bincount(quarter, weights, count)]),
        np.concatenate([boxes.paid[:, kept], paid], axis=1),
    )
