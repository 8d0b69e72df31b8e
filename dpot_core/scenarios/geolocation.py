"""What can be run on check-ins in a city."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd

from dpot_core import datasets
from dpot_core.checks import Array
from dpot_core.cities.loading import load_city
from dpot_core.experiments import geolocation as experiment
from dpot_core.mechanisms import MECHANISMS
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, HasTables, Kind, Results
from dpot_core.studies._kit.values import ScenarioError


@dataclass(frozen=True)
class MinimaxResult:
    """The best base measure at one epsilon.

    Attributes:
        point: as solved.
    """

    point: experiment.MinimaxPoint

    def tables(self) -> dict[str, pd.DataFrame]:
        """The worst case with its certificate."""
        return {"worst-case-minimax": experiment.minimax_table([self.point])}


Parts = Callable[[experiment.City, experiment.Config, Progress | None], tuple[HasTables, ...]]


def _kind(view: str, title: str, parts: Parts, headlines: Callable[..., Mapping[str, float]]) -> Kind:
    def run(config: experiment.Config, files: Files, progress: Progress | None) -> Results:
        city = load_city(config.source, config.place, files, config.columns, config.zones)
        results = parts(city, config, progress)
        crowd = results[0] if isinstance(results[0], experiment.Crowd) else None
        return Results(config, results, experiment.disclosure(config, city, view, crowd))

    return Kind(
        key=f"geolocation.{view}",
        page="Geolocation",
        title=title,
        example=experiment.Config(),
        run=run,
        headlines=headlines,
        snippet=experiment.snippet,
        files=_files,
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=_digests,
        requirements=_fits,
    )


def _fits(config: experiment.Config) -> None:
    if config.base == "prior" and not config.place.held_out:
        raise ScenarioError("must be true for a prior: it is made from people who are set aside", ("place", "held_out"))


def _files(config: experiment.Config) -> dict[str, bool]:
    asked = {"check-ins": config.source == "csv", "zones": config.zones}
    return {role: True for role, needed in asked.items() if needed}


def _digests(config: experiment.Config) -> dict[str, str]:
    return datasets.digests(datasets.DATASETS, config.source)


@lru_cache(maxsize=16)
def _base(city: experiment.City, base: str, epsilon: float) -> experiment.MinimaxPoint | Array:
    if base == "minimax":
        return experiment.minimax_point(city, epsilon)
    return experiment.make_base(city, base, epsilon)


def _measure(city: experiment.City, config: experiment.Config, epsilon: float | None = None) -> Array:
    found = _base(city, config.base, config.epsilon if epsilon is None else epsilon)
    return found.base if isinstance(found, experiment.MinimaxPoint) else found


def _person(city: experiment.City, config: experiment.Config, _: Progress | None) -> tuple[HasTables, ...]:
    return (experiment.one_person(city, config, _measure(city, config)),)


def _crowd(city: experiment.City, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    crowd = experiment.crowd_at(city, _measure(city, config), config.epsilon, config.reg, progress)
    return crowd, experiment.crowd_curve(city, [crowd], experiment.no_privacy(city))


def _curve(city: experiment.City, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    epsilons = sorted({*experiment.EPSILONS, config.epsilon})
    points = []
    for number, epsilon in enumerate(epsilons):
        report = part_of(progress, number, len(epsilons))
        points.append(experiment.crowd_at(city, _measure(city, config, epsilon), epsilon, config.reg, report))
    now = next(point for point in points if point.epsilon == config.epsilon)
    return now, experiment.crowd_curve(city, points, experiment.no_privacy(city))


def _worst(city: experiment.City, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    cells = experiment.worst_cells(city, config.base, _measure(city, config), config.epsilon)
    return experiment.worst_cases(city, progress), cells


def _minimax(city: experiment.City, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    return (MinimaxResult(experiment.minimax_point(city, config.epsilon, progress)),)


def _label(name: str) -> str:
    return experiment.ESTIMATES.get(name) or MECHANISMS[name].label


def _crowd_numbers(crowd: experiment.Crowd, curve: experiment.CrowdCurve) -> dict[str, float]:
    found = {f"Crowd's W₁ of {_label(name)} (km)": value for name, value in crowd.means().items()}
    return found | {"Crowd's W₁ without privacy (km)": float(curve.no_privacy.mean())}


def _worst_numbers(_curves: Any, cells: experiment.WorstCells) -> dict[str, float]:
    return {"Worst case of WPM (km)": float(cells.worst)}


KINDS = (
    _kind(
        "person",
        "One person",
        _person,
        lambda found: {f"W₁ of {_label(name)} (km)": value for name, value in found.kilometres.items()},
    ),
    _kind("crowd", "The crowd", _crowd, _crowd_numbers),
    _kind("crowd-curve", "The crowd against ε", _curve, _crowd_numbers),
    _kind("worst-case", "Worst case", _worst, _worst_numbers),
    _kind(
        "minimax",
        "Smallest worst case of any mechanism",
        _minimax,
        lambda found: {
            "Worst case, minimax base (km)": found.point.kilometres,
            "Nobody can do better than (km)": found.point.lower_bound,
        },
    ),
)
