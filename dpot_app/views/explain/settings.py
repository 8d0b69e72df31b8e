import re
from fractions import Fraction
from typing import Any

from dpot_app.kit.fields import epsilon
from dpot_app.kit.links import CannotShowError, Parameters, only, parameters
from dpot_app.kit.setting import free, number, settings, steps, whole
from dpot_app.kit.values import ScenarioError
from dpot_core.privacy.accounting import gaussian_epsilon, gaussian_noise
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_least
from dpot_core.privacy.rounding import rounded_up

TABS = {
    "one": "One release",
    "distance": "Privacy by distance",
    "several": "Several releases",
    "known": "Known deployments",
}
SEVERAL = {"local": "Local", "central": "Central"}

#: Largest epsilon that is explained: places far apart have large ones.
MOST_EPSILON = 1e6
#: At most so many releases in one list.
MOST_RELEASES = 100

ALPHAS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
DISTANCES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0)
ALPHA_HELP = "ε between two inputs is α times their distance: near things are hard to tell apart, far ones may be easy."
DELTAS = (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)

_METHODS = ("the methods and their settings",)

# Digits and exponents beyond these are no privacy parameters but ways to keep a machine busy.
_NUMBER = re.compile(r"\d{1,12}(\.\d{0,12})?(e-?\d{1,2})?|\.\d{1,12}|\d{1,12}/\d{1,12}", re.IGNORECASE)


def prior(default: float) -> Any:
    """The field of the belief before the release; the page asks for it in per cent."""
    help = (
        "How sure an observer was of something about you before the release. Of 100 people like you, for how many is "
        "it true?"
    )
    known: dict[str, Any] = {"low": 1e-9, "high": 1 - 1e-9, "step": 1.25, "factor": True, "help": help}
    return number("Belief before the release (probability)", default, **known)


@settings
class Config:
    """Settings of one release."""

    epsilon: float = epsilon(2.0, low=0.0, high=MOST_EPSILON)
    prior: float = prior(0.1)

    @property
    def guarantee(self) -> Guarantee:
        """The promise that is explained."""
        note = "For one release. No promise covers what others know from elsewhere (the prior)."
        return Guarantee(self.epsilon, neighbours="local", public=("the method and its settings",), note=note)


@settings
class DistanceConfig:
    """Settings of a release under metric privacy."""

    alpha: float = steps(
        "Privacy per kilometre α (1/km)", 0.5, ALPHAS, "alpha", 1.25, low=1e-3, high=100.0, help=ALPHA_HELP
    )
    distance: float = steps(
        "Distance between the two places (km)", 2.0, DISTANCES, "distance", 1.25, low=0.0, high=1000.0
    )
    prior: float = prior(0.5)
    farthest: float = number("End of the curve (km)", 20.0, low=1e-3, high=1000.0)

    @property
    def guarantee(self) -> Guarantee:
        """The promise that is explained; epsilon is the one at distance 1 km."""
        public = ("the distance and its unit, km", "the method and its settings")
        note = "At distance d, ε is α d. Between inputs far apart the promise is weak, on purpose."
        return Guarantee(self.alpha, neighbours="metric", unit="1 km", public=public, note=note)

    @property
    def promise(self) -> Guarantee:
        """The same promise as it is for two places at the distance asked for: epsilon is alpha times the distance."""
        public = ("the distance and its unit, km", "the method and its settings")
        note = f"α = {self.alpha:g} per km: at d km ε is α d. Between inputs far apart the promise is weak, on purpose."
        places = (f"two places at most {at_least(self.distance)} km apart",)
        epsilon = self.alpha * self.distance
        return Guarantee(epsilon, neighbours="metric-within", protects=places, public=public, note=note)


@settings
class ReleasesConfig:
    """Local releases about one person."""

    epsilons: tuple[str, ...] = free(
        "ε of each release",
        ("1/2", "1/2", "1"),
        help="Separated by commas. Decimals and fractions are taken exactly: 0.1 is a tenth.",
    )
    prior: float = prior(0.5)

    @property
    def total(self) -> Fraction:
        return sum(map(Fraction, self.epsilons), Fraction(0))

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of all releases together; epsilon is the exact sum, rounded up to a float."""
        count = len(self.epsilons)
        note = f"For all {count} releases together: their values of ε add up." if count > 1 else "For this one release."
        public = _METHODS
        return Guarantee(rounded_up(self.total), neighbours="local", public=public, note=note)


@settings
class RoundsConfig:
    """Equal Gaussian releases from the data of many people."""

    epsilon: float = epsilon(0.5, link="each")
    delta: float = steps("δ of each release", 1e-6, DELTAS, "delta", 10.0, low=1e-15, high=0.1)
    rounds: int = whole("Releases", 30, low=1, high=1000, soft=(1, 200), step=5.0, widget="slider", link="rounds")

    @property
    def total_delta(self) -> float:
        """Delta of all releases together, for both ways of counting."""
        return self.rounds * self.delta

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of all releases together, by exact composition of Gaussian noise."""
        noise, delta = gaussian_noise(self.epsilon, self.delta), self.total_delta
        total = gaussian_epsilon(noise, delta, steps=self.rounds)
        public = ("how many people take part", *_METHODS)
        note = "For one release with Gaussian noise."
        if self.rounds > 1:
            note = f"For {self.rounds} releases with Gaussian noise, each of which may depend on those before."
        return Guarantee(total, delta, neighbours="replace", public=public, note=note)


def read_epsilons(text: str) -> tuple[str, ...]:
    """Read epsilons separated by commas, semicolons, blanks or lines, kept as text so that sums stay exact.

    >>> read_epsilons("0.1, 1/3;  2")
    ('0.1', '1/3', '2')

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


def requirements(config: ReleasesConfig) -> None:
    try:
        read_epsilons(" ".join(config.epsilons))
    except ValueError as problem:
        raise ScenarioError(str(problem), ("epsilons",)) from problem


def release_link(config: Config) -> Parameters:
    return {"view": "one", "prior": _per_cent(config.prior), **parameters(config)}


def distance_link(config: DistanceConfig) -> Parameters:
    only(config.farthest, DistanceConfig().farthest, "end of the curve (km)")
    return {"view": "distance", "metric_prior": _per_cent(config.prior), **parameters(config)}


def releases_link(config: ReleasesConfig) -> Parameters:
    own = {"kind": "local", "epsilons": ",".join(config.epsilons)}
    return {"view": "several", "several_prior": _per_cent(config.prior), **own}


def rounds_link(config: RoundsConfig) -> Parameters:
    return {"view": "several", "kind": "central", **parameters(config)}


def _per_cent(probability: float) -> str:
    percent = round(100 * probability)
    if percent / 100 != probability or not 1 <= percent <= 99:
        raise CannotShowError(f"a belief of {probability:g}")
    return str(percent)
