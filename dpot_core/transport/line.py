"""Exact boxed transport on the line: the nearest distribution whose probabilities lie between bounds.

With sorted points and a convex cost the optimal plan is monotone, so its cost depends on the running sums N_j of the
output alone, as a sum of convex functions of one N_j each; the bounds limit N_j - N_(j-1). A dynamic programme over
convex piecewise linear functions solves this exactly: its value function is kept as breakpoints left and right of its
minimum, which the bounds shift apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from heapq import heappop, heappush, heapreplace
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property

# (key, run, index in the run, jump): where a slope changes, and by how much.
_Entry = tuple[float, int, int, float]


class _Steps(NamedTuple):
    """|x_i - y_j|^p - |x_i - y_(j+1)|^p for one j: its first value, and by how much it rises from i to i + 1."""

    first: float
    used: NDArray[np.intp] | None  # the i where it rises; None for all
    rises: Array
    sums: Array  # of the first rises, one more than there are


class LineCosts:
    """Costs of order p between places on the line, kept for several inputs that occupy all of x.

    Args:
        x: increasing places, (k,).
        y: increasing places of the output, (k_v,).
        p: order, at least 1.
    """

    def __init__(self, x: Array, y: Array, p: float) -> None:
        self.x, self.y, self.p = x, y, p

    @cached_property
    def steps(self) -> tuple[_Steps, ...]:
        """For each output but the last."""
        return tuple(_steps(self.x, self.y, self.p))


def project_line(
    mu: Array, x: Array, y: Array, p: float, lower: Array, upper: Array, costs: LineCosts | None = None
) -> Array:
    """argmin of W_p(mu, nu) over {lower <= nu <= upper, sum nu = 1} for points on the line.

    Args:
        mu: distribution on x, (k,).
        x: increasing places, (k,).
        y: increasing places of the output, (k_v,).
        p: order, at least 1.
        lower: (k_v,), of sum at most 1.
        upper: (k_v,), of sum at least 1.
        costs: of x, y and p; 8 (k - 1) (k_v - 1) bytes, twice, that make further inputs three times as fast.

    Returns:
        nu, (k_v,): the differences of the best running sums; each N_j minimises sum_j c_j(N_j) with
        c_j'(N) = |F^-1(N) - y_j|^p - |F^-1(N) - y_(j+1)|^p, F^-1 being the quantile function of mu.
    """
    occupied = mu > 0
    heights = np.cumsum(mu[occupied])[:-1]
    steps = costs.steps if costs is not None and occupied.all() else _steps(x[occupied], y, p)
    least, most = _running(lower, upper)
    minima = [0.0]
    left, right = _Side(-1.0), _Side(1.0)  # before the first output the only possible sum is 0
    everywhere, lows, highs = heights.tolist(), lower.tolist(), upper.tolist()
    for j, (slope, used, rises, sums) in enumerate(steps):
        left.moved += lows[j]
        right.moved += highs[j]
        places = everywhere if used is None else heights[used].tolist()
        first = bisect_right(places, left.top())
        slope += sums.item(first)
        left.push_run(places, rises, first - 1)
        right.push_run(places, rises, first)
        # Move to where the slope changes its sign: breakpoints passed go to the other side.
        if slope > 0:
            left.hand_over(right, slope)
        elif slope < 0:
            right.hand_over(left, -slope)
        minima.append(min(max(left.top(), least[j + 1]), most[j + 1]))
    # Differences of running sums are rounded.
    return np.clip(_backwards(minima, lower, upper), lower, upper)


def _steps(x: Array, y: Array, p: float) -> Iterator[_Steps]:
    away = np.abs(x - y[0]) ** p
    for place in y[1:]:
        before, away = away, np.abs(x - place) ** p
        slopes = before - away
        rises, used = np.maximum(slopes[1:] - slopes[:-1], 0.0), None
        if rises.size and not rises.min() > 0:
            used = np.flatnonzero(rises > 0)
            rises = rises[used]
        yield _Steps(float(slopes[0]), used, rises, np.concatenate([[0.0], np.cumsum(rises)]))


class _Side:
    """Breakpoints on one side of the minimum; all move by the same shifts.

    Those that came together (a run) stay in their own list, sorted to the right, and only the nearest of them is in the
    heap. Those that the other side has given are nearer than all that are here then: a stack, the nearest last. Keys
    grow with the distance from the minimum.
    """

    def __init__(self, sign: float) -> None:
        self.sign = sign
        self.step = int(sign)
        self.moved = 0.0
        self.heap: list[_Entry] = []
        self.runs: list[tuple[list[float], Array, float]] = []
        self.given: list[tuple[float, float]] = [(0.0, inf)]  # key, jump

    def top(self) -> float:
        key = self.given[-1][0]
        return self.sign * (min(key, self.heap[0][0]) if self.heap else key) + self.moved

    def push_run(self, places: list[float], jumps: Array, nearest: int) -> None:
        """The breakpoints from one on, away from the minimum."""
        if 0 <= nearest < len(places):
            self.runs.append((places, jumps, self.moved))
            place = self.sign * (places[nearest] - self.moved)
            heappush(self.heap, (place, len(self.runs) - 1, nearest, jumps.item(nearest)))

    def hand_over(self, other: _Side, slope: float) -> None:
        """Give the nearest breakpoints to the other side, until their jumps make up for the slope."""
        heap, runs, given, sign, step = self.heap, self.runs, self.given, self.sign, self.step
        moved, theirs = self.moved, other.moved
        while slope > 0:
            if not heap or given[-1][0] <= heap[0][0]:
                key, jump = given.pop()
            else:
                key, run, index, jump = heap[0]
                places, jumps, then = runs[run]
                index += step
                if 0 <= index < len(places):
                    heapreplace(heap, (sign * (places[index] - then), run, index, jumps.item(index)))
                else:
                    heappop(heap)
            place = sign * key + moved
            other.given.append((sign * (theirs - place), jump if jump < slope else slope))
            slope -= jump
        if slope < 0:
            given.append((sign * (place - moved), -slope))


def _running(lower: Array, upper: Array) -> tuple[list[float], list[float]]:
    """Running sums that leave room for the rest: (least, most), (k_v + 1,) each."""
    low, high = np.concatenate([[0.0], np.cumsum(lower)]), np.concatenate([[0.0], np.cumsum(upper)])
    least = np.maximum(low, 1.0 - (high[-1] - high))
    most = np.minimum(high, 1.0 - (low[-1] - low))
    return least.tolist(), np.maximum(least, most).tolist()


def _backwards(minima: list[float], lower: Array, upper: Array) -> Array:
    """From the last sum, 1, back to the first: each is the minimum of its function, as near as the bounds let it."""
    output = np.empty(len(minima))
    total = 1.0
    for j in range(len(minima) - 1, 0, -1):
        before = min(max(minima[j], total - float(upper[j])), total - float(lower[j]))
        output[j] = total - before
        total = before
    output[0] = total
    return output


def line_cost(mu: Array, x: Array, nu: Array, y: Array, p: float) -> float:
    """W_p^p between two distributions on increasing places: the monotone plan, integral |F^-1(t) - G^-1(t)|^p dt."""
    one, other = np.cumsum(mu), np.cumsum(nu)
    ends = np.sort(np.concatenate([one[:-1], other[:-1]]))
    ends = np.concatenate([np.minimum(ends, 1.0), [1.0]])
    middle = (np.concatenate([[0.0], ends[:-1]]) + ends) / 2
    i = np.minimum(np.searchsorted(one, middle), len(x) - 1)
    j = np.minimum(np.searchsorted(other, middle), len(y) - 1)
    return float(np.diff(ends, prepend=0.0) @ np.abs(x[i] - y[j]) ** p)
