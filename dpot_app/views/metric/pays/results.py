"""When does it pay? Frequency estimation by distance against user-level privacy, over alpha/epsilon and over k."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pandas as pd

from dpot_app.views.metric.settings import PaysConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import crossover_order
from dpot_core.mechanisms.metric.frequency_errors import FREQUENCY_RELEASES, Counts, FrequencyRelease, uneven_counts

#: Values of alpha/epsilon, and numbers of clusters, that are tried.
RATIOS = tuple(float(value) for value in np.round(np.geomspace(1.0, 1000.0, 16), 6))
CLUSTERS = (2, 4, 8, 16, 32, 64)

#: Runs whose mean and middle 90% are shown, and the seed: a demonstration on simulated items.
RUNS = 20
SEED = 4

_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Point:
    """Errors of all releases at one alpha and one space; dictionaries are by release."""

    ratio: float  # alpha/epsilon
    k: int  # number of points
    errors: dict[str, Array]  # earth mover's distance to the truth of each run, (RUNS,)
    bounds: dict[str, float]  # on the expected distance; nan where there is none
    rates: dict[str, float]  # alpha_0 or epsilon_0 of one item (nats), or scale of the noise

    def mean(self, name: str) -> float:
        return float(self.errors[name].mean())


def simulated_counts(space: ClusteredSpace, items: int) -> Counts:
    """How many items of each kind all users have, (k,): simulated."""
    return uneven_counts(space, items, np.random.default_rng(SEED))


def errors_at(config: PaysConfig, known: Mapping[str, Array] | None = None) -> Point:
    """Errors of all releases at ``config.ratio``; ``known`` are those that do not depend on what has changed."""
    task, releases = config.task, FREQUENCY_RELEASES[config.model]
    counts = simulated_counts(task.space, config.users * config.items)
    rates = {name: release.rate(task) for name, release in releases.items()}
    errors = dict(known or {})
    for place, (name, release) in enumerate(releases.items()):
        if name not in errors:
            # The same draws for every Laplace noise: at the same scale the same error.
            rng = np.random.default_rng([SEED, 0 if release.reports is None else place])
            errors[name] = release.errors(task, rates[name], counts, RUNS, rng)
    bounds = {name: release.bound(task, rates[name]) for name, release in releases.items()}
    return Point(config.alpha / config.epsilon, len(task.space), errors, bounds, rates)


@dataclass(frozen=True, eq=False)
class Pays:
    """Errors over alpha/epsilon, and over k at the chosen alpha/epsilon, both ascending."""

    config: PaysConfig
    over_ratio: tuple[Point, ...]
    over_k: tuple[Point, ...]

    @property
    def releases(self) -> Mapping[str, FrequencyRelease]:
        """All releases of the model, those by distance first."""
        return FREQUENCY_RELEASES[self.config.model]

    def best_of(self, point: Point, by_distance: bool) -> str:
        """The release by distance, or for whole users, whose mean error is smallest."""
        alike = [name for name, release in self.releases.items() if release.by_distance == by_distance]
        return min(alike, key=point.mean)

    def best(self, point: Point, by_distance: bool) -> float:
        """Smallest mean error of the releases by distance, or of the user-level ones."""
        return point.mean(self.best_of(point, by_distance))

    def gain(self, point: Point) -> float:
        """Logarithm of the best user-level error over the best error by distance; what rounding makes is 0.

        Errors of 0, as reports without noise have, count as 1e-12.
        """
        gain = math.log(max(self.best(point, False), _LEAST) / max(self.best(point, True), _LEAST))
        return 0.0 if abs(gain) < 1e-9 else gain

    @property
    def crossover(self) -> float | None:
        """The alpha/epsilon from which the best release by distance has the smaller error; None if there is none.

        Between two values that were tried it is interpolated on logarithmic axes.
        """
        gains = [self.gain(point) for point in self.over_ratio]
        if gains[-1] <= 0.0:
            return None
        last = max((i for i, gain in enumerate(gains) if gain <= 0.0), default=-1)
        if last < 0:
            return self.over_ratio[0].ratio
        low, high = (math.log(self.over_ratio[i].ratio) for i in (last, last + 1))
        share = -gains[last] / (gains[last + 1] - gains[last])
        return math.exp(low + share * (high - low))

    @property
    def printed_crossover(self) -> float:
        """The paper's order of magnitude, without its unknown constants: alpha/epsilon."""
        c = self.config
        return crossover_order(len(c.space), c.epsilon, c.items, c.delta, c.model == "central") / c.epsilon

    def tables(self) -> dict[str, pd.DataFrame]:
        crossover = {
            "simulated": True,
            "crossover alpha/epsilon": math.nan if self.crossover is None else self.crossover,
            "order in the paper": self.printed_crossover,
        }
        return {
            "error-over-ratio": self._table(self.over_ratio),
            "error-over-k": self._table(self.over_k),
            "crossover": pd.DataFrame([crossover]),
        }

    def _table(self, points: tuple[Point, ...]) -> pd.DataFrame:
        rows = [
            {
                "simulated": True,
                "alpha/epsilon": point.ratio,
                "k": point.k,
                "release": release.label,
                "promise": "by distance" if release.by_distance else "whole user",
                "alpha_0, epsilon_0 or scale": point.rates[name],
                "mean error d_EM": point.mean(name),
                "5%": np.quantile(point.errors[name], 0.05),
                "95%": np.quantile(point.errors[name], 0.95),
                "bound": point.bounds[name],
            }
            for point in points
            for name, release in self.releases.items()
        ]
        return pd.DataFrame(rows)


def run(config: PaysConfig, progress: Progress | None = None) -> Pays:
    by_ratio = [replace(config, ratio=ratio) for ratio in RATIOS]
    by_k = [replace(config, clusters=clusters) for clusters in sorted({*CLUSTERS, config.clusters})]
    steps = counted((*by_ratio, *by_k), progress)
    first = errors_at(next(steps))
    # User-level releases do not know alpha: over it, once is enough.
    releases = FREQUENCY_RELEASES[config.model].items()
    fixed = {name: first.errors[name] for name, release in releases if not release.by_distance}
    over_ratio = (first, *(errors_at(one, fixed) for one in islice(steps, len(by_ratio) - 1)))
    return Pays(config, over_ratio, tuple(map(errors_at, steps)))
