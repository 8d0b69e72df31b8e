"""Distinguishing two neighbours by many runs: a lower bound on epsilon that holds with confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, as_floats, check_number
from dpot_core.privacy.audits.events import VIEWS, Ratio, best_event

#: Bounds for up to so many outputs are kept from one audit to the next.
_KEPT = 1_000_000


class Audit(float):
    """A lower bound on epsilon (nats), at least 0.

    Attributes:
        pair: index of the pair of neighbours that gave it; -1 if none told anything.
        hit: least probability of the adversary's event under one neighbour, with confidence.
        alarm: greatest probability of the event under the other, with confidence.
        delta: the delta that the bound is about.
        confidence: probability that the bound holds.
        event: the event in words; "" if none told anything.
    """

    pair: int
    hit: float
    alarm: float
    delta: float
    confidence: float
    event: str

    def __new__(
        cls, value: float, pair: int, hit: float, alarm: float, delta: float, confidence: float, event: str = ""
    ) -> Audit:
        """Keep how the bound came about beside it."""
        instance = super().__new__(cls, value)
        instance.pair, instance.hit, instance.alarm = pair, hit, alarm
        instance.delta, instance.confidence, instance.event = delta, confidence, event
        return instance

    def __reduce__(self) -> tuple[type[Audit], tuple[float, int, float, float, float, float, str]]:
        return Audit, (float(self), self.pair, self.hit, self.alarm, self.delta, self.confidence, self.event)


def audit(
    mechanism: Callable[[Any, int, np.random.Generator], ArrayLike],
    pairs: Iterable[tuple[Any, Any]],
    n: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
    delta: float = 0.0,
    events: str | Sequence[str] = tuple(VIEWS),
) -> Audit:
    r"""Largest epsilon that the mechanism's outputs prove to be too small, with the given confidence.

    For a pair of neighbours and an event E, ``epsilon >= log((P[M(x) in E] - delta)/P[M(x') in E])``. One event of each
    kind is chosen on the first half of the outputs: one side of a threshold (on how much likelier a value is under one
    neighbour: counts for whole numbers, the best linear direction for real ones), an interval or its complement, and a
    union of bins of a histogram. Its probabilities are bounded by Clopper and Pearson on the second half, so that the
    choice costs nothing. The confidence is split evenly over the pairs, their two directions, the kinds of event and
    the two probabilities. A bound of 0 says that nothing was found, not that the mechanism is private.

    Args:
        mechanism: ``(input, n, rng) -> outputs``, (n,) whole numbers, or (n,) or (n, d) reals, drawn independently.
        pairs: neighbouring inputs.
        n: outputs that are drawn for each input of each pair, at least 4.
        rng: source of randomness.
        confidence: probability with which the bound holds, in [0.5, 1).
        delta: additive slack of the promise that is tested, in [0, 1).
        events: which kinds of event are tried, "threshold", "interval", "histogram", one or several; all by default.

    Returns:
        A float with `.pair`, `.hit`, `.alarm`, `.event`: how it came about.

    Raises:
        ValueError: if an argument is out of range, there is no pair, or outputs have the wrong shape.

    Source: Jagielski, Ullman, Oprea 2020, Algorithm 1; Clopper and Pearson 1934.
    """
    couples = list(pairs)
    if not couples:
        raise ValueError("pairs must hold at least one pair of neighbours")
    if int(n) != n or n < 4:
        raise ValueError(f"n must be a whole number of at least 4; got {n!r}")
    check_number(confidence, "confidence", 0.5, math.nextafter(1.0, 0.0))
    check_number(delta, "delta", 0.0, math.nextafter(1.0, 0.0))
    kinds = (events,) if isinstance(events, str) else tuple(events)
    if not kinds or set(kinds) - VIEWS.keys() or len(set(kinds)) < len(kinds):
        raise ValueError(f"events must name some of {', '.join(VIEWS)}, each once; got {events!r}")
    error = (1.0 - confidence) / (4 * len(couples) * len(kinds))
    best = Audit(0.0, -1, 0.0, 1.0, delta, confidence)
    half = int(n) // 2
    below, above = (_known if half <= _KEPT else _known.__wrapped__)(half, error)

    def ratio(hits: NDArray[np.int64], alarms: NDArray[np.int64]) -> Array:
        return np.maximum(below(hits) - delta, 0.0) / above(alarms)

    for index, (one, other) in enumerate(couples):
        drawn = [_outputs(mechanism(each, int(n), rng), int(n)) for each in (one, other)]
        for first, second in (drawn, drawn[::-1]):
            for kind in kinds:
                hit, alarm, event = _bounds(kind, first, second, error, ratio)
                value = math.log((hit - delta) / alarm) if hit > delta else 0.0
                if value > best:
                    best = Audit(value, index, hit, alarm, delta, confidence, event)
    return best


def _outputs(values: ArrayLike, n: int) -> Array:
    array = as_floats(values, "outputs")
    if array.ndim not in (1, 2) or len(array) != n:
        raise ValueError(f"outputs must have shape ({n},) or ({n}, d); got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("outputs must be finite")
    return array.reshape(n, -1)


def _bounds(kind: str, first: Array, second: Array, error: float, ratio: Ratio) -> tuple[float, float, str]:
    """Bounds on the probabilities, under first and second, of the event that is best on the first halves."""
    half = len(first) // 2
    event = best_event(kind, first[:half], second[:half], ratio)
    rest = len(first) - half
    hit, alarm = (np.array(int(event.holds(each[half:]).sum())) for each in (first, second))
    return float(_below(hit, rest, error)), float(_above(alarm, rest, error)), event.text


class _Known:
    """A function of counts from 0 to n, asked once for each."""

    def __init__(self, function: Callable[[NDArray[np.int64]], Array], n: int) -> None:
        self._function, self._values = function, np.full(n + 1, np.nan)

    def __call__(self, counts: NDArray[np.int64]) -> Array:
        missing = np.unique(counts[np.isnan(self._values[counts])])
        if missing.size:
            self._values[missing] = self._function(missing)
        return self._values[counts]


@lru_cache(maxsize=4)
def _known(n: int, error: float) -> tuple[_Known, _Known]:
    """Both bounds: events are compared by the same few counts again and again, in one audit and the next."""
    return _Known(partial(_below, n=n, error=error), n), _Known(partial(_above, n=n, error=error), n)


def _below(hits: NDArray[np.int64], n: int, error: float) -> Array:
    """Clopper and Pearson's lower bound on a probability of which `hits` of n were seen."""
    return np.where(hits > 0, scipy.stats.beta.ppf(error, np.maximum(hits, 1), n - hits + 1), 0.0)


def _above(hits: NDArray[np.int64], n: int, error: float) -> Array:
    """Clopper and Pearson's upper bound."""
    return np.where(hits < n, scipy.stats.beta.ppf(1.0 - error, hits + 1, np.maximum(n - hits, 1)), 1.0)
