"""Potentials that are 1-Lipschitz for every pair of points, and the pairs along which they are steepest, in blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from dpot_core.arguments import Array
from dpot_core.transport.smoothed_dual import Rows

#: Pairs in a block: distances then stay in the second-level cache.
_BLOCK = 250_000


@dataclass(frozen=True)
class Mixing:
    """Random numbers up to `spread`, in units of distance, from `rng`; none for a spread of 0."""

    spread: float
    rng: np.random.Generator


def lipschitz_extension(points: Array, places: Array, heights: Array, tick: Callable[[], None]) -> Array:
    """phi(x) = min_j |x - y_j| + h_j for all points, (k,): 1-Lipschitz, because each term is, and at most h_j at y_j.

    Args:
        points: x, (k, d).
        places: y, (m, d).
        heights: h, (m,).
        tick: called before every block; what it raises ends the work.

    Returns:
        phi with an error of at most (d + 6) roundings of the largest |x - y_j| + |h_j|: of differences, squares,
        sums, the root and the last sum.
    """
    found = np.empty(len(points))
    step = max(1, _BLOCK // len(places))
    for first in range(0, len(points), step):
        tick()
        block = slice(first, first + step)
        distances = scipy.spatial.distance.cdist(points[block], places)
        distances += heights
        found[block] = distances.min(axis=1)
    return found


def steepest_pairs(
    sources: Array,
    targets: Array,
    slopes: tuple[Array, Array],
    count: int,
    mixing: Mixing,
    tick: Callable[[], None],
) -> tuple[Rows, Rows]:
    """For every source the `count` targets of least |x - y| - f(x) - g(y), and for every target such sources.

    Optimal plans use pairs where this slack is 0. On rays of transport there are many such pairs, near each other and
    of no use together, so each slack has a random number of up to `spread` added: what is least then is well mixed.
    Nothing is proven by what is picked: single precision is enough for mixed ones.

    Args:
        sources: x, (n, d).
        targets: y, (m, d).
        slopes: f (n,) and g (m,).
        count: of pairs for each point.
        mixing: how the slacks are mixed.
        tick: called before every block; what it raises ends the work.

    Returns:
        Indices of sources and of targets; every pair once.
    """
    f, g = slopes
    first = _least(sources, targets, g, count, mixing, tick)
    second = _least(targets, sources, f, count, mixing, tick)
    pairs = distinct(np.concatenate([first[0] * len(g) + first[1], second[1] * len(g) + second[0]]))
    return pairs // len(g), pairs % len(g)


def distinct(numbers: Rows) -> Rows:
    """Ascending, each once; np.unique takes ten times as long."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _least(
    rows: Array, columns: Array, slopes: Array, count: int, mixing: Mixing, tick: Callable[[], None]
) -> tuple[Rows, Rows]:
    n, m = len(rows), len(columns)
    if m <= count:
        return np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    kind = np.float32 if mixing.spread > 0 else np.float64
    x, y, g = rows.astype(kind), np.ascontiguousarray(columns.T, dtype=kind), slopes.astype(kind)
    # A stretch of the same random numbers for each row, from a place of its own: they are many.
    numbers = mixing.rng.random(4 * m, dtype=np.float32) * np.float32(mixing.spread)
    starts = mixing.rng.integers(0, 3 * m, n)
    chosen = np.empty((n, count), dtype=np.intp)
    step = max(1, _BLOCK // m)
    for first in range(0, n, step):
        tick()
        block = x[first : first + step]
        slack = np.zeros((len(block), m), dtype=kind)
        for axis, place in enumerate(y):
            difference = block[:, axis, None] - place
            difference *= difference
            slack += difference
        np.sqrt(slack, out=slack)
        slack -= g
        if mixing.spread > 0:
            for row, start in zip(slack, starts[first : first + step], strict=True):
                row += numbers[start : start + m]
        chosen[first : first + step] = np.argpartition(slack, count, axis=1)[:, :count]
    return np.repeat(np.arange(n), count), chosen.ravel()
