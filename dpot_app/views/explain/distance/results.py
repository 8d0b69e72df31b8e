"""Metric privacy: the guarantee between two inputs weakens with their distance, epsilon = alpha times d."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.views.explain.release.results import Result, run
from dpot_app.views.explain.settings import Config, DistanceConfig
from dpot_core.arguments import Array

_POINTS = 121


@dataclass(frozen=True)
class OverDistance:
    """Bounds on a belief against the distance of the two inputs."""

    config: DistanceConfig
    here: Result  # at the distance asked for
    distance: Array  # (T,), km
    most: Array  # largest posterior, (T,)
    least: Array  # smallest posterior, (T,)

    def tables(self) -> dict[str, pd.DataFrame]:
        curve = {"distance km": self.distance, "epsilon": self.config.alpha * self.distance}
        curve |= {"largest posterior": self.most, "smallest posterior": self.least}
        return {"over-distance": pd.DataFrame(curve), "at-distance": self.here.tables()["one-release"]}


def over_distance(config: DistanceConfig) -> OverDistance:
    distance = np.linspace(0.0, config.farthest, _POINTS)
    results = [run(Config(epsilon=config.alpha * float(d), prior=config.prior)) for d in distance]
    most, least = np.array([(result.most, result.least) for result in results]).T
    here = run(Config(epsilon=config.alpha * config.distance, prior=config.prior))
    return OverDistance(config, here, distance, most, least)
