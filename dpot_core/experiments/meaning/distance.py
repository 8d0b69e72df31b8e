"""Metric privacy: the promise between two inputs grows with their distance, alpha times d."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array, check_number
from dpot_core.experiments.meaning.one_release import Config, Result, run
from dpot_core.guarantees import Guarantee

_POINTS = 121


@dataclass(frozen=True)
class DistanceConfig:
    """Settings of a release under metric privacy.

    Attributes:
        alpha: privacy per unit of distance, 1/km: epsilon between two inputs at distance d is alpha d.
        distance: between the two inputs that somebody wants to tell apart, km.
        prior: probability given to one of the two before.
        farthest: end of the curve, km.
    """

    alpha: float = 0.5
    distance: float = 2.0
    prior: float = 0.5
    farthest: float = 20.0

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

    Raises:
        ValueError: if alpha, a distance or the prior is out of range.
    """
    check_number(config.alpha, "alpha", 0.0, 1e6)
    check_number(config.distance, "distance", 0.0, 1e6)
    distance = np.linspace(0.0, check_number(config.farthest, "farthest", 1e-9, 1e6), _POINTS)
    found = [run(Config(config.alpha * float(d), config.prior)) for d in distance]
    return OverDistance(
        config=config,
        here=run(config.at_distance),
        distance=distance,
        most=np.array([result.most for result in found]),
        least=np.array([result.least for result in found]),
    )
