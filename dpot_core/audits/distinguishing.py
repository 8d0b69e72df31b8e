"""What many runs on two neighbours tell apart: a lower bound on epsilon that holds with confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta

from dpot_core.checks import Array, as_floats, check_number

#: At most this many thresholds are tried on the first half of the outputs.
_THRESHOLDS = 200


class Audit(float):
    """A lower bound on epsilon (nats), at least 0.

    Attributes:
        pair: index of the pair of neighbours that gave it; -1 if none told anything.
        hit: least probability of the adversary's event under one neighbour, with confidence.
        alarm: greatest probability of the event under the other, with confidence.
        delta: the delta that the bound is about.
        confidence: probability that the bound holds.
    """

    pair: int
    hit: float
    alarm: float
    delta: float
    confidence: float

    def __new__(cls, value: float, pair: int, hit: float, alarm: float, delta: float, confidence: float) -> Audit:
        """Keep how the bound came about beside it."""
        instance = super().__new__(cls, value)
        instance.pair, instance.hit, instance.alarm = pair, hit, alarm
        instance.delta, instance.confidence = delta, confidence
        return instance

    def __reduce__(self) -> tuple[type[Audit], tuple[float, int, float, float, float, float]]:
        return Audit, (float(self), self.pair, self.hit, self.alarm, self.delta, self.confidence)


def audit(
    mechanism: Callable[[Any, int, np.random.Generator], ArrayLike],
    pairs: Iterable[tuple[Any, Any]],
    n: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
    delta: float = 0.0,
) -> Audit:
    r"""Largest epsilon that the mechanism's outputs prove to be too small, with the given confidence.

    For a pair of neighbours and an event E, ``epsilon >= log((P[M(x) in E] - delta)/P[M(x') in E])``. The event is
    chosen on the first half of the outputs (a threshold on how much likelier a value is under one neighbour: counts for
    whole numbers, the best linear direction for real ones) and its probabilities are bounded by Clopper and Pearson on
    the second half, so that the choice costs nothing. The confidence is split over the pairs, their two directions and
    the two probabilities. A bound of 0 says that nothing was found, not that the mechanism is private.

    Args:
        mechanism: ``(input, n, rng) -> outputs``, (n,) whole numbers, or (n,) or (n, d) reals, drawn independently.
        pairs: neighbouring inputs.
        n: outputs that are drawn for each input of each pair, at least 4.
        rng: source of randomness.
        confidence: probability with which the bound holds, in [0.5, 1).
        delta: additive slack of the promise that is tested, in [0, 1).

    Returns:
        A float with `.pair`, `.hit`, `.alarm`: how it came about.

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
    error = (1.0 - confidence) / (4 * len(couples))
    best = Audit(0.0, -1, 0.0, 1.0, delta, confidence)
    for index, (one, other) in enumerate(couples):
        drawn = [_outputs(mechanism(each, int(n), rng), int(n)) for each in (one, other)]
        for first, second in (drawn, drawn[::-1]):
            hit, alarm = _event(first, second, error, delta)
            value = math.log((hit - delta) / alarm) if hit > delta else 0.0
            if value > best:
                best = Audit(value, index, hit, alarm, delta, confidence)
    return best


def _outputs(values: ArrayLike, n: int) -> Array:
    array = as_floats(values, "outputs")
    if array.ndim not in (1, 2) or len(array) != n:
        raise ValueError(f"outputs must have shape ({n},) or ({n}, d); got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("outputs must be finite")
    return array


def _event(first: Array, second: Array, error: float, delta: float) -> tuple[float, float]:
    """Bounds on the probabilities, under first and second, of the event that is best on the first halves."""
    half = len(first) // 2
    scores = _scores(first[:half], second[:half], first, second)
    tried = np.unique(np.concatenate([scores[0][:half], scores[1][:half]]))
    if tried.size > _THRESHOLDS:
        tried = tried[np.linspace(0, tried.size - 1, _THRESHOLDS).astype(int)]
    hits, alarms = (np.sort(score[:half]) for score in scores)
    counts = [half - np.searchsorted(each, tried, side="left") for each in (hits, alarms)]
    low, high = _below(counts[0], half, error), _above(counts[1], half, error)
    chosen = tried[int(np.argmax(np.maximum(low - delta, 0.0) / high))]
    rest = len(first) - half
    hit, alarm = (int((score[half:] >= chosen).sum()) for score in scores)
    return float(_below(np.array(hit), rest, error)), float(_above(np.array(alarm), rest, error))


def _scores(train: Array, train_other: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """How much likelier each output looks under the first input, learnt from the training halves only."""
    if first.ndim == 1 and _whole(train) and _whole(train_other):
        # Laplace's rule: a value that was never seen is no evidence either way.
        values, where = np.unique(np.concatenate([train, train_other]), return_inverse=True)
        ones = np.bincount(where[: len(train)], minlength=values.size) + 1.0
        others = np.bincount(where[len(train) :], minlength=values.size) + 1.0
        ratios = np.append(np.log(ones / others), 0.0)

        def known(outputs: Array) -> Array:
            place = np.minimum(np.searchsorted(values, outputs), values.size - 1)
            return np.asarray(ratios[np.where(values[place] == outputs, place, values.size)])

        return known(first), known(second)
    flat, flat_other = (each.reshape(len(each), -1) for each in (train, train_other))
    spread = np.atleast_2d(np.cov(np.concatenate([flat - flat.mean(0), flat_other - flat_other.mean(0)]).T))
    ridge = 1e-9 * max(float(np.trace(spread)), 1e-300) / len(spread)
    direction = np.linalg.solve(spread + ridge * np.eye(len(spread)), flat.mean(0) - flat_other.mean(0))
    return first.reshape(len(first), -1) @ direction, second.reshape(len(second), -1) @ direction


def _whole(values: Array) -> bool:
    return bool((values == np.round(values)).all())


def _below(hits: NDArray[np.int64], n: int, error: float) -> Array:
    """Clopper and Pearson's lower bound on a probability of which `hits` of n were seen."""
    return np.where(hits > 0, beta.ppf(error, np.maximum(hits, 1), n - hits + 1), 0.0)


def _above(hits: NDArray[np.int64], n: int, error: float) -> Array:
    """Clopper and Pearson's upper bound."""
    return np.where(hits < n, beta.ppf(1.0 - error, hits + 1, np.maximum(n - hits, 1)), 1.0)
