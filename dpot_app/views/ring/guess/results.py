from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.source import Source
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.vulnerability import best_guess
from dpot_core.worst_case import worst_case_wasserstein

# Stands for epsilon in settings of what does not depend on it.
_ANY = 1.0


class Attacked(NamedTuple):
    """A mechanism whose input is one point, drawn from the prior."""

    right: float  # chance that the best guess of the point is right
    distance: float  # W_p between point and output, at the point where it is largest, in steps


@dataclass(frozen=True)
class Guesses:
    """The best guess of a point from one release, for the mechanisms of the settings."""

    config: Config
    prior: Array  # where the person is, as far as is known before the release, (k,)
    epsilon: Array  # values of the curves, (T,)
    curves: dict[str, list[Attacked]]  # by mechanism, at `epsilon`
    now: dict[str, Attacked]  # at the present epsilon

    @property
    def without(self) -> float:
        """The chance of the best guess without a release."""
        return float(self.prior.max())

    @property
    def allowed(self) -> Array:
        """The most that epsilon allows, whatever the mechanism, at `epsilon`, (T,)."""
        return np.array([Guarantee(epsilon).posterior(self.without) for epsilon in self.epsilon.tolist()])

    def tables(self) -> dict[str, pd.DataFrame]:
        curves: dict[str, Array] = {"epsilon": self.epsilon, "allowed": self.allowed}
        now: dict[str, float] = {"epsilon": self.config.epsilon, "without release": self.without}
        for name, curve in self.curves.items():
            for place, column in enumerate(Attacked._fields):
                curves[f"{name} {column}"] = np.array([point[place] for point in curve])
                now[f"{name} {column}"] = self.now[name][place]
        prior = pd.DataFrame({"point": np.arange(len(self.prior)), "prior": self.prior})
        return {"best-guess": pd.DataFrame(curves), "best-guess-now": pd.DataFrame([now]), "best-guess-prior": prior}


def guesses(config: Config, progress: Progress | None = None) -> Guesses:
    """Compute chances and distances at the present epsilon and along the curves, for mechanisms known at all points.

    Raises:
        ValueError: if the settings do not fit together.
    """
    prior, curves, now = config.prior, dict[str, list[Attacked]](), dict[str, Attacked]()
    for name in counted(config.mechanisms, progress):
        # Neither the person's input nor what else is compared changes anything; lambda is WPM's.
        public = replace(config.problem, source=Source(), reg=config.reg if name == "wpm" else None)
        curve = _curve(public.at(_ANY), name, tuple(prior.tolist()))
        if curve and _known_at_points(public, name):
            curves[name], now[name] = curve, _attacked(public, name, prior)
    return Guesses(config, prior, np.asarray(CURVE_EPSILONS), curves, now)


@cached
def _curve(config: Config, name: str, prior: tuple[float, ...]) -> list[Attacked]:
    """At `CURVE_EPSILONS`; empty where an input point has no output at one of them."""
    every = [config.at(epsilon) for epsilon in CURVE_EPSILONS]
    if not all(_known_at_points(one, name) for one in every):
        return []
    return [_attacked(one, name, np.array(prior)) for one in every]


def _attacked(config: Config, name: str, prior: Array) -> Attacked:
    ring = config.ring
    rows = MECHANISMS[name](config.public)(np.eye(ring.k))
    return Attacked(best_guess(rows, prior), float(worst_case_wasserstein(ring.cost, rows, ring.p)))


def _known_at_points(config: Config, name: str) -> bool:
    """Whether the mechanism has an output for every point input: the mollifier's reference may miss some."""
    return MECHANISMS[name].feasible(config.public, np.full(config.ring.k, 1.0 / config.ring.k))
