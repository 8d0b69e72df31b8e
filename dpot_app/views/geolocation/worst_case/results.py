from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.city import City
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.worst_place import farthest, largest_of_points, worst_by_cell
from dpot_app.kit.cache import cached
from dpot_app.views.geolocation.base import MinimaxPoint, base_of_curve, make_base, minimax_point
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, part_of, parts
from dpot_core.mechanisms import rivals
from dpot_core.worst_case import WorstCase

#: Values of epsilon of the curves, even in the logarithm.
EPSILONS = tuple(float(e) for e in np.round(np.geomspace(0.05, 10.0, 24), 6))


@dataclass(frozen=True)
class WorstCases:
    """Curves over epsilon, km."""

    map: CityMap  # of the city
    epsilon: Array  # values of the privacy parameter, (T,)
    # by curve, (T,): "best-uniform", "prior" (if people are set aside): U of WPM, over all inputs; each of
    # `rivals("exact")`: the same, because the largest of all inputs is at a point mass
    kilometres: dict[str, Array]

    def tables(self) -> dict[str, pd.DataFrame]:
        frame = pd.DataFrame({"epsilon": self.epsilon} | {f"{k} km": v for k, v in self.kilometres.items()})
        return {"worst-case": frame}


@dataclass(frozen=True)
class WorstCells:
    map: CityMap
    base: str
    epsilon: float
    worst: WorstCase  # U in km, with the worst cell and the value of each cell
    others: dict[str, float]  # the largest distance of each of `rivals("exact")`, km
    above: float = 0.0  # by what share of it this base may be above the smallest worst case: a fine grid's minimax base

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = {"W1 km": self.worst.per_input}
        if self.above > 0:
            least = float(self.worst) * (1.0 - self.above)
            columns["worst case of any base, at least km"] = np.full(len(self.worst.per_input), least)
        return {"worst-case-cells": self.map.cells(columns)}


@cached
def worst_cases(city: City, progress: Progress | None = None) -> WorstCases:
    bases = ["best-uniform", *(["prior"] if city.held_out is not None else [])]
    others = rivals("exact")
    curves: dict[str, list[float]] = {name: [] for name in (*bases, *others)}
    for epsilon in counted(EPSILONS, progress):
        for base in bases:
            measure = base_of_curve(city, base, epsilon)
            curves[base].append(farthest(city, measure, epsilon))
        for name in others:
            curves[name].append(largest_of_points(city, name, measure, epsilon))
    return WorstCases(city.map, np.asarray(EPSILONS), {name: np.asarray(curve) for name, curve in curves.items()})


def worst_cells(city: City, name: str, epsilon: float, progress: Progress | None = None) -> WorstCells:
    base = make_base(city, name, epsilon, part_of(progress, 0, 2))
    worst = worst_by_cell(city, base, epsilon, part_of(progress, 1, 2))
    above = minimax_point(city, epsilon).above if name == "minimax" else 0.0
    others = {name: largest_of_points(city, name, base, epsilon) for name in rivals("exact")}
    return WorstCells(city.map, name, epsilon, worst, others, above)


@dataclass(frozen=True)
class Minimax:
    map: CityMap
    points: tuple[MinimaxPoint, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {
                "epsilon": point.epsilon,
                "minimax km": point.kilometres,
                "lower bound km": point.lower_bound,
                "rounds": point.iterations,
            }
            for point in self.points
        ]
        return {"worst-case-minimax": pd.DataFrame(rows)}


def minimax(city: City, epsilons: Sequence[float], progress: Progress | None = None) -> Minimax:
    return Minimax(city.map, tuple(minimax_point(city, *each) for each in parts(epsilons, progress)))
