from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.population.synthetic import DIGITS, SERIES, SyntheticConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, parts
from dpot_core.mechanisms.central.four_gaussians import VALUES, costs, gaussians, release
from dpot_core.privacy.guarantees import Guarantee

#: Runs behind each point (Fig. 2 of the paper has 30, and so has the index).
RUNS = 10


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


def synthetic_point(
    config: SyntheticConfig, axis: str, value: float, progress: Progress | None = None
) -> SyntheticPoint:
    """All runs at one value of an axis (a key of `VALUES`); cost is that of the true points of the run."""
    usual: dict[str, Any] = {name: getattr(SyntheticConfig(), name) for name in (*DIGITS, "points")}
    usual[axis] = value if axis == "epsilon" else int(value)
    return _synthetic_point(replace(config, **usual), value, RUNS, progress)


@cached
def _synthetic_point(config: SyntheticConfig, value: float, runs: int, progress: Progress | None) -> SyntheticPoint:
    found = [
        costs(config.n, config.m, config.epsilon, config.projection, seed=config.seed, run=run)
        for run in counted(range(runs), progress)
    ]
    return SyntheticPoint(float(value), {name: np.array([one[name] for one in found]) for name in SERIES})


def synthetic_curve(axis: str, config: SyntheticConfig, points: Iterable[SyntheticPoint]) -> SyntheticCurve:
    return SyntheticCurve(axis, config, tuple(sorted(points, key=lambda point: point.value)))


def whole_curve(axis: str, config: SyntheticConfig, progress: Progress | None = None) -> SyntheticCurve:
    points = [synthetic_point(config, axis, *each) for each in parts(VALUES[axis], progress)]
    return synthetic_curve(axis, config, points)


@cached
def synthetic_guarantee(config: SyntheticConfig) -> Guarantee:
    points = gaussians(config.n, np.random.default_rng([config.seed, 0]))
    made = release(points, config.m, config.epsilon, config.projection, seed=config.seed, run=0)
    return replace(made.guarantee, record="point")
