import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.sinkhorn.noise import noise
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.settings import CLAIMED, COSTS, DRAWS, EPSILONS, Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, parts
from dpot_core.mechanisms.central.sinkhorn_costs import CostOptions, cost_sensitivity, private_transport_cost


@dataclass(frozen=True, eq=False)
class CostPoint:
    """Estimates of the cost at one epsilon, in the unit of the grid, by way (a key of `COSTS`)."""

    epsilon: float
    estimates: dict[str, Array]  # (draws,)
    truths: dict[str, float]  # the exact cost that a way estimates: Algorithm 1 has that of its own points

    def errors(self, name: str) -> Array:
        return np.abs(self.estimates[name] - self.truths[name])

    def typical(self, name: str) -> float:
        return float(np.median(self.errors(name)))


@dataclass(frozen=True, eq=False)
class Costs:
    """The released cost at several values of epsilon, ascending; the settings' own is one of them."""

    grid: PointGrid
    points: tuple[CostPoint, ...]
    epsilon: float

    @property
    def now(self) -> CostPoint:
        return next(point for point in self.points if point.epsilon == self.epsilon)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number of the curves: median, 5% and 95% of the estimates and of their absolute errors."""
        return {"costs": pd.DataFrame([_row(point, name) for point in self.points for name in point.estimates])}


def _row(point: CostPoint, name: str) -> dict[str, Any]:
    return {
        "epsilon": point.epsilon,
        "way": name,
        "promise": "claimed, not proven" if name in CLAIMED else "proven",
        "exact cost (not private)": point.truths[name],
        **_quantiles("estimate", point.estimates[name]),
        **_quantiles("error", point.errors(name)),
    }


def _quantiles(what: str, values: Array) -> dict[str, float]:
    shares = {"5%": 0.05, "median": 0.5, "95%": 0.95}
    return {f"{what} {name}": np.quantile(values, share, method="inverted_cdf") for name, share in shares.items()}


def costs(config: Config, grid: PointGrid, progress: Progress | None = None) -> Costs:
    points = [
        # Which variant is on screen changes nothing here.
        cost_point(replace(config, epsilon=epsilon, guarantee="proven"), grid, progress=part)
        for epsilon, part in parts(sorted({*EPSILONS, config.epsilon}), progress)
    ]
    return Costs(grid, tuple(points), config.epsilon)


@cached
def rivals(config: Config, grid: PointGrid, progress: Progress | None = None) -> CostPoint:
    """The routes that say when noisy Sinkhorn is worth it: the variant of the settings, and direct Laplace."""
    return cost_point(config, grid, ("laplace", config.guarantee), progress)


@cached
def cost_point(
    config: Config, grid: PointGrid, ways: tuple[str, ...] = tuple(COSTS), progress: Progress | None = None
) -> CostPoint:
    """Estimate the cost in some ways, `DRAWS` times each; ``progress`` counts draws."""
    estimates, truths = {}, {}
    for done, name in enumerate(ways):
        data: tuple[Any, ...] = (grid.cost, grid.first, grid.second)
        truth, scale = grid.exact_cost, 1.0
        options = options_of(config, grid.largest)
        if name in CLAIMED:
            data, truth, scale = (grid.sample_cost,), grid.sample_exact_cost, grid.sample_bound
            options = CostOptions(config.eta, config.steps, options.share, bound=1.0, constants=config.constants)
        rest: dict[str, Any] = {"epsilon": config.epsilon, "delta": config.delta, "method": name, "options": options}
        rest["rng"] = noise(config, grid, f"cost-{name}")
        if name == "laplace":
            values = _laplace(data, rest, truth)
        else:
            values = []
            for draw in range(DRAWS):
                values.append(scale * private_transport_cost(*data, **rest).value)
                if progress is not None:
                    progress(done * DRAWS + draw + 1, len(ways) * DRAWS)
        truths[name] = truth
        estimates[name] = np.array(values)
    return CostPoint(config.epsilon, estimates, truths)


def options_of(config: Config, largest: float) -> CostOptions:
    """How the cost is released on a grid whose largest cost is given, by the ways that are proven."""
    share = min(max(1.0 - config.share, 0.05), 0.95)
    return CostOptions(config.eta * largest, config.steps, share, config.floor, config.people)


def laplace_error(config: Config, grid: PointGrid) -> float:
    """Median absolute error of direct Laplace in closed form: log(2) times the scale |c|/(n epsilon) of its noise.

    Of the grid its cost and its numbers of points count, not where the points are.
    """
    return math.log(2.0) * cost_sensitivity(grid.largest, grid.n, config.people) / config.epsilon


def _laplace(data: tuple[Any, ...], settings: dict[str, Any], exact: float) -> list[float]:
    """One release, and what others would have been: only the noise differs, so the exact cost is not solved again."""
    first = private_transport_cost(*data, **settings)
    others = first.noise * settings["rng"].laplace(size=DRAWS - 1)
    return [first.value, *(exact + others)]
