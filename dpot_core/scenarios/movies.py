"""What can be run on ratings of films."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from dpot_core import datasets
from dpot_core.datasets import Ratings
from dpot_core.experiments import movies as experiment
from dpot_core.progress import Progress, part_of
from dpot_core.scenarios.kinds import Files, HasTables, Kind, Results
from dpot_core.studies._kit.values import ScenarioError

Parts = Callable[[experiment.Films, experiment.Config, Progress | None], tuple[HasTables, ...]]


def _kind(view: str, title: str, parts: Parts, headlines: Callable[..., Mapping[str, float]]) -> Kind:
    def run(config: experiment.Config, files: Files, progress: Progress | None) -> Results:
        films = make_films(config, files)
        for name, user in (("user", config.user), ("other", config.other)):
            if user not in ("", experiment.OWN, *films.names):
                raise ScenarioError(f"must be a test user of these data; got {user!r}", (name,))
        return Results(config, parts(films, config, progress), experiment.disclosure(config, films, view))

    return Kind(
        key=f"movies.{view}",
        page="Movies",
        title=title,
        example=experiment.Config(),
        run=run,
        headlines=headlines,
        snippet=experiment.snippet,
        files=lambda config: {"ratings": True, "films": False} if config.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.FILM_DATASETS),
        digests=_digests,
        personal=lambda config: bool(config.profile),
    )


def _digests(config: experiment.Config) -> dict[str, str]:
    return datasets.digests(datasets.FILM_DATASETS, config.source)


def make_films(config: experiment.Config, files: Mapping[str, bytes]) -> experiment.Films:
    """The films of the settings.

    Args:
        config: the settings.
        files: contents by role: "ratings" and, if there is one, "films" (both CSV), where the settings ask for them.
    """
    if config.source == "csv":
        return _films(
            datasets.read_ratings_csv(files["ratings"], files.get("films"), dict(config.columns) or None), config.split
        )
    return _films(datasets.loaded(datasets.FILM_DATASETS[config.source]), config.split)


@lru_cache(maxsize=3)
def _films(ratings: Ratings, split: experiment.Split) -> experiment.Films:
    return experiment.make_films(ratings, split)


def _user(films: experiment.Films, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    return experiment.one_user(films, config), experiment.liked_curve(films, config, progress)


def _everyone(films: experiment.Films, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    point = experiment.everyone_at(films, config.epsilon, config.reg, progress)
    return experiment.everyone(films, [point]), experiment.lists(films, config.base, config.epsilon, config.reg)


def _sweep(films: experiment.Films, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    points = []
    for number, epsilon in enumerate(experiment.EPSILONS):
        report = part_of(progress, number, len(experiment.EPSILONS))
        points.append(experiment.everyone_at(films, epsilon, config.reg, report))
    return (
        experiment.everyone(films, points),
        experiment.lists(films, config.base, config.epsilon, config.reg),
    )


def _adversary(films: experiment.Films, config: experiment.Config, progress: Progress | None) -> tuple[HasTables, ...]:
    return experiment.two_users(films, config), experiment.largest_ratio(films, config, progress)


def _liked(found: experiment.OneUser, _curve: Any) -> dict[str, float]:
    return {f"Probability of a liked film, {experiment.MECHANISMS[name]}": hit for name, hit in found.hits.items()}


def _hit_rates(found: experiment.Everyone, _lists: Any) -> dict[str, float]:
    names = {name: label for name, label in experiment.CURVES.items() if name != "wpm-minimax"}
    return {f"Hit Rate@1 of {label}": float(found.points[0].hits[name].mean()) for name, label in names.items()}


def _hit_rates_at(found: experiment.Everyone, _lists: Any) -> dict[str, float]:
    return {
        f"Hit Rate@1 of {experiment.CURVES['wpm']}, ε = {point.epsilon:g}": float(point.hits["wpm"].mean())
        for point in found.points
    }


def _ratios(found: experiment.TwoUsers, _curve: Any) -> dict[str, float]:
    return {
        f"Largest log-likelihood ratio, {experiment.MECHANISMS[name]} (nats)": value
        for name, value in found.largest().items()
    }


KINDS = (
    _kind("user", "One user", _user, _liked),
    _kind("everyone", "Everyone at this ε", _everyone, _hit_rates),
    _kind("sweep", "Everyone against ε", _sweep, _hit_rates_at),
    _kind("adversary", "What the adversary learns", _adversary, _ratios),
)
