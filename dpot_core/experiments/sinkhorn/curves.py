"""The cost alone against epsilon: five ways, with bands over draws of the noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.sinkhorn.draws import noise
from dpot_core.experiments.sinkhorn.ground import Ground
from dpot_core.experiments.sinkhorn.settings import CLAIMED, COSTS, DRAWS, Config
from dpot_core.mechanisms.central.sinkhorn_costs import CostOptions, cost_sensitivity, private_transport_cost
from dpot_core.progress import Progress


@dataclass(frozen=True, eq=False)
class CostPoint:
    """Estimates of the cost at one epsilon.

    Attributes:
        epsilon: privacy parameter, nats.
        estimates: by way (a key of `COSTS`), (draws,), unit of the cost. Algorithm 1 estimates the cost of its own
            points.
        truths: by way: the exact cost that it estimates.
        unit: of the cost; "" for none.
    """

    epsilon: float
    estimates: dict[str, Array]
    truths: dict[str, float]
    unit: str = ""

    def errors(self, name: str) -> Array:
        """Absolute errors of a way, (draws,)."""
        return np.abs(self.estimates[name] - self.truths[name])

    def typical(self, name: str) -> float:
        """Median absolute error of a way."""
        return float(np.median(self.errors(name)))


def cost_point(
    config: Config, ground: Ground, epsilon: float, progress: Progress | None = None, ways: tuple[str, ...] = ()
) -> CostPoint:
    """Estimate the cost in all ways, `DRAWS` times each.

    Args:
        config: the settings; its epsilon does not count.
        ground: the data.
        epsilon: privacy parameter.
        progress: called with (draws done, draws of all ways).
        ways: which; all when empty.
    """
    names = ways or tuple(COSTS)
    estimates, truths = {}, {}
    share = min(max(1.0 - config.share, 0.05), 0.95)
    common = CostOptions(config.eta, config.steps, share)
    for done, name in enumerate(names):
        data: tuple[Any, ...] = (ground.cost, ground.first, ground.second)
        truth, scale = ground.exact_cost, 1.0
        options = replace(common, eta=config.eta * ground.largest, people=config.people, floor=config.floor)
        if name in CLAIMED:
            data, truth, scale = (ground.sample_cost,), ground.sample_exact_cost, ground.sample_bound
            options = replace(common, bound=1.0, constants=config.constants)
        given: dict[str, Any] = {"epsilon": epsilon, "delta": config.delta, "method": name, "options": options}
        given["rng"] = noise(config, ground, f"cost-{name}", epsilon=epsilon)
        if name == "laplace":
            values = _laplace(data, given, truth)
        else:
            values = []
            for draw in range(DRAWS):
                values.append(scale * private_transport_cost(*data, **given).value)
                if progress is not None:
                    progress(done * DRAWS + draw + 1, len(names) * DRAWS)
        truths[name] = truth
        estimates[name] = np.array(values)
    return CostPoint(epsilon, estimates, truths, ground.cost_unit)


def laplace_error(config: Config, ground: Ground, epsilon: float) -> float:
    """Median absolute error of direct Laplace in closed form: log(2) times the scale |c|/(n epsilon) of its noise.

    Args:
        config: the settings; its epsilon does not count.
        ground: its cost and its numbers of points, not where the points are.
        epsilon: privacy parameter.

    Returns:
        The error, unit of the cost.
    """
    return math.log(2.0) * cost_sensitivity(ground.largest, ground.n, config.people) / epsilon


def _laplace(data: tuple[Any, ...], settings: dict[str, Any], exact: float) -> list[float]:
    """One release, and what others would have been: only the noise differs, so the exact cost is not solved again."""
    first = private_transport_cost(*data, **settings)
    others = first.noise * settings["rng"].laplace(size=DRAWS - 1)
    return [first.value, *(exact + others)]


def cost_table(points: list[CostPoint]) -> pd.DataFrame:
    """Every number of the curves: median, 5% and 95% of the estimates and of their absolute errors."""
    rows = []
    for point in points:
        for name, values in point.estimates.items():
            low, middle, high = np.quantile(values, (0.05, 0.5, 0.95), method="inverted_cdf")
            error_low, error, error_high = np.quantile(point.errors(name), (0.05, 0.5, 0.95), method="inverted_cdf")
            rows.append(
                {
                    "epsilon": point.epsilon,
                    "way": name,
                    "promise": "claimed, not proven" if name in CLAIMED else "proven",
                    "exact cost (not private)": point.truths[name],
                    "estimate 5%": low,
                    "estimate median": middle,
                    "estimate 95%": high,
                    "error 5%": error_low,
                    "error median": error,
                    "error 95%": error_high,
                }
            )
    return pd.DataFrame(rows)
