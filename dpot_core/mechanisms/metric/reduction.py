"""Histories of any length: s draws from each, then a mechanism for histories of one public length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import check_count, check_epsilon, check_number
from dpot_core.mechanisms.metric.items import Items, check_items
from dpot_core.privacy.accounting import check_delta
from dpot_core.privacy.guarantees import Guarantee


@dataclass(frozen=True)
class DiscreteGuarantee:
    r"""(epsilon, delta, r)-discrete earth mover's privacy: one promise for all changes of a history by at most r.

    ``P[M(K) in S] <= e^epsilon P[M(K') in S] + delta`` whenever ``d_EM(K, K') <= r``, for histories of any lengths.
    Smaller changes are not protected better; larger ones in steps of r (`at`).

    Args:
        epsilon: privacy parameter in nats.
        delta: additive slack in [0, 1).
        radius: r, in units of the largest distance, in (0, 1].

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Definitions 5.1 and 5.2.
    """

    epsilon: float
    delta: float
    radius: float

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_number(self.delta, "delta", 0.0, 1.0 - 1e-16)
        check_number(self.radius, "radius", 1e-12, 1.0)

    def at(self, distance: float) -> tuple[float, float]:
        r"""(epsilon, delta) for a change of any size: with ``c = ceil(distance/r)`` steps, by group privacy.

        ``(c epsilon, delta (e^(c epsilon) - 1)/(e^epsilon - 1))``. There are c - 1 histories between: mixtures of the
        two ends. (Fact 5.1 prints ``delta e^c``, which does not follow from it for large epsilon.)

        Args:
            distance: d_EM between the two histories, in [0, 1].

        Returns:
            epsilon in nats and delta; delta 1 promises nothing.

        Raises:
            ValueError: if ``distance`` lies outside [0, 1].
        """
        d = check_number(distance, "distance", 0.0, 1.0)
        steps = max(1, math.ceil(d / self.radius - 1e-12))
        if self.delta == 0.0 or steps == 1:
            return steps * self.epsilon, self.delta
        grown = self.delta * sum(math.exp(min(i * self.epsilon, 700.0)) for i in range(steps))
        return steps * self.epsilon, min(grown, 1.0)

    def promise(
        self, what: str, public: Sequence[str] = (), note: str = "", unit: str = "the largest distance"
    ) -> Guarantee:
        """The same as a `Guarantee` about changes by at most r.

        Args:
            what: the change by r in words, such as "any change by at most 0.1 (5 km on average)".
            public: what is known to everybody.
            note: a restriction that a reader of the promise has to know.
            unit: what a distance of 1 is, in words.
        """
        return Guarantee(
            self.epsilon,
            self.delta,
            neighbours="earth-mover-within",
            public=tuple(public),
            note=note,
            protects=(what,),
            unit=unit,
        )


def samples_needed(r: float, delta: float) -> int:
    """How many draws make the additive term no larger than 3 r: ``ceil(ln(1/delta)/r)``.

    Args:
        r: the radius, in units of the largest distance, in (0, 1].
        delta: additive slack, in (0, 1).

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, remarks on Theorem 5.3.
    """
    return math.ceil(math.log(1.0 / check_delta(delta)) / check_number(r, "r", 1e-12, 1.0) - 1e-9)


def stretch(r: float, samples: int, delta: float, *, sharp: bool = False) -> float:
    r"""How far apart the draws of two histories at distance r can be, except with probability delta.

    ``min(1, (1 + sqrt 2) r + (3/s) ln(1/delta))``. Draw s pairs from an optimal coupling of the two histories: their
    distances ``X_i`` lie in [0, 1] and have mean at most r, and ``d_EM`` of the draws is at most the mean of the X_i.
    Bernstein: ``P[sum X_i - s r >= t] <= exp(-t^2/(2 (s r + t/3)))``, which is at most delta for
    ``t = max(2 sqrt(s r L), 4 L/3)``, ``L = ln(1/delta)``; and ``2 sqrt(s r L) <= sqrt 2 s r + L/sqrt 2``. So
    ``4/3 + 1/sqrt 2 < 3`` times ``L/s`` suffices (the paper's Lemma 5.2 prints ``3/8`` for ``3/s``).

    With ``sharp``: the c in [r, 1] with ``KL(c || r) = ln(1/delta)/s`` (Chernoff and Hoeffding), which is smaller.

    Args:
        r: distance between the two histories, in units of the largest distance, in (0, 1].
        samples: draws s from each history, with replacement.
        delta: probability with which the draws may be further apart, in (0, 1).
        sharp: use the sharper bound.

    Returns:
        A distance in [r, 1].

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Lemma 5.2, corrected; Hoeffding 1963, Theorem 1, for the sharper bound.
    """
    r, s = check_number(r, "r", 1e-12, 1.0), check_count(samples, "samples")
    wanted = math.log(1.0 / check_delta(delta)) / s
    if not sharp:
        return min(1.0, (1.0 + math.sqrt(2.0)) * r + 3.0 * wanted)
    low, high = r, 1.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _divergence(middle, r) >= wanted else (middle, high)
    return high


def bounded_rate(epsilon: float, delta: float, r: float, samples: int, *, sharp: bool = False) -> float:
    r"""The rate alpha that the bounded mechanism needs: ``alpha = epsilon/stretch``.

    Then s draws from each history and an ``(alpha, delta)`` mechanism for histories of s items are together
    ``(epsilon, 2 delta, r)``-discrete earth mover's private, for histories of any lengths, local or central.

    Proof. Couple the draws of the changed history as in `stretch`, all others equally. Except with probability delta
    the draws are at most ``stretch`` apart; then the mechanism is ``(alpha stretch, delta)`` = ``(epsilon, delta)``
    private. The hockey-stick divergence is convex and at most 1, so the mixture has at most ``delta + delta``.

    Args:
        epsilon: privacy parameter for changes by at most r, nats.
        delta: slack of the bounded mechanism; the whole has 2 delta. In (0, 1/2).
        r: radius of the promise, in units of the largest distance, in (0, 1].
        samples: draws s from each history.
        sharp: use the sharper `stretch`.

    Returns:
        Alpha per unit of earth mover's distance, nats.

    Raises:
        ValueError: if an argument is out of range, or there are fewer samples than r needs (the number is named).

    Source:
        metric_dp_emd, Theorem 5.3.
    """
    epsilon = check_epsilon(epsilon)
    _check_samples(r, delta, samples)
    return epsilon / stretch(r, samples, delta, sharp=sharp)


def discrete_guarantee(alpha: float, delta: float, r: float, samples: int, *, sharp: bool = False) -> DiscreteGuarantee:
    """The promise of an (alpha, delta) mechanism on s draws from each history: (alpha stretch, 2 delta, r).

    Args:
        alpha: rate of the bounded mechanism per unit of earth mover's distance, nats.
        delta: its slack, in (0, 1/2).
        r: radius of the promise, in units of the largest distance, in (0, 1].
        samples: draws s from each history.
        sharp: use the sharper `stretch`.

    Returns:
        The promise for histories of any lengths.

    Raises:
        ValueError: if an argument is out of range, or there are fewer samples than r needs (the number is named).

    Source:
        metric_dp_emd, Theorem 5.3.
    """
    _check_samples(r, delta, samples)
    rate = check_number(alpha, "alpha", 1e-9, 1e12)
    return DiscreteGuarantee(rate * stretch(r, samples, delta, sharp=sharp), 2.0 * delta, r)


def sample_histories(histories: Sequence[ArrayLike], samples: int, rng: np.random.Generator) -> Items:
    """Algorithm 3: s draws with replacement from each history, whatever its length.

    Args:
        histories: one array of indices of points for each user, each with at least one item.
        samples: draws s from each.
        rng: source of randomness; a seed makes a demonstration, not a release.

    Returns:
        Indices, (n, s).

    Raises:
        ValueError: if there is no user, or a history is empty or holds no indices.

    Source:
        metric_dp_emd, Algorithm 3.
    """
    s = check_count(samples, "samples")
    if len(histories) == 0:
        raise ValueError("histories must hold at least one user; got none")
    rows: list[NDArray[np.int64]] = []
    for number, history in enumerate(histories):
        items = np.asarray(history)
        if items.ndim != 1 or items.size == 0:
            raise ValueError(f"histories must be non-empty lists of items; that of user {number} has {items.shape}")
        points = check_items(items, int(items.max()) + 1)
        rows.append(points[rng.integers(len(points), size=s)])
    return np.stack(rows)


def _check_samples(r: float, delta: float, samples: int) -> None:
    if check_delta(delta) >= 0.5:
        raise ValueError(f"delta must be less than 1/2, because the whole has twice as much; got {delta:g}")
    needed = samples_needed(r, delta)
    if check_count(samples, "samples") < needed:
        raise ValueError(f"samples must be at least {needed} for r = {r:g} and delta = {delta:g}; got {samples}")


def _divergence(a: float, b: float) -> float:
    """KL divergence between coins with heads a and b, nats."""
    heads = a * math.log(a / b) if a > 0 else 0.0
    tails = (1.0 - a) * math.log((1.0 - a) / (1.0 - b)) if a < 1.0 and b < 1.0 else 0.0
    return heads + tails
