"""One promise about the people whose points are used, or two when they are a sample of a population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import EPSILON_RANGE, check_count, check_epsilon
from dpot_core.mechanisms.central.partition import SENSITIVITY
from dpot_core.privacy.accounting import SAFETY, sample_epsilon
from dpot_core.privacy.guarantees import Guarantee, Sampled


@dataclass(frozen=True)
class Protection:
    """Whom a promise about points protects, and from what on.

    Attributes:
        adjacency: "replace" (one point is exchanged; n is public) or "add-remove" (n is not public; what would follow
            from it, such as depth and chunks, must be given).
        population: people of whom each group is a uniform sample without replacement, one number or one per group;
            None if the points are everybody.
        outside: "clip" points outside the region to the nearest point of it, or "refuse" them: an error, which tells
            that there are some and is covered by no promise.
        secure: draw the noise for a release, with OpenDP; it cannot be seeded.
    """

    adjacency: str = "replace"
    population: int | Sequence[int] | None = None
    outside: str = "clip"
    secure: bool = False

    @property
    def hidden(self) -> bool:
        """Whether the numbers of points are not public."""
        return self.adjacency == "add-remove"


@dataclass(frozen=True)
class Budget:
    """The budget of a mechanism for the points that it sees, and the promise that follows, with its neighbours.

    Attributes:
        epsilon: what may be spent towards the points that are used, nats.
        delta: likewise, the slack.
        adjacency: "replace" or "add-remove".
        rate: largest share of a group's population that is in the sample; None if there is no population.
        outer: (epsilon, delta) that were asked for.
        sizes: words about the sizes of the groups.
    """

    epsilon: float
    delta: float
    adjacency: str
    rate: float | None
    outer: tuple[float, float]
    sizes: str

    def sample_guarantee(self, *public: str, note: str = "", gaussian: float | None = None) -> Guarantee:
        """The promise to those whose points are used.

        Args:
            public: facts that are public, in words.
            note: what a reader of the promise has to know.
            gaussian: mu, where the whole mechanism is mu-Gaussian-private towards them.
        """
        return Guarantee(self.epsilon, self.delta, self.adjacency, self._facts(public), note, gaussian=gaussian)

    def guarantee(self, *public: str, note: str = "", gaussian: float | None = None) -> Guarantee:
        """The promise that was asked for: towards the population if there is one, else `sample_guarantee`.

        Args:
            public: facts that are public, in words.
            note: what a reader of the promise has to know.
            gaussian: as in `sample_guarantee`; a sampled mechanism is not Gaussian towards the population.
        """
        if self.rate is None:
            return self.sample_guarantee(*public, note=note, gaussian=gaussian)
        facts = (*self._facts(public), "sizes of the populations")
        inner = Sampled(self.epsilon, self.delta, self.rate)
        return Guarantee(*self.outer, self.adjacency, facts, note, sampled=inner)

    def _facts(self, public: tuple[str, ...]) -> tuple[str, ...]:
        return (*((self.sizes,) if self.sizes else ()), *public)


def budget(epsilon: float, delta: float, sizes: Sequence[int], protection: Protection) -> Budget:
    """Turn what is promised into what may be spent on the points at hand.

    With a population, ``epsilon_sample = log(1 + (e^epsilon - 1)/q)`` and ``delta_sample = delta/q`` for the largest
    sampling rate q of a group: a neighbour differs in one person, who belongs to one group and is sampled at its rate.

    Args:
        epsilon: privacy parameter that is promised, nats.
        delta: slack that is promised.
        sizes: number of points of each group.
        protection: whom the promise protects.

    Returns:
        What may be spent and promised.

    Raises:
        ValueError: if an argument is out of range, or a population is given under "add-remove" (the amplification
            holds for samples of a fixed size and a replaced person), or delta is not below the rate.

    Source:
        Balle, Barthe, Gaboardi 2018, Theorem 9.
    """
    inner, adjacency, population = check_epsilon(epsilon), protection.adjacency, protection.population
    if adjacency not in SENSITIVITY:
        raise ValueError(f"adjacency must be one of {', '.join(SENSITIVITY)}; got {adjacency!r}")
    several = len(sizes) > 1
    known = ("group of each person and sizes of the groups" if several else "number of points n") * (
        adjacency == "replace"
    )
    known = known or "group of each person" * several
    if population is None:
        return Budget(inner, delta, adjacency, None, (inner, delta), known)
    if adjacency != "replace":
        raise ValueError("population needs adjacency 'replace': amplification holds for samples of a fixed size")
    counts = [population] * len(sizes) if isinstance(population, int | np.integer) else list(population)
    if len(counts) != len(sizes):
        raise ValueError(f"population must have one size per group, {len(sizes)}; got {len(counts)}")
    rate = max(n / check_count(count, "population", n) for n, count in zip(sizes, counts, strict=True))
    if delta and delta / rate >= 1.0:
        raise ValueError(
            f"delta must be below the sampling rate {rate:.4g} (otherwise publishing the sample would satisfy it); got "
            f"{delta:g}"
        )
    # Less than what may be spent is safe.
    spent = min(sample_epsilon(inner, rate), EPSILON_RANGE[1])
    return Budget(spent, delta / rate / SAFETY, adjacency, rate, (inner, delta), known)
