"""Cost and distance to the non-private barycenter against n and against epsilon, over repeated runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets.population import Population
from dpot_core.experiments.population.people import draw_people, reference
from dpot_core.experiments.population.releases import release
from dpot_core.experiments.population.settings import BARYCENTERS, MECHANISMS, RUNS, Config
from dpot_core.progress import Progress

#: Seeds of the runs follow the settings' seed in such steps.
SEED_STEP = 10_000


@dataclass(frozen=True)
class CurvePoint:
    """`RUNS` runs at one value; every run draws new people and new noise.

    Attributes:
        value: n or epsilon.
        cost: of each barycenter in each run, (RUNS,), squared units of the coordinates.
        distance: W_2 to the run's non-private barycenter, (RUNS,), units; private barycenters only.
        km: the same in km; empty where coordinates are not degrees.
        geographic: whether coordinates are degrees.
        simulated: whether the people are invented.
    """

    value: float
    cost: dict[str, Array]
    distance: dict[str, Array]
    km: dict[str, Array]
    geographic: bool
    simulated: bool


@dataclass(frozen=True)
class Curve:
    """Points along an axis, ascending.

    Attributes:
        axis: "n" or "epsilon".
        config: the settings of everything else.
        points: one for each value.
    """

    axis: str
    config: Config
    points: tuple[CurvePoint, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn, run by run."""
        rows = [
            {
                "simulated": point.simulated,
                self.axis: point.value,
                "barycenter": name,
                "run": run,
                "cost (squared units)": point.cost[name][run],
                "W2 to non-private (units)": point.distance[name][run] if name in point.distance else 0.0,
                "W2 to non-private km": point.km[name][run] if name in point.km else None,
            }
            for point in self.points
            for name in BARYCENTERS
            for run in range(RUNS)
        ]
        return {f"against-{self.axis}": pd.DataFrame(rows)}


def curve_point(
    population: Population, config: Config, axis: str, value: float, progress: Progress | None = None
) -> CurvePoint:
    """All runs at one value of n or epsilon.

    Args:
        population: everybody.
        config: the settings; its n or epsilon is replaced.
        axis: "n" or "epsilon".
        value: of n or epsilon.
        progress: called with (runs done, runs in all).

    Raises:
        ValueError: if the settings do not fit together.
    """
    cost: dict[str, list[float]] = {name: [] for name in BARYCENTERS}
    distance: dict[str, list[float]] = {name: [] for name in MECHANISMS}
    km: dict[str, list[float]] = {name: [] for name in MECHANISMS}
    for run in range(RUNS):
        if progress is not None:
            progress(run, RUNS)
        at = replace(config, seed=config.seed + SEED_STEP * run)
        at = replace(at, n=int(value)) if axis == "n" else replace(at, epsilon=float(value))
        people = draw_people(population, at.n, at.seed)
        truth = reference(people, at.m, at.seed, at.reg)
        cost["non-private"].append(truth.cost)
        for name in MECHANISMS:
            drawn = release(people, truth, at, name)
            cost[name].append(drawn.cost)
            distance[name].append(drawn.distance)
            if drawn.distance_km is not None:
                km[name].append(drawn.distance_km)
    return CurvePoint(
        float(value),
        {name: np.array(values) for name, values in cost.items()},
        {name: np.array(values) for name, values in distance.items()},
        {name: np.array(values) for name, values in km.items() if values},
        population.outline.geographic,
        population.simulated,
    )


def curve(axis: str, config: Config, points: Iterable[CurvePoint]) -> Curve:
    """Put points in order."""
    return Curve(axis, config, tuple(sorted(points, key=lambda point: point.value)))
