"""Metric privacy: the promise between two inputs grows with their distance, alpha times d."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.meaning.one_release import Config, Result, prior, run
from dpot_core.guarantees import Guarantee
from dpot_core.studies._kit.setting import number, settings

_POINTS = 121

ALPHAS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
DISTANCES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0)


@settings
class DistanceConfig:
    """Settings of a release under metric privacy.

    Attributes:
        alpha: privacy per unit of distance, 1/km: epsilon between two inputs at distance d is alpha d.
        distance: between the two inputs that somebody wants to tell apart, km.
        prior: probability given to one of the two before.
        farthest: end of the curve, km.
    """

    alpha: float = number(
        "Privacy per kilometre α (1/km)",
        0.5,
        low=1e-3,
        high=100.0,
        step=1.25,
        factor=True,
        grid=ALPHAS,
        widget="steps",
        link="alpha",
        help="ε between two inputs is α times their distance: near things are hard to tell apart, far ones are not.",
    )
    distance: float = number(
        "Distance of the two places (km)",
        2.0,
        low=0.0,
        high=1000.0,
        step=1.25,
        factor=True,
        grid=DISTANCES,
        widget="steps",
        link="distance",
    )
    prior: float = prior(0.5)
    farthest: float = number("End of the curve (km)", 20.0, low=1e-3, high=1000.0)

    @property
    def guarantee(self) -> Guarantee:
        """The promise that is explained: epsilon is the one at distance 1 km."""
        return Guarantee(
            self.alpha,
            neighbours="metric",
            unit="1 km",
            public=("the distance and its unit, km", "the method and its settings"),
            note="At distance d epsilon is alpha d. Between inputs far apart the promise is weak, on purpose.",
        )

    @property
    def at_distance(self) -> Config:
        """The same promise for the two inputs at their distance, as one release."""
        return Config(self.alpha * self.distance, self.prior)


@dataclass(frozen=True)
class OverDistance:
    """What can be believed against the distance of the two inputs.

    Attributes:
        config: the settings.
        here: at the distance asked for.
        distance: (T,), km.
        most: largest posterior, (T,).
        least: smallest posterior, (T,).
    """

    config: DistanceConfig
    here: Result
    distance: Array
    most: Array
    least: Array

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        curve = {"distance km": self.distance, "epsilon": self.config.alpha * self.distance}
        curve |= {"largest posterior": self.most, "smallest posterior": self.least}
        return {"over-distance": pd.DataFrame(curve), "at-distance": self.here.tables()["one-release"]}


def over_distance(config: DistanceConfig) -> OverDistance:
    """Bounds on beliefs at every distance up to the farthest.

    Args:
        config: the settings.
    """
    distance = np.linspace(0.0, config.farthest, _POINTS)
    found = [run(Config(config.alpha * float(d), config.prior)) for d in distance]
    return OverDistance(
        config=config,
        here=run(config.at_distance),
        distance=distance,
        most=np.array([result.most for result in found]),
        least=np.array([result.least for result in found]),
    )
