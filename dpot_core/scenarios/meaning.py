"""What can be run on the meaning of epsilon: bounds on what can be believed. Nothing is released."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpot_core.disclosures import nothing_released
from dpot_core.experiments import meaning as experiment
from dpot_core.scenarios.kinds import Kind, Results
from dpot_core.studies._kit.values import ScenarioError


def _kind(
    view: str,
    title: str,
    example: Any,
    run: Callable[[Any], Any],
    headlines: Callable[..., Mapping[str, float]],
    snippet: Callable[[Any], str],
    fits: Callable[[Any], None] = lambda config: None,
) -> Kind:
    return Kind(
        key=f"explain.{view}",
        page="What ε means",
        title=title,
        example=example,
        run=lambda config, _files, _progress: Results(config, (run(config),), nothing_released("public")),
        headlines=headlines,
        snippet=snippet,
        requirements=fits,
    )


def _epsilons(config: experiment.ReleasesConfig) -> None:
    try:
        experiment.read_epsilons(" ".join(config.epsilons))
    except ValueError as problem:
        raise ScenarioError(str(problem), ("epsilons",)) from problem


def _one(found: experiment.Result) -> dict[str, float]:
    return {
        "Most that can be believed (probability)": found.most,
        "Least that can be believed (probability)": found.least,
        "Most that the odds can shift (factor)": found.factor,
    }


KINDS = (
    _kind(
        "release",
        "One release",
        experiment.Config(),
        experiment.run,
        _one,
        experiment.snippet,
    ),
    _kind(
        "distance",
        "Privacy by distance",
        experiment.DistanceConfig(),
        experiment.over_distance,
        lambda found: _one(found.here),
        experiment.distance_snippet,
    ),
    _kind(
        "releases",
        "Several releases",
        experiment.ReleasesConfig(),
        experiment.releases,
        lambda found: {
            "ε of all releases (nats)": found.config.guarantee.epsilon,
            "Most that can be believed after all (probability)": float(found.most[-1]),
        },
        experiment.releases_snippet,
        _epsilons,
    ),
    _kind(
        "rounds",
        "Several Gaussian releases",
        experiment.RoundsConfig(),
        experiment.rounds,
        lambda found: {
            "ε of all releases, exact (nats)": float(found.exact[-1]),
            "ε of all releases, added up (nats)": float(found.basic[-1]),
        },
        experiment.rounds_snippet,
    ),
)
