"""Costs of inputs at one point each on a grid, without a (k, k) matrix: all of them, and the one that costs most.

The input is a Dirac mass at a point i, the output lies in {q : sum q = 1, lower <= q <= upper}, and
phi_i = min over q of sum_j C_ij q_j is a fractional knapsack: from `lower`, the nearest points are filled up first.

- `costs_of_points`, any bounds. A grid has few different costs, and they are sorted once. What lies at each of them as
  seen from i is counted in one pass over the outputs, so that nothing is sorted for i: k steps an input.
- `costs_with_equal_bounds`, the same bounds everywhere. Then only the sum of the t cheapest costs is asked for. The
  points within a cost v of i are a stretch of every row of the grid, so that their number and the sum of their costs
  take ny steps from sums that are known before; v is found by bisection. Reflections of the grid change nothing: one
  quarter of the points will do.
- `costliest_point`: for a metric, |phi_i^(1/p) - phi_j^(1/p)| <= d(i, j), because it costs at most d(i, j) to move the
  input. So a block of points can be left out if its middle, plus the way from there to its farthest point, is no
  farther than what some other point needs. What is left is cut in four, until blocks are single points: the largest
  value is exact, though few points are looked at.
- `costs_of_points` with ``dearest``: the same with max in the place of min, the farthest points being filled up first.
  phi_i^(1/p) is then the largest W_p from i to what the bounds allow, so that `costliest_point` finds the largest one.
- `sums_from_points`: the sum over all points of what depends on the offset only, from every point: two running sums.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.spaces import GridCost, Space

Indices = NDArray[np.intp]

#: Numbers that are worked on together.
_AT_ONCE = 2**19
#: Blocks along the longer side of a grid, at first.
_BLOCKS = 8
#: Inputs between two reports of progress.
_EVERY = 256


def costs_of_points(
    cost: GridCost,
    lower: Array,
    upper: Array,
    inputs: Indices | None = None,
    progress: Progress | None = None,
    *,
    dearest: bool = False,
) -> Array:
    """phi_i of the given inputs, (r,), in cost units.

    Args:
        cost: of the grid, outputs being all its points.
        lower: bounds of the outputs, (k,), of sum at most 1.
        upper: likewise, of sum at least 1.
        inputs: indices of points; None for all, (k,). Of points that reflections of grid and bounds map on each other
            one is looked at.
        progress: called with (inputs done, in all); what it raises abandons the work.
        dearest: whether the most that an output within the bounds can cost is asked for, not the least.
    """
    images = mirror_images(cost, lower, upper)
    kept, place = np.unique(images if inputs is None else images[inputs], return_inverse=True)
    sign = -1.0 if dearest else 1.0
    return sign * _one_by_one(sign * cost.offsets, lower, upper, kept, progress)[place.ravel()]


def sums_from_points(table: Array) -> Array:
    """sum over all points j of a grid of f(|dy|, |dx|), from every point i, (ny nx,).

    The points around i lie in four rectangles of offsets that begin at i: two running sums have them all.

    Args:
        table: f of two points dy rows and dx columns apart, (ny, nx).
    """
    along = np.cumsum(table, axis=1)
    # Of every row offset, what lies left and right of a point; the point's own column once.
    across = along + along[:, ::-1] - table[:, :1]
    up = np.cumsum(across, axis=0)
    return np.asarray((up + up[::-1] - across[:1]).ravel())


def _one_by_one(offsets: Array, lower: Array, upper: Array, inputs: Indices, progress: Progress | None) -> Array:
    ny, nx = offsets.shape
    values, rank = np.unique(offsets, return_inverse=True)
    ranks = rank.reshape(ny, nx).astype(np.int32)
    # As seen from the middle: what point (iy, ix) sees is a part of it.
    around = np.block([[ranks[:0:-1, :0:-1], ranks[:0:-1]], [ranks[:, :0:-1], ranks]])
    used = np.flatnonzero(upper > 0)
    rows, columns = np.divmod(used, nx)
    floor, room, missing = lower[used], (upper - lower)[used], 1.0 - float(lower.sum())
    found = np.empty(inputs.size)
    for number, point in enumerate(inputs):
        if progress is not None and number % _EVERY == 0:
            progress(number, inputs.size)
        y, x = divmod(int(point), nx)
        if used.size == lower.size:
            seen = around[ny - 1 - y : 2 * ny - 1 - y, nx - 1 - x : 2 * nx - 1 - x].ravel()
        else:
            seen = around[rows + (ny - 1 - y), columns + (nx - 1 - x)]
        space = np.bincount(seen, room, values.size)
        filled = np.cumsum(space)
        # Rounding may leave the last point a few units short: it is then the last one that has room.
        last = min(int(np.searchsorted(filled, missing)), values.size - 1)
        most = missing - (filled[last - 1] if last else 0.0)
        found[number] = floor @ values[seen] + space[:last] @ values[:last] + most * values[last]
    return found


def costs_with_equal_bounds(cost: GridCost, lower: float, upper: float) -> Array:
    """phi_i of all inputs where every output has the same bounds, (k,), in cost units."""
    offsets, k = cost.offsets, cost.shape[0]
    ny, nx = offsets.shape
    quarter, all_of_them = np.unique(mirror_images(cost, np.zeros(k), np.zeros(k)), return_inverse=True)
    full = (1.0 - k * lower) / (upper - lower) if upper > lower else 0.0  # so many points are filled up
    values, rank = np.unique(offsets, return_inverse=True)
    # Of row dy, how many points from dx = 0 on have at most the cost with that number; and the sum of the first ones.
    every = np.arange(values.size)
    within = np.array([np.searchsorted(row, every, "right").astype(np.int16) for row in rank.reshape(ny, nx)])
    sums = np.concatenate([np.zeros((ny, 1)), np.cumsum(offsets, axis=1)], axis=1)
    found = np.empty(quarter.size)
    step = max(1, _AT_ONCE // ny)
    for first in range(0, quarter.size, step):
        y, x = np.divmod(quarter[first : first + step], nx)
        found[first : first + step] = _cheapest(offsets, values, within, sums, y, x, full)
    everything = np.array([_all_costs(sums, offsets, *divmod(int(point), nx)) for point in quarter])
    return (lower * everything + (upper - lower) * found)[all_of_them.ravel()]


def costliest_point(
    space: Space,
    p: float,
    costs_of: Callable[[Indices], Array],
    start: Indices | None = None,
    progress: Progress | None = None,
) -> tuple[int, float]:
    """The point of a grid whose phi is largest, and its phi in cost units: exact, from few of them.

    Args:
        space: the grid, with a metric.
        p: power that distances are raised to in costs.
        costs_of: phi of the inputs of given indices.
        start: points that may well be the costliest ones.
        progress: called with (points of the grid that are done with, in all); what it raises abandons the work.
    """
    if space.axes is None:
        raise ValueError("space must be a grid")
    xs, ys = space.axes
    nx, ny = xs.size, ys.size
    corners = np.array([0, nx - 1, (ny - 1) * nx, ny * nx - 1])
    first = np.unique(corners if start is None else np.append(corners, start))
    known = costs_of(first)
    best, most = int(first[np.argmax(known)]), float(known.max())
    side = max(1, -(-max(nx, ny) // _BLOCKS))
    blocks = np.array([(y, x) for y in range(0, ny, side) for x in range(0, nx, side)], dtype=np.intp)
    while len(blocks):
        top, left = blocks.T
        bottom, right = np.minimum(top + side, ny) - 1, np.minimum(left + side, nx) - 1
        y, x = (top + bottom) // 2, (left + right) // 2
        middles = y * nx + x
        values = costs_of(middles)
        if progress is not None:
            progress(nx * ny - int(((bottom - top + 1) * (right - left + 1)).sum()), nx * ny)
        if values.max() > most:
            best, most = int(middles[np.argmax(values)]), float(values.max())
        if side == 1:
            break
        across = np.maximum(xs[right] - xs[x], xs[x] - xs[left])
        along = np.maximum(ys[bottom] - ys[y], ys[y] - ys[top])
        away = across + along if space.metric == "manhattan" else np.hypot(across, along)
        kept = blocks[np.maximum(values, 0.0) ** (1 / p) + away > max(most, 0.0) ** (1 / p)]
        half = -(-side // 2)
        cut = (kept[:, None, :] + half * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).reshape(-1, 2)
        limits = np.repeat(np.minimum(kept + side, [ny, nx]), 4, axis=0)
        blocks, side = _covering(cut[(cut < limits).all(axis=1)]), half
    return best, most


def _covering(blocks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Each block once: halves of an odd side overlap."""
    return np.unique(blocks, axis=0) if len(blocks) else blocks


def mirror_images(cost: GridCost, lower: Array, upper: Array) -> Indices:
    """For each point the first of those that reflections of grid and bounds map on each other, (k,)."""
    ny, nx = cost.offsets.shape
    tables = [bound.reshape(ny, nx) for bound in (lower, upper)]
    y, x = np.arange(ny), np.arange(nx)
    if all((table == table[::-1]).all() for table in tables):
        y = np.minimum(y, y[::-1])
    if all((table == table[:, ::-1]).all() for table in tables):
        x = np.minimum(x, x[::-1])
    return np.asarray((y[:, None] * nx + x).ravel())


def _cheapest(
    offsets: Array, values: Array, within: NDArray[np.int16], sums: Array, y: Indices, x: Indices, full: float
) -> Array:
    """Sum of the ``full`` (no whole number) cheapest costs of each point (y, x), (r,)."""
    ny, nx = offsets.shape
    rows = np.arange(ny)[:, None]
    # Rows of the grid at distance dy: above and below.
    times = (rows <= y).astype(np.int32) + (rows <= ny - 1 - y) - (rows == 0)

    def stretches(number: Indices) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.bool_]]:
        wide = within[:, number]
        return np.minimum(wide, (x + 1).astype(np.int16)), np.minimum(wide, (nx - x).astype(np.int16)), wide > 0

    def count(number: Indices) -> NDArray[np.int64]:
        left, right, any_of_them = stretches(number)
        return np.asarray((times * (left + right - any_of_them)).sum(axis=0))

    low, high = np.zeros(y.size, dtype=np.intp), np.full(y.size, values.size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        enough = count(middle) >= full
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    left, right, any_of_them = stretches(low)
    cheap = (times * (sums[rows, left] + sums[rows, right] - offsets[:, :1] * any_of_them)).sum(axis=0)
    # Points at the last cost that are beyond the number asked for.
    return np.asarray(cheap - (count(low) - full) * values[low])


def _all_costs(sums: Array, offsets: Array, y: int, x: int) -> float:
    """Sum of the costs of one point to all points."""
    ny, nx = offsets.shape
    row = sums[:, x + 1] + sums[:, nx - x] - offsets[:, 0]
    return float(row[: y + 1].sum() + row[: ny - y].sum() - row[0])
