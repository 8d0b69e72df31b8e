from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.population.people import Reference, sample_people, search_reference
from dpot_app.views.population.releases import Release, draw_release, settle
from dpot_app.views.population.settings import Config
from dpot_app.views.population.units import at_order
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, parts
from dpot_core.datasets.population import Population
from dpot_core.privacy.numerals import count

#: Repeated runs behind each point; their seeds follow the settings' seed in such steps.
RUNS = 5
SEED_STEP = 10_000

#: Where the curves are computed.
VALUES: dict[str, tuple[float, ...]] = {
    "n": (2_000, 5_000, 10_000, 20_000, 50_000),
    "epsilon": (0.25, 0.5, 1.0, 2.0, 5.0),
}


@dataclass(frozen=True)
class CurvePoint:
    """`RUNS` runs at one value; every run draws new people and new noise."""

    value: float  # n or epsilon
    cost: dict[str, Array]  # of each barycenter in each run, (RUNS,), units of the coordinates to the power p
    distance: dict[str, Array]  # W_p to the run's non-private barycenter, (RUNS,), units; private barycenters only
    km: dict[str, Array]  # the same in km; empty where coordinates are not degrees
    geographic: bool  # coordinates are degrees
    simulated: bool
    # Of the local minima to which the people lead the releases (`releases.Release.settled`): cost, and W_p to the
    # release, which is the share of noise in the distance.
    settled: dict[str, Array] = field(default_factory=dict)
    noise: dict[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Curve:
    """Points along an axis ("n" or "epsilon"), ascending, and the settings of everything else."""

    axis: str
    config: Config
    points: tuple[CurvePoint, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {
                "simulated": point.simulated,
                self.axis: point.value,
                "barycenter": name,
                "run": run,
                "cost (squared units)": point.cost[name][run],
                "W2 to non-private (units)": point.distance[name][run] if name in point.distance else 0.0,
                "W2 to non-private km": point.km[name][run] if name in point.km else None,
                "W2 by noise (units)": point.noise[name][run] if name in point.noise else 0.0,
                "cost without noise (squared units)": point.settled.get(name, point.cost[name])[run],
            }
            for point in self.points
            for name in point.cost
            for run in range(len(point.cost[name]))
        ]
        table = pd.DataFrame(rows).rename(columns=lambda name: at_order(name, self.config.p))
        return {f"against-{self.axis}": table}


def curve_point(
    population: Population, config: Config, axis: str, value: float, progress: Progress | None = None
) -> CurvePoint:
    """All runs at one value of the axis, "n" or "epsilon", which replaces that of the settings."""
    # What the axis replaces, and what only says how a file is read, does not make another curve.
    names = (axis, "columns", "outside", "box")
    rest = replace(config, **{name: getattr(Config(), name) for name in names})
    return _curve_point(population, rest, axis, value, RUNS, progress)


@cached
def _curve_point(
    population: Population, config: Config, axis: str, value: float, runs: int, progress: Progress | None
) -> CurvePoint:
    truths: list[Reference] = []
    draws: dict[str, list[Release]] = {name: [] for name in config.mechanisms}
    for run in counted(range(runs), progress):
        at = replace(config, seed=config.seed + SEED_STEP * run)
        at = replace(at, n=int(value)) if axis == "n" else replace(at, epsilon=float(value))
        people = sample_people(population, at.n, at.seed)
        truths.append(search_reference(people, at.m, at.seed, at.reg, None, at.objective))
        one = {name: [draw_release(people, truths[-1], at, name)] for name in at.mechanisms}
        truths[-1], measured = settle(people, truths[-1], at, one)
        for name, drawn in draws.items():
            drawn += measured[name]

    def of_draws(what: str) -> dict[str, Array]:
        return {name: np.array([getattr(one, what) for one in drawn]) for name, drawn in draws.items()}

    cost = {"non-private": np.array([truth.cost for truth in truths])} | of_draws("cost")
    geographic = population.outline.geographic
    km = of_draws("distance_km") if geographic else {}
    shares = (of_draws("settled_cost"), of_draws("noise"))
    return CurvePoint(float(value), cost, of_draws("distance"), km, geographic, population.simulated, *shares)


def curve(axis: str, config: Config, points: Iterable[CurvePoint]) -> Curve:
    return Curve(axis, config, tuple(sorted(points, key=lambda point: point.value)))


def whole_curve(axis: str, config: Config, population: Population, progress: Progress | None = None) -> Curve:
    """The curve at those `VALUES` for which there are enough people.

    Raises:
        ValueError: if there are not, or the settings do not fit together.
    """
    least = min(population.totals)
    values = [value for value in VALUES[axis] if axis == "epsilon" or value <= least]
    if not values:
        raise ValueError(f"the smallest group must have at least {VALUES[axis][0]:,} people; got {count(least)}")
    return curve(axis, config, [curve_point(population, config, axis, *each) for each in parts(values, progress)])
