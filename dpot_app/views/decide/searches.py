"""The smallest argument at which a function reaches a target: by bracketing, or on a grid where nothing is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dpot_core.arguments import check_count, check_number

# Values that theory calls monotone may wobble by rounding; more than this is no rounding.
_SLACK = 1e-9


@dataclass(frozen=True)
class Search:
    """Where a function first reaches a target, and everything that was tried.

    Attributes:
        target: the value to reach.
        at_least: whether reaching means being at least the target; else at most.
        points: (argument, value) of every evaluation, ascending in the argument.
        monotone: whether the values tried improve with the argument, up to rounding.
        method: "bisection" or "grid".
    """

    target: float
    at_least: bool
    points: tuple[tuple[float, float], ...]
    monotone: bool
    method: str

    def reaches(self, value: float) -> bool:
        """Whether a value is as good as the target.

        Args:
            value: to compare.
        """
        return value >= self.target if self.at_least else value <= self.target

    @property
    def high(self) -> tuple[float, float] | None:
        """The smallest argument tried that reaches the target, with its value; None if none does."""
        return next((point for point in self.points if self.reaches(point[1])), None)

    @property
    def low(self) -> tuple[float, float] | None:
        """The argument tried just below it, which misses the target, with its value; None if it is the first."""
        high = self.high
        before = [point for point in self.points if high is None or point[0] < high[0]]
        return before[-1] if before else None

    @property
    def found(self) -> float | None:
        """The smallest argument tried that reaches the target: it does reach it; None if none does."""
        return None if self.high is None else self.high[0]

    @property
    def good(self) -> tuple[float, float] | None:
        """The smallest argument tried from which on every larger one reaches the target too, with its value."""
        good = None
        for point in reversed(self.points):
            if not self.reaches(point[1]):
                break
            good = point
        return good

    @property
    def missed(self) -> tuple[float, float] | None:
        """The largest argument tried that misses the target, with its value; None if all reach it."""
        return next((point for point in reversed(self.points) if not self.reaches(point[1])), None)

    @property
    def steady(self) -> float | None:
        """The smallest argument tried from which on every larger one tried reaches the target too."""
        return None if self.good is None else self.good[0]

    @property
    def best(self) -> tuple[float, float]:
        """The best value tried, with its argument (the smallest of several)."""
        sign = -1.0 if self.at_least else 1.0
        return min(self.points, key=lambda point: (sign * point[1], point[0]))


def smallest(
    function: Callable[[float], float],
    target: float,
    low: float,
    high: float,
    *,
    at_least: bool = False,
    tol: float = 1e-4,
    start: int = 13,
) -> Search:
    """Bracket the smallest argument at which a monotone function reaches a target.

    Tries ``start`` arguments, even in the logarithm; then halves the bracket (in the logarithm) around the first that
    reaches the target until it is at most ``tol`` wide. What is returned reaches the target: rounding is on that side.
    Every value is compared with its neighbours; `Search.monotone` says whether the function kept its promise.

    Args:
        function: improves with its argument (falls, or rises if ``at_least``).
        target: the value to reach.
        low: smallest argument, more than 0.
        high: largest argument.
        at_least: whether reaching means being at least the target; else at most.
        tol: width of the bracket.
        start: arguments tried first, at least 2.

    Returns:
        `Search`; its ``found`` is None if the target is not reached at any argument tried.

    Raises:
        ValueError: if an argument is out of range.
        RuntimeError: if the function gives no finite number; names its argument.
    """
    low, high = check_number(low, "low", 1e-12, 1e12), check_number(high, "high", 1e-12, 1e12)
    if not low < high:
        raise ValueError(f"low must be below high; got {low:g} and {high:g}")
    check_number(tol, "tol", 1e-12, 1e12)
    check_number(target, "target", -1e300, 1e300)
    steps = check_count(start, "start", 2, 10_000)
    known = {argument: _value(function, argument) for argument in first_tries(low, high, steps)}
    state = _search(known, target, at_least, "bisection")
    while state.low is not None and state.high is not None and state.high[0] - state.low[0] > tol:
        middle = math.sqrt(state.low[0] * state.high[0])
        if not state.low[0] < middle < state.high[0]:
            break
        known[middle] = _value(function, middle)
        state = _search(known, target, at_least, "bisection")
    return state


def first_tries(low: float, high: float, start: int) -> list[float]:
    """The arguments that `smallest` tries whatever the target is: even in the logarithm, from low to high."""
    return [low * (high / low) ** (i / (start - 1)) for i in range(start - 1)] + [high]


def smallest_on_grid(
    function: Callable[[float], float], target: float, grid: Sequence[float], *, at_least: bool = False
) -> Search:
    """The smallest argument of a grid at which a function reaches a target, whatever the function does between.

    Args:
        function: any.
        target: the value to reach.
        grid: arguments to try, ascending, at least one.
        at_least: whether reaching means being at least the target; else at most.

    Returns:
        `Search`; `Search.steady` says from where on all larger ones reach it too.

    Raises:
        ValueError: if the grid is empty or not ascending.
        RuntimeError: if the function gives no finite number; names its argument.
    """
    if not grid or any(a >= b for a, b in pairwise(grid)):
        raise ValueError(f"grid must be ascending with at least one argument; got {list(grid)[:5]!r}")
    check_number(target, "target", -1e300, 1e300)
    return _search({float(a): _value(function, float(a)) for a in grid}, target, at_least, "grid")


def so_far(known: Mapping[float, float], target: float, *, at_least: bool = False) -> Search:
    """The state of a search on a grid that has not come to its end.

    Args:
        known: value by argument, at least one.
        target: the value to reach.
        at_least: whether reaching means being at least the target; else at most.
    """
    return _search(dict(known), target, at_least, "grid")


def _search(known: dict[float, float], target: float, at_least: bool, method: str) -> Search:
    points = tuple(sorted(known.items()))
    sign = 1.0 if at_least else -1.0
    values = [sign * value for _, value in points]
    slack = _SLACK * max(1.0, *(abs(value) for value in values))
    monotone = all(after >= before - slack for before, after in pairwise(values))
    return Search(float(target), at_least, points, monotone, method)


def _value(function: Callable[[float], float], argument: float) -> float:
    value = float(function(argument))
    if not math.isfinite(value):
        raise RuntimeError(f"the function must be finite; at {argument:g} it is {value}")
    return value
