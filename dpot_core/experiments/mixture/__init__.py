"""Mixtures of Gaussians on the line and in the plane, and the sphere: densities through private mechanisms."""

from dpot_core.experiments.mixture.disclosed import disclosure
from dpot_core.experiments.mixture.line import Numbers, Result, run_line
from dpot_core.experiments.mixture.plane import Plane, run_plane
from dpot_core.experiments.mixture.published import Published, published_modes, published_rows, published_worst
from dpot_core.experiments.mixture.reproduce import release_snippet, snippet, sphere_snippet
from dpot_core.experiments.mixture.settings import (
    DOMAIN,
    MECHANISMS,
    NAMES,
    RADII,
    TRAINED,
    Config,
    Family,
    Modes,
    in_plane,
    make_family,
    random_modes,
    random_modes_in_disc,
    ring_modes,
)
from dpot_core.experiments.mixture.sphere import Sphere, SphereConfig, run_sphere
from dpot_core.experiments.mixture.trained import train_mbde, training_key
from dpot_core.experiments.mixture.worst_case import (
    FIG4_EPSILONS,
    Many,
    WorstCases,
    WorstNow,
    worst_cases,
    worst_now,
    worst_of_many,
)

__all__ = [
    "DOMAIN",
    "FIG4_EPSILONS",
    "MECHANISMS",
    "NAMES",
    "RADII",
    "TRAINED",
    "Config",
    "Family",
    "Many",
    "Modes",
    "Numbers",
    "Plane",
    "Published",
    "Result",
    "Sphere",
    "SphereConfig",
    "WorstCases",
    "WorstNow",
    "disclosure",
    "in_plane",
    "make_family",
    "published_modes",
    "published_rows",
    "published_worst",
    "random_modes",
    "random_modes_in_disc",
    "release_snippet",
    "ring_modes",
    "run_line",
    "run_plane",
    "run_sphere",
    "snippet",
    "sphere_snippet",
    "train_mbde",
    "training_key",
    "worst_cases",
    "worst_now",
    "worst_of_many",
]
