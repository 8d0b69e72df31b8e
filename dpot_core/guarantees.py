"""The privacy promise as a value: what it bounds, for whom, and how promises add up."""

from __future__ import annotations

import math
from dataclasses import dataclass

NEIGHBOURS: dict[str, str] = {
    "local": "any two inputs that one person could have",
    "replace": "two data sets that differ in the record of one person, replaced by any other record",
    "add-remove": "two data sets, one of which lacks the record of one person",
    "metric": "two inputs at distance 1 (at distance d, epsilon is multiplied by d)",
    "earth-mover": "two histories of one person: changing a fraction τ of one by a distance q costs α τ q",
    "earth-mover-within": "two histories of one person at most so far apart in earth mover's distance",
}


@dataclass(frozen=True)
class Guarantee:
    r"""A promise: neighbours' outputs differ in probability by at most ``exp(epsilon)`` and ``delta``.

    ``P[M(x) in S] <= exp(epsilon) P[M(x') in S] + delta`` for all neighbours ``x``, ``x'`` and all ``S``.

    Args:
        epsilon: privacy parameter in nats, finite, at least 0 (0: the output tells nothing).
        delta: additive slack in [0, 1).
        neighbours: a key of ``NEIGHBOURS``: which pairs of inputs the promise is about.
        public: what is known to everybody and therefore not protected, in words.
        note: a restriction that whoever reads the promise has to know.
        rate: for "earth-mover" only: alpha, the privacy parameter per unit of earth mover's distance, more than 0.
        protects: for the two "earth-mover" relations: the changes, in words, for which ``epsilon`` holds.

    Raises:
        ValueError: if an argument is out of range or ``neighbours`` is unknown.
    """

    epsilon: float
    delta: float = 0.0
    neighbours: str = "local"
    public: tuple[str, ...] = ()
    note: str = ""
    rate: float | None = None
    protects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon >= 0.0):
            raise ValueError(f"epsilon must be finite and at least 0, got {self.epsilon!r}")
        if not 0.0 <= self.delta < 1.0:
            raise ValueError(f"delta must lie in [0, 1), got {self.delta!r}")
        if self.neighbours not in NEIGHBOURS:
            raise ValueError(f"neighbours must be one of {', '.join(NEIGHBOURS)}, got {self.neighbours!r}")
        if (self.neighbours == "earth-mover") != (self.rate is not None):
            raise ValueError(f"rate goes with neighbours 'earth-mover' and no other, got {self.neighbours!r}")
        if self.rate is not None and not (math.isfinite(self.rate) and self.rate > 0.0):
            raise ValueError(f"rate must be finite and more than 0, got {self.rate!r}")
        if self.neighbours.startswith("earth-mover") != bool(self.protects):
            raise ValueError(f"protects names the changes of an 'earth-mover' relation; got {self.protects!r}")

    @property
    def odds_factor(self) -> float:
        """The factor by which an output can change anybody's odds: ``exp(epsilon)`` (inf beyond float64)."""
        return math.exp(self.epsilon) if self.epsilon < 709.0 else math.inf

    def posterior(self, prior: float = 0.5) -> float:
        r"""The most that someone can believe in one neighbour after seeing the output.

        For ``delta = 0``: ``prior e^epsilon / (prior e^epsilon + 1 - prior)`` (Bayes), for every output.
        For ``delta > 0`` no such bound holds for every output. What holds is an average: whoever decides
        between the two neighbours is right with probability at most
        ``max over a in [0, 1 - delta] of prior TP(a) + (1 - prior)(1 - a)`` where
        ``TP(a) = min(e^epsilon a + delta, 1 - e^-epsilon (1 - delta - a))``; that is what is returned.

        Args:
            prior: probability given to the neighbour before the release, in [0, 1].

        Returns:
            A probability.

        Raises:
            ValueError: if ``prior`` is outside [0, 1].

        Source:
            Bayes' rule for ``delta = 0``; Kairouz, Oh, Viswanath 2015 (trade-off region) otherwise.
        """
        if not 0.0 <= prior <= 1.0:
            raise ValueError(f"prior must lie in [0, 1], got {prior!r}")
        odds = math.exp(-self.epsilon)
        if self.delta == 0.0:
            return prior / (prior + (1.0 - prior) * odds) if prior > 0.0 else 0.0
        # The region's upper edge is piecewise linear with three corners, so the best test is at a corner.
        corners = (
            (0.0, self.delta),
            ((1.0 - self.delta) * odds / (1.0 + odds), (1.0 + self.delta * odds) / (1.0 + odds)),
            (1.0 - self.delta, 1.0),
        )
        return max(prior * hit + (1.0 - prior) * (1.0 - alarm) for alarm, hit in corners)

    @property
    def neighbours_text(self) -> str:
        """Between whom the promise holds, in words."""
        text = NEIGHBOURS[self.neighbours]
        if not self.protects:
            return text
        cost = "" if self.rate is None else f", α = {self.rate:.4g} per unit of distance"
        return f"{'; '.join(self.protects)}. In general {text}{cost}" if cost else f"{'; '.join(self.protects)}: {text}"

    def compose(self, other: Guarantee) -> Guarantee:
        """The promise of both releases together: epsilons and deltas add up (basic composition).

        Args:
            other: the promise of a second release about the same person, which may depend on the first one.

        Returns:
            The promise of the pair; what is public is the union, notes are joined.

        Raises:
            ValueError: if the two promises are about different neighbours, or the deltas sum to 1 or more.

        Source:
            Dwork and Roth 2014, Theorem 3.16.
        """
        if self.neighbours != other.neighbours:
            raise ValueError(
                "promises about different neighbours do not add up: "
                f"{self.neighbours!r} and {other.neighbours!r}; restate one of them first"
            )
        if self.protects != other.protects:
            raise ValueError(f"promises about different changes do not add up: {self.protects} and {other.protects}")
        notes = dict.fromkeys(note for note in (self.note, other.note) if note)
        return Guarantee(
            epsilon=self.epsilon + other.epsilon,
            delta=self.delta + other.delta,
            neighbours=self.neighbours,
            public=tuple(dict.fromkeys(self.public + other.public)),
            note="; ".join(notes),
            rate=None if self.rate is None or other.rate is None else self.rate + other.rate,
            protects=self.protects,
        )
