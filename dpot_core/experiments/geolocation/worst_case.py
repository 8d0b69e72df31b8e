"""Worst cases: how far WPM moves anybody's distribution at most, in kilometres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.base_measures import best_uniform_base, minimax_base, prior_base
from dpot_core.checks import Array
from dpot_core.cities.city import City, largest_of_points
from dpot_core.cities.city_map import CityMap
from dpot_core.experiments.geolocation.settings import MINIMAX_TOLERANCE
from dpot_core.mechanisms import rivals
from dpot_core.polytopes import Polytope
from dpot_core.progress import Progress
from dpot_core.worst_case import WorstCase, worst_case_wasserstein

#: Values of epsilon of the curves, even in the logarithm.
EPSILONS = tuple(float(e) for e in np.round(np.geomspace(0.05, 10.0, 24), 6))

#: Values of epsilon at which the minimax base is solved: beyond, it takes long, and there is little left to gain.
MINIMAX_EPSILONS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class WorstCases:
    """Curves over epsilon, km.

    Attributes:
        map: for maps.
        epsilon: values of the privacy parameter, (T,).
        kilometres: by curve, (T,): "best-uniform", "prior" (if people are set aside): U of WPM, over all inputs;
            each of `rivals("exact")`: the same, because the largest of all inputs is at a point mass.
    """

    map: CityMap
    epsilon: Array
    kilometres: dict[str, Array]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        frame = pd.DataFrame({"epsilon": self.epsilon} | {f"{k} km": v for k, v in self.kilometres.items()})
        return {"worst-case": frame}


@dataclass(frozen=True)
class MinimaxPoint:
    """The best base measure at one epsilon: no epsilon-LDP mechanism has a worst case below `lower_bound`.

    Attributes:
        epsilon: privacy parameter in nats.
        base: the base measure, (k_v,).
        kilometres: its worst case, km.
        lower_bound: proved lower bound, km.
        iterations: rounds of cutting planes.
    """

    epsilon: float
    base: Array
    kilometres: float
    lower_bound: float
    iterations: int


@dataclass(frozen=True)
class WorstCells:
    """Where the worst inputs are, for the base measure in use.

    Attributes:
        map: for maps.
        base: name of the base measure.
        epsilon: privacy parameter in nats.
        worst: U in km, with the worst cell and the value of each cell.
    """

    map: CityMap
    base: str
    epsilon: float
    worst: WorstCase

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return {"worst-case-cells": self.map.cells({"W1 km": self.worst.per_input})}


def worst_cases(city: City, progress: Progress | None = None) -> WorstCases:
    """Compute the curves that need no optimisation."""
    bases = ["best-uniform", *(["prior"] if city.held_out is not None else [])]
    others = rivals("exact")
    curves: dict[str, list[float]] = {name: [] for name in (*bases, *others)}
    for done, epsilon in enumerate(EPSILONS):
        for base in bases:
            measure = scaled_base(city, base, epsilon)
            curves[base].append(float(worst_case_wasserstein(city.distances, Polytope(measure, epsilon), 1)))
        for name in others:
            curves[name].append(largest_of_points(city, name, measure, epsilon))
        if progress is not None:
            progress(done + 1, len(EPSILONS))
    return WorstCases(city.map, np.asarray(EPSILONS), {name: np.asarray(curve) for name, curve in curves.items()})


def scaled_base(city: City, base: str, epsilon: float) -> Array:
    """The base measure of WPM on the outputs, (k_v,): "best-uniform" or "prior" (the crowd that was set aside).

    The minimax base is solved by `minimax_point`.

    Raises:
        ValueError: if nobody was set aside for a prior.
    """
    if base == "best-uniform":
        return best_uniform_base(city.cost, epsilon)
    if base == "prior" and city.held_out is not None:
        return prior_base(city.onto_outputs(city.held_out), epsilon, city.cost)
    raise ValueError(f"there is no base measure {base!r} here: a prior needs people who were set aside")


def minimax_point(city: City, epsilon: float, progress: Progress | None = None) -> MinimaxPoint:
    """Solve for the minimax base measure.

    Args:
        city: the city.
        epsilon: privacy parameter in nats.
        progress: called with the per cent of the way, in decades, from a gap of 100% to the tolerance.
    """

    def report(step: int, value: float, bound: float) -> None:
        if progress is not None:
            gap = (value - bound) / value if np.isfinite(bound) else 1.0
            closed = np.log(np.clip(gap, MINIMAX_TOLERANCE, 1.0)) / np.log(MINIMAX_TOLERANCE)
            progress(round(100 * float(closed)), 100)

    solved = minimax_base(city.cost, epsilon, tol=MINIMAX_TOLERANCE, progress=report)
    return MinimaxPoint(
        epsilon, solved.base, solved.value * city.diameter, solved.lower_bound * city.diameter, solved.iterations
    )


def make_base(city: City, base: str, epsilon: float, progress: Progress | None = None) -> Array:
    """The base measure of WPM on the outputs, (k_v,): any of the three.

    Args:
        city: the city.
        base: "best-uniform", "minimax" or "prior" (the crowd that was set aside).
        epsilon: privacy parameter in nats.
        progress: as in `minimax_point`.
    """
    if base == "minimax":
        return minimax_point(city, epsilon, progress).base
    return scaled_base(city, base, epsilon)


def minimax_table(points: Sequence[MinimaxPoint]) -> pd.DataFrame:
    """Worst cases of the minimax base with their certificates."""
    return pd.DataFrame(
        {
            "epsilon": [point.epsilon for point in points],
            "minimax km": [point.kilometres for point in points],
            "lower bound km": [point.lower_bound for point in points],
            "rounds": [point.iterations for point in points],
        }
    )


def worst_cells(city: City, name: str, base: Array, epsilon: float) -> WorstCells:
    """The worst case of a base measure at every point input."""
    return WorstCells(city.map, name, epsilon, worst_case_wasserstein(city.distances, Polytope(base, epsilon), 1))
