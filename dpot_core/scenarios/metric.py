"""What can be run on privacy in proportion to distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpot_core import datasets
from dpot_core.experiments import geolocation as places
from dpot_core.experiments import metric as experiment
from dpot_core.experiments.metric import budgets, crowd, pays
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios import geolocation
from dpot_core.scenarios.kinds import EPSILON, Allowed, Files, Found, Kind
from dpot_core.scenarios.values import ScenarioError

_TITLES = {key: data.title for key, data in datasets.DATASETS.items()}
_DELTA = Allowed("Slack δ", low=1e-15, high=0.1, step=10.0, factor=True)
_BASE = {
    "base.source": Allowed("Data", _TITLES | {"csv": "My CSV file"}),
    "base.epsilon": EPSILON,
    "base.delta": _DELTA,
    "base.changes": Allowed("Protected changes: share of one person's data, km"),
    "base.place.n": Allowed("Cells per side of the grid", low=2, high=40, step=2),
    "base.place.least": Allowed("Check-ins that a person needs", low=1, high=10_000, step=5),
    "base.place.within": Allowed("Keep km around the busiest spot (0: all)", low=0.0, high=20_000.0),
    "base.place.box": Allowed("Box of the map: west, south, east, north (degrees)", empty="around the check-ins"),
    "base.columns": Allowed("Columns of the file"),
}
_PROTECT = {"example": Allowed("Changes", {"own": "Own changes", "paper": "The paper's example"})}
_ASK = {
    "query": Allowed("Question", experiment.QUERIES),
    "east": Allowed("Place: per cent from west to east", low=0, high=100, step=10),
    "north": Allowed("Place: per cent from south to north", low=0, high=100, step=10),
    "radius": Allowed("Region: km around the place", low=0.0, high=20_000.0, step=1.5, factor=True),
    "edge": Allowed("Soft edge of the region, km", low=0.0, high=20_000.0, step=1.5, factor=True),
    "kind": Allowed("Noise", {"k-norm": "Laplace (K-norm)", "gaussian": "Gaussian"}),
}
_CROWD = {
    "visits": Allowed("Random visits that each person reports, m", low=1, high=1_000_000, step=2.0, factor=True),
    "who": Allowed("Who mixes the reports", {"central": "One shuffler for everybody", "local": "Everybody alone"}),
}
_PAYS = {
    "model": Allowed("Who sees clean data", {"local": "Nobody", "central": "One party"}),
    "users": Allowed("Users n", low=1, high=10**8, step=2.0, factor=True),
    "items": Allowed("Items of each user m", low=1, high=10**6, step=2.0, factor=True),
    "clusters": Allowed("Clusters s", low=1, high=64, step=2),
    "size": Allowed("Points in each cluster t", low=1, high=64, step=2),
    "r": Allowed("Distance inside a cluster r (1 = across)", low=1e-6, high=1.0, step=2.0, factor=True),
    "epsilon": EPSILON,
    "ratio": Allowed("α/ε", low=1e-3, high=1e5, step=2.0, factor=True),
    "delta": _DELTA,
}

Parts = Callable[[Any, places.City, Progress | None], Found]


def _kind(
    view: str,
    title: str,
    example: Any,
    parts: Parts,
    allowed: Mapping[str, Allowed],
    snippet: Callable[[Any], str] = experiment.snippet,
    headlines: Callable[..., Mapping[str, float]] = lambda found: found.headlines(),
) -> Kind:
    def run(config: Any, files: Files, progress: Progress | None) -> Found:
        return parts(config, _city(config.base, files), progress)

    return Kind(
        key=f"metric.{view}",
        page="Metric privacy",
        title=title,
        example=example,
        run=run,
        headlines=headlines,
        snippet=snippet,
        allowed={**_BASE, **allowed},
        files=lambda config: {"check-ins": True} if config.base.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.base.source),
        fits=_fits,
    )


def _fits(config: Any) -> None:
    if config.base.place.held_out:
        raise ScenarioError("must be false: this page has no use for a public prior", ("base", "place", "held_out"))


def _city(base: experiment.Config, files: Files) -> places.City:
    # The geolocation page lays the same grid; but here visits off the map are moved to its edge, not left out.
    same = places.Config(source=base.source, place=base.place, columns=base.columns)
    return geolocation.make_city(same, files, clamp=True)


def _protect(config: experiment.ProtectConfig, city: places.City, _: Progress | None) -> Found:
    result = experiment.protect(config, experiment.diameter(city), city.check_ins.simulated)
    return Found((result,), experiment.protect_disclosure(result))


def _ask(config: experiment.AskConfig, city: places.City, _: Progress | None) -> Found:
    result = experiment.ask(config, city)
    return Found((result,), experiment.ask_disclosure(result))


def _crowd(config: experiment.CrowdConfig, city: places.City, progress: Progress | None) -> Found:
    result = crowd.release_crowd(config, city, progress)
    return Found((result,), experiment.crowd_disclosure(result))


def _crowd_curve(config: experiment.CrowdConfig, city: places.City, progress: Progress | None) -> Found:
    points = []
    epsilons = sorted({*crowd.EPSILONS, config.base.epsilon})
    for number, epsilon in enumerate(epsilons):
        report = part_of(progress, number, len(epsilons))
        points.append(crowd.release_crowd(crowd.at_epsilon(config, epsilon), city, report))
    now = next(point for point in points if point.config == config)
    curves = budgets.budgets(config, now.largest, now.people)
    return Found((now, crowd.crowd_errors(points), curves), experiment.curve_disclosure(now))


def _pays(config: experiment.PaysConfig, _: Files, progress: Progress | None) -> Found:
    result = pays.run(config, progress)
    return Found((result,), experiment.protect_disclosure())


def _pays_numbers(found: experiment.Pays) -> dict[str, float]:
    """Without the crossover where there is none."""
    return {name: value for name, value in found.headlines().items() if not math.isnan(value)}


KINDS = (
    _kind("protect", "What is protected", experiment.ProtectConfig(), _protect, _PROTECT),
    _kind("ask", "A question about everybody", experiment.AskConfig(), _ask, _ASK),
    _kind("crowd", "The crowd's map", experiment.CrowdConfig(), _crowd, _CROWD),
    _kind(
        "crowd-curve",
        "The crowd against ε",
        experiment.CrowdConfig(),
        _crowd_curve,
        _CROWD,
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
        allowed=_PAYS,
    ),
)
