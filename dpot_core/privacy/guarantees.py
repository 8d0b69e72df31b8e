"""The privacy promise as a value: what it bounds, for whom, and how promises add up."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.rounding import added

NEIGHBOURS: dict[str, str] = {
    "local": "any two inputs that one person could have",
    "replace": "two data sets that differ in one record: any other record takes its place",
    "replace-in-both": "two pairs of data sets that differ in one record of each: any other records take their places",
    "add-remove": "two data sets, one of which lacks one record",
    "metric": "two inputs at distance 1 (at distance d, epsilon is multiplied by d)",
    "metric-within": "two inputs of one person at most so far apart",
    "earth-mover": "two histories of one person: changing a fraction τ of one by a distance q costs α τ q",
    "earth-mover-within": "two histories of one person at most so far apart in earth mover's distance",
}

#: Said of a promise that is claimed only.
REFUSED = "What is not proven is not released: this guarantee is claimed by a paper, and not proven"

#: What one record is. A promise about one record is weaker for a person who has several.
RECORDS: dict[str, str] = {
    "person": "all that the data hold about one person",
    "check-in": "one check-in: a person with several is promised less",
    "point": "one point: a person with several is promised less",
    "picture": "one picture",
}

#: Changing two things of one person: from which promise another follows by two steps, each of which costs it once.
_TWO_STEPS = {("replace", "replace-in-both"), ("add-remove", "replace")}


@dataclass(frozen=True)
class Sampled:
    """The promise towards a population, for a person who is known to be in the sample: the weaker layer.

    Attributes:
        epsilon: privacy parameter towards the people in the sample, nats.
        delta: likewise, the slack.
        rate: largest share of a group's population that is in the sample, in (0, 1].
    """

    epsilon: float
    delta: float
    rate: float


@dataclass(frozen=True)
class Guarantee:
    r"""A promise: neighbours' outputs differ in probability by at most ``exp(epsilon)`` and ``delta``.

    ``P[M(x) in S] <= exp(epsilon) P[M(x') in S] + delta`` for all neighbours ``x``, ``x'`` and all ``S``.

    Args:
        epsilon: privacy parameter in nats, finite, at least 0 (0: the output tells nothing).
        delta: additive slack in [0, 1).
        neighbours: a key of ``NEIGHBOURS``: which pairs of inputs the promise is about.
        public: what is known to everybody and therefore not protected, in words.
        note: a restriction that a reader of the promise has to know.
        rate: for "earth-mover" only: alpha, the privacy parameter per unit of earth mover's distance, more than 0.
        protects: for the two "earth-mover" relations: the changes, in words, for which ``epsilon`` holds;
            "metric-within" can name how far.
        record: a key of ``RECORDS``: what one record is.
        unit: for "metric" and "earth-mover": what a distance of 1 is, in words; promises in unlike units do not add up.
        sampled: the promise to a person known to be in the sample, where the promise is towards a population.
        gaussian: mu, where the mechanism is mu-Gaussian-private: neighbours are as hard to tell apart as N(0, 1) and
            N(mu, 1). Then promises compose exactly and the probability of a larger loss is known.
        proven: whether the promise is proven for what the code does; False: claimed by a paper.

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
    record: str = "person"
    unit: str = ""
    sampled: Sampled | None = None
    gaussian: float | None = None
    proven: bool = True

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon >= 0.0):
            raise ValueError(f"epsilon must be finite and at least 0, got {self.epsilon!r}")
        if not 0.0 <= self.delta < 1.0:
            raise ValueError(f"delta must lie in [0, 1), got {self.delta!r}")
        if self.neighbours not in NEIGHBOURS:
            raise ValueError(f"neighbours must be one of {', '.join(NEIGHBOURS)}, got {self.neighbours!r}")
        if self.record not in RECORDS:
            raise ValueError(f"record must be one of {', '.join(RECORDS)}, got {self.record!r}")
        if (self.neighbours == "earth-mover") != (self.rate is not None):
            raise ValueError(f"rate goes with neighbours 'earth-mover' and no other, got {self.neighbours!r}")
        if self.rate is not None and not (math.isfinite(self.rate) and self.rate > 0.0):
            raise ValueError(f"rate must be finite and more than 0, got {self.rate!r}")
        if self.neighbours.startswith("earth-mover") != bool(self.protects) and self.neighbours != "metric-within":
            raise ValueError(f"protects names the changes of an 'earth-mover' relation; got {self.protects!r}")
        if self.gaussian is not None and not (math.isfinite(self.gaussian) and self.gaussian > 0.0):
            raise ValueError(f"gaussian must be finite and more than 0, got {self.gaussian!r}")

    @property
    def odds_factor(self) -> float:
        """The factor by which an output can change an observer's odds: ``exp(epsilon)`` (inf beyond float64)."""
        return math.exp(self.epsilon) if self.epsilon < 709.0 else math.inf

    @property
    def exceeded(self) -> float | None:
        r"""Probability that the privacy loss exceeds epsilon: more than delta. None where it is not known.

        For a mu-Gaussian-private mechanism the loss is N(mu^2/2, mu^2) in the worst case, so that it is
        ``Phi(mu/2 - epsilon/mu)``; delta weighs every excess by how large it is, and is smaller.

        Source:
            Balle and Wang 2018, Lemma 3.
        """
        if self.delta == 0.0:
            return 0.0
        if self.gaussian is None:
            return None
        return 0.5 * math.erfc((self.epsilon / self.gaussian - 0.5 * self.gaussian) / math.sqrt(2.0))

    def released(self) -> Guarantee:
        """The promise itself, if it is proven: all that draws or offers a real release asks here, and nowhere else.

        Raises:
            ValueError: if the promise is claimed only.
        """
        if not self.proven:
            raise ValueError(REFUSED)
        return self

    def posterior(self, prior: float = 0.5) -> float:
        r"""The most that someone can believe in one neighbour after seeing the output.

        For ``delta = 0``: ``prior e^epsilon / (prior e^epsilon + 1 - prior)`` (Bayes), for every output.
        For ``delta > 0`` no such bound holds for every output. What holds is an average: an observer who decides
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
        if self.neighbours in ("replace", "replace-in-both", "add-remove"):
            text += f"; one record is {RECORDS[self.record]}"
        if self.unit:
            text += f"; distance 1 is {self.unit}"
        if not self.protects:
            return text
        cost = "" if self.rate is None else f", α = {at_most(self.rate)} per unit of distance"
        return f"{'; '.join(self.protects)}. In general {text}{cost}" if cost else f"{'; '.join(self.protects)}: {text}"

    @property
    def weakest(self) -> Guarantee:
        """The weakest promise that this one implies: to a person known to be in the sample, if there is a sample.

        Returns:
            The promise with the epsilon and delta of that layer, or this one.
        """
        if self.sampled is None:
            return self
        return replace(self, epsilon=self.sampled.epsilon, delta=self.sampled.delta, sampled=None)

    def two_steps(self) -> tuple[float, float]:
        """(epsilon, delta) for inputs that are two neighbours apart: ``(2 epsilon, (1 + e^epsilon) delta)``.

        Raises:
            ValueError: if that delta is 1 or more.

        Source:
            Dwork and Roth 2014, Theorem 2.2; Vadhan 2017, Lemma 2.2 for delta.
        """
        # Exponential, sum and product err by less than 2^-50 together.
        delta = (1.0 + self.odds_factor) * self.delta * (1.0 + 2.0**-50) if self.delta else 0.0
        if delta >= 1.0:
            raise ValueError(f"delta of two steps must be below 1; got {delta:.3g}")
        return 2.0 * self.epsilon, delta

    def restated(self, neighbours: str) -> Guarantee:
        """The promise about other neighbours that follows from this one, at twice the epsilon.

        "replace" for one data set gives "replace-in-both" for a person with a record in each; "add-remove" gives
        "replace", which takes one record away and adds another. Either is two steps (`two_steps`); a mechanism that is
        mu-Gaussian-private is 2 mu-Gaussian-private over two steps.

        Args:
            neighbours: a key of ``NEIGHBOURS``.

        Raises:
            ValueError: if no such promise follows.
        """
        if neighbours == self.neighbours:
            return self
        if (self.neighbours, neighbours) not in _TWO_STEPS or self.sampled is not None:
            raise ValueError(f"a promise about {self.neighbours!r} says nothing about {neighbours!r}")
        epsilon, delta = self.two_steps()
        return replace(
            self,
            epsilon=epsilon,
            delta=delta,
            neighbours=neighbours,
            gaussian=None if self.gaussian is None else 2.0 * self.gaussian,
            note=_joined((self.note, f"restated from {self.neighbours!r}, two steps away: twice the epsilon")),
        )

    def compose(self, other: Guarantee) -> Guarantee:
        """The promise of both releases together: epsilons and deltas add up (basic composition), rounded up.

        Each release draws noise of its own and, where people are sampled, a sample of its own; releases from one
        sample compose before the sampling helps (`accounting.from_one_sample`).

        Args:
            other: the promise of a second release about the same person, which may depend on the first one.

        Returns:
            The promise of the pair; what is public is the union, notes are joined.

        Raises:
            ValueError: if the two promises are about different neighbours, records or units, or the deltas sum to 1
                or more.

        Source:
            Dwork and Roth 2014, Theorem 3.16.
        """
        self._check_alike(other)
        sampled = None
        if self.sampled is not None and other.sampled is not None:
            # A person may be known to be in both samples.
            sampled = Sampled(
                added(self.sampled.epsilon, other.sampled.epsilon),
                added(self.sampled.delta, other.sampled.delta),
                max(self.sampled.rate, other.sampled.rate),
            )
        elif self.sampled is not None or other.sampled is not None:
            one, two = self.weakest, other.weakest
            rate = max(part.sampled.rate for part in (self, other) if part.sampled is not None)
            sampled = Sampled(added(one.epsilon, two.epsilon), added(one.delta, two.delta), rate)
        both = self.gaussian is not None and other.gaussian is not None
        return Guarantee(
            epsilon=added(self.epsilon, other.epsilon),
            delta=added(self.delta, other.delta),
            neighbours=self.neighbours,
            public=tuple(dict.fromkeys(self.public + other.public)),
            note=_joined((self.note, other.note)),
            rate=None if self.rate is None or other.rate is None else added(self.rate, other.rate),
            protects=self.protects,
            record=self.record,
            unit=self.unit,
            sampled=sampled,
            gaussian=math.hypot(self.gaussian or 0.0, other.gaussian or 0.0) if both else None,
            proven=self.proven and other.proven,
        )

    def _check_alike(self, other: Guarantee) -> None:
        """Complain about a promise that does not add up with this one."""
        for what, one, two in (
            ("neighbours", self.neighbours, other.neighbours),
            ("records", self.record, other.record),
            ("changes", self.protects, other.protects),
            ("units of distance", self.unit, other.unit),
        ):
            if one != two:
                raise ValueError(
                    f"promises about different {what} do not add up: {one!r} and {two!r}; restate one of them first"
                )


def _joined(notes: Sequence[str]) -> str:
    """Notes one after the other, each sentence once, nor beside one that says it and more.

    >>> _joined(["A grid. Its box is public.", "", "For one of them; its box is public", "A grid."])
    'A grid. Its box is public. For one of them; its box is public'
    >>> _joined(["For one release; one shuffler sees all.", "For one release."])
    'For one release; one shuffler sees all.'
    """
    said = dict.fromkeys(part for note in notes if note for part in re.split(r"(?<=\.) ", note))
    kept = [one for one in said if not any(other.startswith(f"{one.removesuffix('.')};") for other in said)]
    return "".join(f"{part}{' ' if part.endswith('.') else '; '}" for part in kept).rstrip("; ")
