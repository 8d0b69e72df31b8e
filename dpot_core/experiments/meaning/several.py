"""Several releases: exact sums for local privacy, and Gaussian releases under central privacy with delta."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np
import pandas as pd

from dpot_core.accounting import gaussian_epsilon, gaussian_noise
from dpot_core.checks import Array
from dpot_core.experiments.meaning.one_release import prior
from dpot_core.guarantees import Guarantee
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import free, number, settings, whole

#: At most so many releases in one list.
MOST_RELEASES = 100

DELTAS = (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)

# Digits and exponents beyond these are no privacy parameters but ways to keep a machine busy.
_NUMBER = re.compile(r"\d{1,12}(\.\d{0,12})?(e-?\d{1,2})?|\.\d{1,12}|\d{1,12}/\d{1,12}", re.IGNORECASE)


@settings
class ReleasesConfig:
    """Local releases about one person.

    Attributes:
        epsilons: of each release, as text: "0.1" is a tenth exactly, "1/3" a third.
        prior: probability given to a statement before, in (0, 1).
    """

    epsilons: tuple[str, ...] = free(
        "ε of each release",
        ("1/2", "1/2", "1"),
        help="Separated by commas. Decimals and fractions are taken exactly: 0.1 is a tenth.",
    )
    prior: float = prior(0.5)

    @property
    def total(self) -> Fraction:
        """The sum, exactly."""
        return sum(map(Fraction, self.epsilons), Fraction(0))

    @property
    def guarantee(self) -> Guarantee:
        """The promise of all releases together; epsilon is the exact sum, rounded up to a float."""
        return Guarantee(
            rounded_up(self.total),
            neighbours="local",
            public=("the methods and their settings",),
            note=f"For all {len(self.epsilons)} releases together: their epsilons add up.",
        )


@dataclass(frozen=True)
class Releases:
    """What local releases add up to.

    Attributes:
        config: the settings.
        sums: after each release, exactly.
        most: largest posterior after each release, (T,).
    """

    config: ReleasesConfig
    sums: tuple[Fraction, ...]
    most: Array

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        steps = {
            "release": np.arange(1, len(self.sums) + 1),
            "epsilon": list(self.config.epsilons),
            "sum, exact": [str(value) for value in self.sums],
            "sum": [rounded_up(value) for value in self.sums],
            "largest posterior": self.most,
        }
        return {"releases": pd.DataFrame(steps)}


@settings
class RoundsConfig:
    """Equal Gaussian releases from the data of many people.

    Attributes:
        epsilon: of each release, nats.
        delta: of each release.
        rounds: how many.
    """

    epsilon: float = epsilon(0.5, link="each")
    delta: float = number(
        "δ of each release",
        1e-6,
        low=1e-15,
        high=0.1,
        step=10.0,
        factor=True,
        grid=DELTAS,
        widget="steps",
        link="delta",
    )
    rounds: int = whole("Releases", 30, low=1, high=1000, soft=(1, 200), step=5.0, widget="slider", link="rounds")

    @property
    def total_delta(self) -> float:
        """Delta of all releases together, for both ways of counting."""
        return self.rounds * self.delta

    @property
    def guarantee(self) -> Guarantee:
        """The promise of all releases together, by exact composition of Gaussian noise."""
        return Guarantee(
            rounds(self).exact[-1],
            self.total_delta,
            neighbours="replace",
            public=("how many people take part", "the methods and their settings"),
            note=f"For {self.rounds} releases with Gaussian noise, each of which may depend on those before.",
        )


@dataclass(frozen=True)
class Rounds:
    """Epsilon of 1, 2, ... releases at delta = rounds times the delta of each.

    Attributes:
        config: the settings.
        noise: standard deviation of the noise of each release, in units of its sensitivity.
        count: 1, ..., rounds, (T,).
        exact: epsilon by the exact composition of Gaussian noise, (T,).
    """

    config: RoundsConfig
    noise: float
    count: Array
    exact: Array

    @property
    def basic(self) -> Array:
        """Epsilon by adding up, (T,)."""
        return np.asarray(self.count * self.config.epsilon)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        curves = {"releases": self.count.astype(int), "delta": self.count * self.config.delta}
        curves |= {"epsilon, added up": self.basic, "epsilon, exact": self.exact}
        return {"rounds": pd.DataFrame(curves)}


def read_epsilons(text: str) -> tuple[str, ...]:
    """Read epsilons separated by commas, semicolons, blanks or lines, kept as text so that sums stay exact.

    >>> read_epsilons("0.1, 1/3;  2")
    ('0.1', '1/3', '2')

    Args:
        text: numbers such as 0.1, 1e-3 or 1/3.

    Raises:
        ValueError: names the entry that is no number of at least 0, or says that there are none or too many.
    """
    parts = tuple(part for part in re.split(r"[,;\s]+", text) if part)
    if not parts:
        raise ValueError("epsilons must name at least one number; got none")
    if len(parts) > MOST_RELEASES:
        raise ValueError(f"epsilons must be at most {MOST_RELEASES} numbers; got {len(parts)}")
    for place, part in enumerate(parts, start=1):
        if not _NUMBER.fullmatch(part) or ("/" in part and int(part.split("/")[1]) == 0):
            raise ValueError(f"epsilons must be numbers like 0.1 or 1/3; entry {place} is {part[:20]!r}")
        if Fraction(part) > 10**6:
            raise ValueError(f"epsilons must be at most 1,000,000; entry {place} is {part[:20]!r}")
    return parts


def rounded_up(value: Fraction) -> float:
    """The smallest float that is not below an exact number.

    Args:
        value: exact, at least 0.
    """
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def releases(config: ReleasesConfig) -> Releases:
    """Add up local releases exactly (basic composition), and bound what can be believed after each.

    Args:
        config: the settings.

    Raises:
        ValueError: if there is no release, or an epsilon cannot be read.

    Source:
        Dwork and Roth 2014, Theorem 3.16.
    """
    read_epsilons(" ".join(config.epsilons))
    terms = [Fraction(text) for text in config.epsilons]
    sums = reduce(lambda known, term: [*known, known[-1] + term], terms[1:], terms[:1])
    most = [Guarantee(rounded_up(total)).posterior(config.prior) for total in sums]
    return Releases(config, tuple(sums), np.array(most))


def rounds(config: RoundsConfig) -> Rounds:
    """Compose equal Gaussian releases exactly: k of them are one with sqrt(k) times the sensitivity.

    Both ways of counting are at the same delta, ``k delta`` after k releases, so that their epsilons compare.

    Args:
        config: the settings.

    Raises:
        ValueError: if the deltas add up to 1 or more.

    Source:
        Dong, Roth, Su 2022, Corollary 2; `dpot_core.accounting`.
    """
    if config.total_delta >= 1.0:
        raise ValueError(f"rounds times delta must be below 1; got {config.total_delta:g}")
    noise = gaussian_noise(config.epsilon, config.delta)
    count: Array = np.arange(1.0, config.rounds + 1)
    exact = [gaussian_epsilon(noise, int(k) * config.delta, steps=int(k)) for k in count]
    return Rounds(config, noise, count, np.array(exact))
