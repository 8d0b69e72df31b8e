"""When does it pay? Frequency estimation by distance against user-level privacy, over alpha/epsilon and over k."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.metric.frequency_errors import BY_DISTANCE, WHOLE_USER, PaysConfig, Point, errors_at
from dpot_core.mechanisms.metric.error_bounds import crossover_order
from dpot_core.progress import Progress

#: Values of alpha/epsilon, and numbers of clusters, that are tried.
RATIOS = tuple(float(value) for value in np.round(np.geomspace(1.0, 1000.0, 16), 6))
CLUSTERS = (2, 4, 8, 16, 32, 64)

_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Pays:
    """Errors over alpha/epsilon, and over k at the chosen alpha/epsilon.

    Attributes:
        config: the settings.
        over_ratio: ascending in alpha/epsilon.
        over_k: ascending in k.
    """

    config: PaysConfig
    over_ratio: tuple[Point, ...]
    over_k: tuple[Point, ...]

    @property
    def names(self) -> dict[str, str]:
        """All releases of the model, those by distance first."""
        return BY_DISTANCE[self.config.model] | WHOLE_USER[self.config.model]

    def best(self, point: Point, by_distance: bool) -> float:
        """Smallest mean error of one kind of promise.

        Args:
            point: where.
            by_distance: of the releases that are private by distance, or of the user-level ones.
        """
        kind = BY_DISTANCE if by_distance else WHOLE_USER
        return min(point.mean(name) for name in kind[self.config.model])

    def gain(self, point: Point) -> float:
        """Logarithm of the best user-level error over the best error by distance; what rounding makes is 0.

        Errors of 0, as reports without noise have, count as 1e-12.

        Args:
            point: where.
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
        central = c.model == "central"
        return crossover_order(len(c.space), c.epsilon, c.items, c.delta, central) / c.epsilon

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return {
            "error-over-ratio": self._table(self.over_ratio),
            "error-over-k": self._table(self.over_k),
            "crossover": pd.DataFrame(
                [
                    {
                        "simulated": True,
                        "crossover alpha/epsilon": math.nan if self.crossover is None else self.crossover,
                        "order in the paper": self.printed_crossover,
                    }
                ]
            ),
        }

    def _table(self, points: tuple[Point, ...]) -> pd.DataFrame:
        rows = []
        for point in points:
            for name, label in self.names.items():
                low, high = np.quantile(point.errors[name], [0.05, 0.95])
                rows.append(
                    {
                        "simulated": True,
                        "alpha/epsilon": point.ratio,
                        "k": point.k,
                        "release": label,
                        "promise": "by distance" if name in BY_DISTANCE[self.config.model] else "whole user",
                        "alpha_0, epsilon_0 or scale": point.rates[name],
                        "mean error d_EM": point.mean(name),
                        "5%": float(low),
                        "95%": float(high),
                        "bound": point.bounds[name],
                    }
                )
        return pd.DataFrame(rows)

    def headlines(self) -> dict[str, float]:
        """The numbers that a person would compare."""
        now = min(self.over_k, key=lambda point: abs(point.k - len(self.config.space)))
        return {
            "crossover (alpha/epsilon)": math.nan if self.crossover is None else self.crossover,
            "best error by distance at the chosen ratio (d_EM)": self.best(now, True),
            "best error with user-level privacy (d_EM)": self.best(now, False),
        }


def run(config: PaysConfig, progress: Progress | None = None) -> Pays:
    """Errors over alpha/epsilon and over k.

    Args:
        config: the settings.
        progress: called with (points done, points in all).

    Raises:
        ValueError: if a setting is out of range.
    """
    total = len(RATIOS) + len(CLUSTERS)
    over_ratio: list[Point] = []
    fixed: dict[str, Array] = {}
    for ratio in RATIOS:
        over_ratio.append(errors_at(replace(config, ratio=ratio), fixed))
        # User-level releases do not know alpha: once is enough.
        fixed = {name: over_ratio[0].errors[name] for name in WHOLE_USER[config.model]}
        if progress is not None:
            progress(len(over_ratio), total)
    over_k = []
    for clusters in sorted({*CLUSTERS, config.clusters}):
        over_k.append(errors_at(replace(config, clusters=clusters)))
        if progress is not None:
            progress(len(over_ratio) + len(over_k), total + 1)
    return Pays(config, tuple(over_ratio), tuple(over_k))
