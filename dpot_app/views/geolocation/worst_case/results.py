from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.city import City, make_public
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.worst_case import (
    bracket,
    cells_run,
    farthest,
    largest_of_points,
    runs_everywhere,
    worst_by_cell,
)
from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.kit.many_releases import Many, many
from dpot_app.views.geolocation.base import MinimaxPoint, base_of_curve, make_base, minimax_epsilons, minimax_point
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, part_of, parts
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.worst_case import Bracket, WorstCase

#: Values of epsilon of the curves, even in the logarithm.
EPSILONS = tuple(float(e) for e in np.round(np.geomspace(0.05, 10.0, 24), 6))

#: Cells on which the minimax base takes a twentieth of a second.
MOST_MINIMAX = 400


@dataclass(frozen=True)
class WorstCases:
    """Curves over epsilon, km."""

    map: CityMap  # of the city
    epsilon: Array  # values of the privacy parameter, (T,)
    # by curve, (T,): "best-uniform", "prior" (if people are set aside), "own" (if there are weights): U of WPM, over
    # all inputs; each of `rivals("exact")`: the same, because the largest of all inputs is at a point mass
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
        columns = {f"W{self.map.p:g} km": self.worst.per_input}
        if self.above > 0:
            least = float(self.worst) * (1.0 - self.above)
            columns["worst case of any base, at least km"] = np.full(len(self.worst.per_input), least)
        return {"worst-case-cells": self.map.cells(columns)}


@cached
def worst_cases(city: City, progress: Progress | None = None) -> WorstCases:
    bases = [
        "best-uniform",
        *(name for name, known in (("prior", city.held_out), ("own", city.own)) if known is not None),
    ]
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
class Curve:
    """The worst case of one mechanism, W_p in km: from below and above, the same where it is known."""

    at_least: Array  # what a history at one cell attains, (T,)
    at_most: Array  # proven for all histories, (T,)
    now: Bracket  # at the present epsilon

    @property
    def known(self) -> bool:
        return self.now.at_least == self.now.at_most


@dataclass(frozen=True)
class InUse:
    """Worst cases of the mechanisms that are shown, with the base measure and the solver of the settings."""

    map: CityMap
    config: Config
    epsilons: tuple[float, ...]  # of the curves
    curves: dict[str, Curve]  # by mechanism
    exact: Curve | None  # of the exact projection, where WPM has an entropic weight
    run: int  # of how many cells it was run at each, where there is no other way; reflections count once
    all_run: bool  # whether these are all
    missing: tuple[str, ...]  # mechanisms that have no output for some history
    bases: dict[str, float]  # the worst case of exact WPM with each base measure that is known at once, km
    many: dict[str, Many]  # what many releases promise, by mechanism, at the present epsilon

    def tables(self) -> dict[str, pd.DataFrame]:
        columns: dict[str, Array] = {"epsilon": np.asarray(self.epsilons)}
        more = {} if self.exact is None else {"exact wpm": self.exact}
        for name, curve in (self.curves | more).items():
            columns |= {f"{name} at least km": curve.at_least, f"{name} at most km": curve.at_most}
        bases = {"base": list(self.bases), "worst case km": list(self.bases.values())}
        return {"worst-case-in-use": pd.DataFrame(columns), "worst-case-of-bases": pd.DataFrame(bases)}


@dataclass(frozen=True)
class Here:
    """How far the person at hand is moved, W_p in km."""

    map: CityMap
    kilometres: dict[str, float]  # by mechanism

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = {"simulated": self.map.simulated, "mechanism": list(self.kilometres), "km": self.kilometres.values()}
        return {"worst-case-here": pd.DataFrame(rows)}


def in_use(city: City, config: Config, progress: Progress | None = None) -> InUse:
    """The curves, and the worst cases at the present epsilon."""
    everywhere = np.full(len(city.grid), 1.0 / len(city.grid))
    base, epsilon = make_base(city, config.base, config.epsilon), config.epsilon
    public = make_public(city, base, epsilon, None)
    names = [name for name in config.mechanisms if MECHANISMS[name].feasible(public, everywhere)]
    wanted = [(name, config.reg if name == "wpm" else None) for name in names]
    if "wpm" in names and config.reg is not None:
        wanted.append(("wpm", None))
    curves = {
        (name, reg): Curve(*_curve(city, config.base, name, reg, part), bracket(city, name, base, epsilon, reg))
        for (name, reg), part in parts(wanted, progress)
    }
    return InUse(
        map=city.map,
        config=config,
        epsilons=curve_epsilons(city, config.base),
        curves={name: curve for (name, _), curve in list(curves.items())[: len(names)]},
        exact=None if config.reg is None else curves.get(("wpm", None)),
        run=cells_run(city, base).size,
        all_run=runs_everywhere(city, base),
        missing=tuple(name for name in config.mechanisms if name not in names),
        bases=worst_of_bases(city, config),
        many={name: many(MECHANISMS[name].polytope(public)) for name in names},
    )


def worst_of_bases(city: City, config: Config) -> dict[str, float]:
    """The worst case of exact WPM with the uniform base, the one in use, and minimax where it is found at once, km."""
    at_once = ("best-uniform", *(["minimax"] if len(city.grid) <= MOST_MINIMAX and city.zones is None else []))
    bases = {name: make_base(city, name, config.epsilon) for name in dict.fromkeys((*at_once, config.base))}
    return {name: bracket(city, "wpm", base, config.epsilon).at_most for name, base in bases.items()}


def curve_epsilons(city: City, base: str) -> tuple[float, ...]:
    """Values of epsilon of the curves: fewer where each of them takes a base measure that is solved for."""
    return minimax_epsilons(city) if base == "minimax" else CURVE_EPSILONS


@cached
def _curve(
    city: City, base: str, mechanism: str, reg: float | None, progress: Progress | None = None
) -> tuple[Array, Array]:
    """Both ends of the worst case over `curve_epsilons`, (T,) each."""
    ends = [
        bracket(city, mechanism, base_of_curve(city, base, epsilon), epsilon, reg)
        for epsilon in counted(curve_epsilons(city, base), progress)
    ]
    at_least, at_most = np.array(ends).T
    return at_least, at_most


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
