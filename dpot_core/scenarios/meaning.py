"""What can be run on the meaning of epsilon: bounds on what can be believed. Nothing is released."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpot_core.disclosures import nothing_released
from dpot_core.experiments import meaning as experiment
from dpot_core.scenarios.kinds import EPSILON, Allowed, Found, Kind
from dpot_core.scenarios.values import ScenarioError

_PRIOR = Allowed("Believed before, a probability", low=1e-9, high=1 - 1e-9, step=1.25, factor=True)


def _kind(
    view: str,
    title: str,
    example: Any,
    run: Callable[[Any], Any],
    headlines: Callable[..., Mapping[str, float]],
    snippet: Callable[[Any], str],
    allowed: Mapping[str, Allowed],
    fits: Callable[[Any], None] = lambda config: None,
) -> Kind:
    return Kind(
        key=f"explain.{view}",
        page="What ε means",
        title=title,
        example=example,
        run=lambda config, _files, _progress: Found((run(config),), nothing_released("public")),
        headlines=headlines,
        snippet=snippet,
        allowed=allowed,
        fits=fits,
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
        {"epsilon": EPSILON, "prior": _PRIOR},
    ),
    _kind(
        "distance",
        "Privacy by distance",
        experiment.DistanceConfig(),
        experiment.over_distance,
        lambda found: _one(found.here),
        experiment.distance_snippet,
        {
            "alpha": Allowed("Privacy per unit of distance α (1/km)", low=1e-3, high=100.0, step=1.25, factor=True),
            "distance": Allowed("Distance of the two inputs (km)", low=0.0, high=1000.0, step=1.25, factor=True),
            "prior": _PRIOR,
            "farthest": Allowed("End of the curve (km)", low=1e-3, high=1000.0),
        },
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
        {"epsilons": Allowed("ε of each release, as text"), "prior": _PRIOR},
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
        {
            "epsilon": EPSILON,
            "delta": Allowed("δ of each release", low=1e-15, high=0.1, step=10.0, factor=True),
            "rounds": Allowed("Releases", low=1, high=1000, step=5),
        },
    ),
)
