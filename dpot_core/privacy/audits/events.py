"""Events that tell two samples apart, learnt from training outputs: half lines, intervals, unions of bins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.spaces.polygons import Booleans

#: Kinds of event, and what each looks for.
VIEWS: dict[str, str] = {
    "threshold": "one side of a threshold on how much likelier a value is (whole numbers), or on the best direction",
    "interval": "an interval of the best direction or of one coordinate, or what lies outside of it",
    "histogram": "those bins of the best direction or of one coordinate that are likelier under one input",
}

#: At most this many thresholds, ends of intervals, and coordinates besides the best direction are tried.
_THRESHOLDS = 200
_ENDS = 32
_ROUNDS = 3
_COORDINATES = 8

#: Bins hold about this many training outputs on average, and there are at most so many.
_BIN = 12
_BINS = 256

#: How good events are that hold for the given numbers of outputs of the first and of the second sample.
Ratio = Callable[[NDArray[np.int64], NDArray[np.int64]], Array]


@dataclass(frozen=True)
class Event:
    """A set of outputs.

    Attributes:
        holds: which of the outputs (n, d) are in it, (n,).
        promise: how large a ratio of probabilities the training outputs make likely.
        text: the set in words.
    """

    holds: Callable[[Array], Booleans]
    promise: float
    text: str


def best_event(kind: str, first: Array, second: Array, ratio: Ratio) -> Event:
    """The event of a kind that is likeliest under the first sample, compared with the second.

    Args:
        kind: a key of ``VIEWS``.
        first: training outputs under one input, (n, d).
        second: training outputs under the other, (n, d).
        ratio: how good an event is that holds for a number of the first outputs and a number of the second.

    Returns:
        The event.
    """
    if kind == "threshold":
        return _threshold(*_likelihood(first, second), first, second, ratio)
    columns = _columns(first, second)
    build = _interval if kind == "interval" else _histogram
    return max((build(name, column, first, second, ratio) for name, column in columns), key=lambda event: event.promise)


def _threshold(
    name: str,
    score: Callable[[Array], Array],
    first: Array,
    second: Array,
    ratio: Ratio,
) -> Event:
    """{score >= t}."""
    one, two = np.sort(score(first)), np.sort(score(second))
    tried = _thinned(np.unique(np.concatenate([one, two])), _THRESHOLDS)
    hits, alarms = (each.size - np.searchsorted(each, tried, side="left") for each in (one, two))
    value = ratio(hits, alarms)
    best = int(np.argmax(value))
    limit = float(tried[best])
    return Event(lambda outputs: score(outputs) >= limit, float(value[best]), f"{name} at least {limit:.6g}")


def _interval(
    name: str,
    score: Callable[[Array], Array],
    first: Array,
    second: Array,
    ratio: Ratio,
) -> Event:
    """{a <= score <= b}, or its complement: among coarse ends first, then twice among finer ones around the best."""
    one, two = np.sort(score(first)), np.sort(score(second))
    values = np.unique(np.concatenate([one, two]))
    ends = [np.arange(values.size)] * 2
    best = (-1.0, 0, 0, False)
    for _ in range(_ROUNDS):
        tried = [_thinned(each, _ENDS) for each in ends]
        low, high = (each.ravel() for each in np.meshgrid(*tried, indexing="ij"))
        low, high = low[low <= high], high[low <= high]
        hits, alarms = (
            np.searchsorted(each, values[high], "right") - np.searchsorted(each, values[low], "left")
            for each in (one, two)
        )
        for complement, value in ((False, ratio(hits, alarms)), (True, ratio(one.size - hits, two.size - alarms))):
            place = int(np.argmax(value))
            best = max(best, (float(value[place]), int(low[place]), int(high[place]), complement))
        ends = [_around(each, end) for each, end in zip(tried, best[1:3], strict=True)]
    promise, start, stop, outside = best
    a, b = float(values[start]), float(values[stop])

    def holds(outputs: Array) -> Booleans:
        places = score(outputs)
        return ((places >= a) & (places <= b)) != outside

    return Event(holds, promise, f"{name} {'outside' if outside else 'in'} [{a:.6g}, {b:.6g}]")


def _around(tried: NDArray[np.intp], end: int) -> NDArray[np.intp]:
    """Every place between the neighbours, among those tried, of the best one."""
    place = int(np.searchsorted(tried, end))
    low, high = tried[max(place - 1, 0)], tried[min(place + 1, tried.size - 1)]
    return np.arange(min(int(low), end), max(int(high), end) + 1)


def _histogram(
    name: str,
    score: Callable[[Array], Array],
    first: Array,
    second: Array,
    ratio: Ratio,
) -> Event:
    """The likeliest bins of equal mass, as many as are best."""
    one, two = score(first), score(second)
    both = np.concatenate([one, two])
    bins = int(np.clip(both.size // _BIN, 2, _BINS))
    edges = np.unique(np.quantile(both, np.linspace(0.0, 1.0, bins + 1)[1:-1], method="inverted_cdf"))

    def place(values: Array) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        return np.searchsorted(edges, values, side="left")

    hits, alarms = (np.bincount(place(each), minlength=edges.size + 1) for each in (one, two))
    order = np.argsort(-np.log((hits + 1.0) / (alarms + 1.0)), kind="stable")
    value = ratio(np.cumsum(hits[order]), np.cumsum(alarms[order]))
    best = int(np.argmax(value))
    chosen = np.zeros(edges.size + 1, dtype=bool)
    chosen[order[: best + 1]] = True
    return Event(lambda outputs: chosen[place(score(outputs))], float(value[best]), f"{name} in {best + 1} bins")


def _likelihood(first: Array, second: Array) -> tuple[str, Callable[[Array], Array]]:
    """How much likelier each output looks under the first input: by counting whole numbers, else along a direction."""
    if first.shape[1] == 1 and _whole(first) and _whole(second):
        # Laplace's rule: a value that was never seen is no evidence either way.
        values, where = np.unique(np.concatenate([first[:, 0], second[:, 0]]), return_inverse=True)
        ones = np.bincount(where[: len(first)], minlength=values.size) + 1.0
        others = np.bincount(where[len(first) :], minlength=values.size) + 1.0
        ratios = np.append(np.log(ones / others), 0.0)

        def known(outputs: Array) -> Array:
            place = np.minimum(np.searchsorted(values, outputs[:, 0]), values.size - 1)
            return np.asarray(ratios[np.where(values[place] == outputs[:, 0], place, values.size)])

        return "log-ratio of the value's counts", known
    spread = np.atleast_2d(np.cov(np.concatenate([first - first.mean(0), second - second.mean(0)]).T))
    ridge = 1e-9 * max(float(np.trace(spread)), 1e-300) / len(spread)
    direction = np.linalg.solve(spread + ridge * np.eye(len(spread)), first.mean(0) - second.mean(0))
    return "the best direction", lambda outputs: np.asarray(outputs @ direction)


def _columns(first: Array, second: Array) -> list[tuple[str, Callable[[Array], Array]]]:
    """Numbers that are looked at: the outputs themselves in one dimension, else direction and coordinates."""
    if first.shape[1] == 1:
        return [("output", lambda outputs: outputs[:, 0])]

    def coordinate(j: int) -> Callable[[Array], Array]:
        return lambda outputs: outputs[:, j]

    named = [(f"coordinate {j}", coordinate(j)) for j in range(min(first.shape[1], _COORDINATES))]
    return [_likelihood(first, second), *named]


def _thinned(values: NDArray[Any], most: int) -> NDArray[Any]:
    if values.size <= most:
        return values
    return values[np.linspace(0, values.size - 1, most).astype(int)]


def _whole(values: Array) -> bool:
    return bool((values == np.round(values)).all())
