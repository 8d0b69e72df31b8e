"""What can be run on privacy in proportion to distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpot_core import datasets
from dpot_core.cities.city import City
from dpot_core.cities.loading import load_city
from dpot_core.experiments import metric as experiment
from dpot_core.experiments.metric import budgets, crowd, pays
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, Kind, Results
from dpot_core.studies._kit.values import ScenarioError

Parts = Callable[[Any, City, Progress | None], Results]


def _kind(
    view: str,
    title: str,
    example: Any,
    parts: Parts,
    snippet: Callable[[Any], str] = experiment.snippet,
    headlines: Callable[..., Mapping[str, float]] = lambda found: found.headlines(),
) -> Kind:
    def run(config: Any, files: Files, progress: Progress | None) -> Results:
        return parts(config, _city(config.base, files), progress)

    return Kind(
        key=f"metric.{view}",
        page="Metric privacy",
        title=title,
        example=example,
        run=run,
        headlines=headlines,
        snippet=snippet,
        files=lambda config: {"check-ins": True} if config.base.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.base.source),
        requirements=_fits,
    )


def _fits(config: Any) -> None:
    if config.base.place.held_out:
        raise ScenarioError("must be false: this page has no use for a public prior", ("base", "place", "held_out"))


def _city(base: experiment.Config, files: Files) -> City:
    # Visits off the map are moved to its edge, not left out.
    return load_city(base.source, base.place, files, base.columns, clamp=True)


def _protect(config: experiment.ProtectConfig, city: City, _: Progress | None) -> Results:
    result = experiment.protect(config, experiment.diameter(city), city.check_ins.simulated)
    return Results(config, (result,), experiment.protect_disclosure(result))


def _ask(config: experiment.AskConfig, city: City, _: Progress | None) -> Results:
    result = experiment.ask(config, city)
    return Results(config, (result,), experiment.ask_disclosure(result))


def _crowd(config: experiment.CrowdConfig, city: City, progress: Progress | None) -> Results:
    result = crowd.release_crowd(config, city, progress)
    return Results(config, (result,), experiment.crowd_disclosure(result))


def _crowd_curve(config: experiment.CrowdConfig, city: City, progress: Progress | None) -> Results:
    points = []
    epsilons = sorted({*crowd.EPSILONS, config.base.epsilon})
    for number, epsilon in enumerate(epsilons):
        report = part_of(progress, number, len(epsilons))
        points.append(crowd.release_crowd(crowd.at_epsilon(config, epsilon), city, report))
    now = next(point for point in points if point.config == config)
    curves = budgets.budgets(config, now.largest, now.people)
    return Results(config, (now, crowd.crowd_errors(points), curves), experiment.curve_disclosure(now))


def _pays(config: experiment.PaysConfig, _: Files, progress: Progress | None) -> Results:
    result = pays.run(config, progress)
    return Results(config, (result,), experiment.protect_disclosure())


def _pays_numbers(found: experiment.Pays) -> dict[str, float]:
    """Without the crossover where there is none."""
    return {name: value for name, value in found.headlines().items() if not math.isnan(value)}


KINDS = (
    _kind("protect", "What is protected", experiment.ProtectConfig(), _protect),
    _kind("ask", "A question about everybody", experiment.AskConfig(), _ask),
    _kind("crowd", "The crowd's map", experiment.CrowdConfig(), _crowd),
    _kind(
        "crowd-curve",
        "The crowd against ε",
        experiment.CrowdConfig(),
        _crowd_curve,
        headlines=lambda now, _errors, _budgets: now.headlines(),
    ),
    Kind(
        key="metric.pays",
        page="Metric privacy",
        title="When it pays (simulated)",
        example=experiment.PaysConfig(),
        run=_pays,
        headlines=_pays_numbers,
        snippet=experiment.snippet,
    ),
)
