from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, Search, coreset_barycenter
from dpot_core.progress import Progress, counted, parts
from dpot_core.streams import stream
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.population.synthetic import DIGITS, SERIES, SyntheticConfig
from dpot_core.transport.barycenters import free_support

#: Dimension, and how wide one Gaussian is (the paper names its centres and no width).
DIMENSION = 10
WIDTH = 0.04

#: Runs behind each point, and the values along each axis (Fig. 2 of the paper; it has 30 runs).
RUNS = 10
VALUES: dict[str, tuple[float, ...]] = {
    "n": (50, 100, 200, 400, 800, 1600),
    "epsilon": (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "projection": (1, 2, 3, 4, 5, 6, 7, 8, 9),
}


@dataclass(frozen=True)
class SyntheticPoint:
    """`RUNS` runs at one value of one axis: cost of each of `SERIES`, (RUNS,)."""

    value: float
    cost: dict[str, Array]


@dataclass(frozen=True)
class SyntheticCurve:
    """Cost against n, epsilon or the projection's dimension; ascending."""

    axis: str
    config: SyntheticConfig
    points: tuple[SyntheticPoint, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"simulated": True, self.axis: point.value, "barycenter": name, "run": run, "cost": cost}
            for point in self.points
            for name, costs in point.cost.items()
            for run, cost in enumerate(costs)
        ]
        return {f"gaussians-against-{self.axis}": pd.DataFrame(rows)}


def gaussians(n: int, rng: np.random.Generator) -> Array:
    """n points of an equal mixture of four Gaussians at (±0.25, ±0.25, 0, ..., 0), moved into the public box."""
    signs = rng.choice((-0.25, 0.25), (n, 2))
    points = WIDTH * rng.standard_normal((n, DIMENSION))
    points[:, :2] += signs
    return np.clip(points, -0.5, 0.5)


def synthetic_release(config: SyntheticConfig, points: Array, projected: bool, run: int) -> CoresetBarycenter:
    """The coreset's barycenter of the mixture, whose private copy may be projected first."""
    box = (np.full(DIMENSION, -0.5), np.full(DIMENSION, 0.5))
    target = config.projection if projected else None
    own = {"n": config.n, "m": config.m, "epsilon": config.epsilon, "projection": target}
    rng = stream(config.seed, "gaussians", run=run, **own)
    search = Search(projection=target, subsample=max(config.n, config.m))
    return coreset_barycenter([points], config.m, config.epsilon, region=box, rng=rng, search=search)


def synthetic_point(
    config: SyntheticConfig, axis: str, value: float, progress: Progress | None = None
) -> SyntheticPoint:
    """All runs at one value of an axis (a key of `VALUES`); cost is that of the true points of the run."""
    usual: dict[str, Any] = {name: getattr(SyntheticConfig(), name) for name in (*DIGITS, "points")}
    usual[axis] = value if axis == "epsilon" else int(value)
    return _synthetic_point(replace(config, **usual), value, RUNS, progress)


@cached
def _synthetic_point(config: SyntheticConfig, value: float, runs: int, progress: Progress | None) -> SyntheticPoint:
    costs: dict[str, list[float]] = {name: [] for name in SERIES}
    for run in counted(range(runs), progress):
        points = gaussians(config.n, np.random.default_rng([config.seed, run]))
        groups = [(points, None)]
        costs["non-private"].append(free_support(groups, config.m, np.random.default_rng([config.seed, run, 1])).cost)
        for name, projected in (("projected", True), ("plain", False)):
            costs[name].append(synthetic_release(config, points, projected, run).cost(groups))
    return SyntheticPoint(float(value), {name: np.array(values) for name, values in costs.items()})


def synthetic_curve(axis: str, config: SyntheticConfig, points: Iterable[SyntheticPoint]) -> SyntheticCurve:
    return SyntheticCurve(axis, config, tuple(sorted(points, key=lambda point: point.value)))


def whole_curve(axis: str, config: SyntheticConfig, progress: Progress | None = None) -> SyntheticCurve:
    points = [synthetic_point(config, axis, *each) for each in parts(VALUES[axis], progress)]
    return synthetic_curve(axis, config, points)


@cached
def synthetic_guarantee(config: SyntheticConfig) -> Guarantee:
    points = gaussians(config.n, np.random.default_rng([config.seed, 0]))
    return replace(synthetic_release(config, points, True, 0).guarantee, record="point")
