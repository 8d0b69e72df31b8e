"""Where the people of a country live, in a few points: private Wasserstein barycenters."""

from dpot_core.experiments.population.circle import Circle, Turn, circle
from dpot_core.experiments.population.curves import Curve, CurvePoint, Progress, curve, curve_point
from dpot_core.experiments.population.inside import COUNTS, Inside, LevelMap, inside
from dpot_core.experiments.population.people import Ground, People, Reference, draw_people, load_population, reference
from dpot_core.experiments.population.releases import (
    MapResult,
    Release,
    chunks_of,
    headlines,
    map_result,
    release,
)
from dpot_core.experiments.population.reproduce import run, snippet
from dpot_core.experiments.population.sensitivity import Replacement, Sensitivity, replace_people
from dpot_core.experiments.population.settings import (
    ADJACENCIES,
    BARYCENTERS,
    CURVE_EPSILON,
    CURVE_N,
    DRAWS,
    GUARANTEES,
    MECHANISMS,
    METHODS,
    RUNS,
    Config,
)

__all__ = [
    "ADJACENCIES",
    "BARYCENTERS",
    "COUNTS",
    "CURVE_EPSILON",
    "CURVE_N",
    "DRAWS",
    "GUARANTEES",
    "MECHANISMS",
    "METHODS",
    "RUNS",
    "Circle",
    "Config",
    "Curve",
    "CurvePoint",
    "Ground",
    "Inside",
    "LevelMap",
    "MapResult",
    "People",
    "Progress",
    "Reference",
    "Release",
    "Replacement",
    "Sensitivity",
    "Turn",
    "chunks_of",
    "circle",
    "curve",
    "curve_point",
    "draw_people",
    "headlines",
    "inside",
    "load_population",
    "map_result",
    "reference",
    "release",
    "replace_people",
    "run",
    "snippet",
]
