"""What epsilon means: odds, distances, several releases, and the epsilons of known deployments."""

from dpot_core.experiments.meaning.distance import DistanceConfig, OverDistance, over_distance
from dpot_core.experiments.meaning.one_release import PEOPLE, Config, Result, run
from dpot_core.experiments.meaning.reproduce import distance_snippet, releases_snippet, rounds_snippet, snippet
from dpot_core.experiments.meaning.several import (
    Releases,
    ReleasesConfig,
    Rounds,
    RoundsConfig,
    read_epsilons,
    releases,
    rounds,
)

__all__ = [
    "PEOPLE",
    "Config",
    "DistanceConfig",
    "OverDistance",
    "Releases",
    "ReleasesConfig",
    "Result",
    "Rounds",
    "RoundsConfig",
    "distance_snippet",
    "over_distance",
    "read_epsilons",
    "releases",
    "releases_snippet",
    "rounds",
    "rounds_snippet",
    "run",
    "snippet",
]
