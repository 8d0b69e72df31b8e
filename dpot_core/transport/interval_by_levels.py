"""An interval for W_1 between distributions on many points of Euclidean space, from few boxes to all points.

- Points are joined to boxes (`levels`), few at first, and one point stands for what its box has.
- At the coarsest level the network simplex solves the problem whole.
- The potentials found are extended to all points as min_j |x - y_j| + h_j, which is 1-Lipschitz whatever h is. On the
  next level few pairs of points have little slack there: a network simplex on these (`hub_flow`) gives the next ones.
- A level is repeated with the pairs of least reduced cost besides (column generation), until its ends are near.

At every level the flow between boxes, with what its points move to and from those that stand for them, is feasible for
all points, and the potential bounds W_1 of all points: there is an interval from the coarsest level on, and the ends
kept are the best of all levels.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field

import numpy as np
import scipy

from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.transport.duality_bounds import lower_end, upper_end
from dpot_core.transport.hub_flow import (
    Flow,
    Imbalance,
    collapse,
    flow_on_all_pairs,
    flow_on_pairs,
    imbalance,
    lengths,
    sums,
)
from dpot_core.transport.levels import Level, levels
from dpot_core.transport.lipschitz import Mixing, distinct, lipschitz_extension, steepest_pairs
from dpot_core.transport.smoothed_dual import Rows

#: Pairs for every point in each round.
_PAIRS = 16
#: The random part of their slack at first, in distances to the point that stands for a box.
_MIXED = 0.6
#: A level that is not the last need not be nearer than this, nor be repeated more often.
_ROUGH, _ROUNDS = 5e-4, 3


class _TimeIsUp(Exception):
    """The ends so far are the answer."""


@dataclass
class Watch:
    """When to stop, and whom to tell.

    Attributes:
        seconds: that the search may take.
        progress: called with (steps done, steps in all); what it raises ends the search.
        done: steps done.
        total: steps in all.
    """

    seconds: float
    progress: Progress | None = None
    done: int = 0
    total: int = 1
    _start: float = field(default_factory=time.monotonic)
    _solved: tuple[float, int] | None = None

    def tell(self) -> None:
        """Report."""
        if self.progress is not None:
            self.progress(self.done, self.total)

    def tick(self) -> None:
        """Report, and end the search if the time is up."""
        self.tell()
        self._expect(0.0)

    def solve(
        self, points: Array, task: Imbalance, pairs: tuple[Rows, Rows], home: Rows, between: Flow
    ) -> tuple[Flow, Array]:
        """`flow_on_pairs`, unless the last time says that it would take too long: time grows as the pairs squared."""
        self.tick()
        count = pairs[0].size
        if self._solved is not None:
            self._expect(self._solved[0] * (count / self._solved[1]) ** 2)
        start = time.monotonic()
        found = flow_on_pairs(points, task, pairs, home, between)
        self._solved = time.monotonic() - start, count
        return found

    def _expect(self, more: float) -> None:
        if time.monotonic() - self._start + more > self.seconds:
            raise _TimeIsUp


@dataclass
class _Search:
    """The interval known so far.

    Attributes:
        points: distinct, in a box of side 1, (k, d).
        surplus: mu - nu, none of them 0, (k,).
        tolerance: of (upper - lower) / upper.
        reach: at least the largest distance.
        watch: when to stop.
        potential: 1-Lipschitz, of the last round, (k,).
        flow: of the last level.
        lower: best lower end.
        upper: best upper end.
    """

    points: Array
    surplus: Array
    tolerance: float
    reach: float
    watch: Watch
    potential: Array
    flow: Flow
    lower: float
    upper: float

    def near(self) -> bool:
        """Whether the ends are as near as was asked for."""
        return self.upper - self.lower <= self.tolerance * self.upper

    def raise_and_lower(self, level: Level, task: Imbalance, flow: Flow, sinks: Array) -> float:
        """Both ends from a level's flow and the potentials of its sinks; returns how far apart its own ends are."""
        whole = flow + collapse(self.surplus, level.home)
        paid = lengths(self.points, whole.source, whole.target)
        self.upper = min(self.upper, upper_end(whole, paid, self.surplus, self.reach))
        heights = np.median(sinks) - sinks  # a constant changes nothing but rounding
        phi = lipschitz_extension(self.points, self.points[task.sinks], heights, self.watch.tick)
        self.lower = max(self.lower, lower_end(phi, self.surplus, self.reach))
        self.potential, self.flow = phi, flow
        own = float(flow.mass @ paid[: flow.mass.size])
        return own - float(task.supply @ phi[task.sources] - task.demand @ phi[task.sinks])


def interval_by_levels(points: Array, surplus: Array, tolerance: float, watch: Watch) -> tuple[float, float, bool]:
    """The lower and the upper end, and whether the time was up before they were as near as asked for or rounding lets.

    Args:
        points: distinct points whose smallest box around has a longest side of 1, (k, d).
        surplus: mu - nu, none of them 0, of sum 0 up to rounding, (k,).
        tolerance: of (upper - lower) / upper.
        watch: for how long, and whom to tell.

    Raises:
        RuntimeError: if the network simplex does not reach an optimum.
    """
    if np.count_nonzero(surplus < 0) > np.count_nonzero(surplus > 0):
        surplus = -surplus  # potentials are extended from the sinks: the fewer, the faster
    reach = float(np.linalg.norm(np.ptp(points, axis=0)))
    # To begin with, everything goes by way of one point.
    at = int(np.argmin(((points - np.average(points, axis=0, weights=np.abs(surplus))) ** 2).sum(axis=1)))
    star = collapse(surplus, np.full(surplus.size, at))
    upper = upper_end(star, lengths(points, star.source, star.target), surplus, reach)
    nothing = Flow(star.source[:0], star.target[:0], star.mass[:0])
    search = _Search(points, surplus, tolerance, reach, watch, np.zeros(len(points)), nothing, 0.0, upper)
    stages = levels(points, np.abs(surplus))
    sizes = [level.nodes.size**2 for level in stages]
    watch.total = sum(sizes)
    rng = np.random.default_rng(0)
    try:
        for number, level in enumerate(stages):
            watch.done = sum(sizes[:number])
            _refine(search, level, stages[number - 1] if number else None, level is stages[-1], rng)
            if search.near():
                break
    except _TimeIsUp:
        return search.lower, search.upper, True
    return search.lower, search.upper, False


def _refine(search: _Search, level: Level, coarser: Level | None, last: bool, rng: np.random.Generator) -> None:
    """Solve one level, in rounds on ever more pairs; the coarsest one at once on all pairs."""
    points, watch = search.points, search.watch
    task = imbalance(sums(level.home, search.surplus, len(points)))
    if not task.mass:
        return
    if coarser is None:
        part, sinks = flow_on_all_pairs(task, scipy.spatial.distance.cdist(points[task.sources], points[task.sinks]))
        flow = Flow(task.sources[part.source], task.sinks[part.target], part.mass)
        search.raise_and_lower(level, task, flow, sinks)
        return
    home, between, m = coarser.home, search.flow, task.sinks.size
    mixed = _MIXED * float(lengths(points, level.nodes, home[level.nodes]).mean())
    pairs = np.zeros(0, dtype=np.intp)
    for number in itertools.count():
        phi = search.potential
        slopes = phi[task.sources], -phi[task.sinks]
        mixing = Mixing(0.0 if number else mixed, rng)
        more = steepest_pairs(points[task.sources], points[task.sinks], slopes, _PAIRS, mixing, watch.tick)
        before, pairs = pairs.size, distinct(np.concatenate([pairs, more[0] * m + more[1]]))
        if pairs.size == before:
            return  # no pair is left that costs less than the potentials allow
        flow, sinks = watch.solve(points, task, (pairs // m, pairs % m), home, between)
        width = search.raise_and_lower(level, task, flow, sinks)
        if search.near() or (not last and (number == _ROUNDS or width <= _ROUGH * search.upper)):
            return
