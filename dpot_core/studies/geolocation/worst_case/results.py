from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.cities.city import City, largest_of_points
from dpot_core.cities.city_map import CityMap
from dpot_core.mechanisms import rivals
from dpot_core.polytopes import Polytope
from dpot_core.progress import Progress, counted, parts
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.geolocation.base import MinimaxPoint, make_base, minimax_point
from dpot_core.worst_case import WorstCase, worst_case_wasserstein

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

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"worst-case-cells": self.map.cells({"W1 km": self.worst.per_input})}


@cached
def worst_cases(city: City, progress: Progress | None = None) -> WorstCases:
    bases = ["best-uniform", *(["prior"] if city.held_out is not None else [])]
    others = rivals("exact")
    curves: dict[str, list[float]] = {name: [] for name in (*bases, *others)}
    for epsilon in counted(EPSILONS, progress):
        for base in bases:
            measure = make_base(city, base, epsilon)
            curves[base].append(float(worst_case_wasserstein(city.distances, Polytope(measure, epsilon), 1)))
        for name in others:
            curves[name].append(largest_of_points(city, name, measure, epsilon))
    return WorstCases(city.map, np.asarray(EPSILONS), {name: np.asarray(curve) for name, curve in curves.items()})


def worst_cells(city: City, name: str, epsilon: float, progress: Progress | None = None) -> WorstCells:
    polytope = Polytope(make_base(city, name, epsilon, progress), epsilon)
    return WorstCells(city.map, name, epsilon, worst_case_wasserstein(city.distances, polytope, 1))


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
