"""Where the people of a country live, in a few points: private Wasserstein barycenters."""

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
    "CURVE_EPSILON",
    "CURVE_N",
    "DRAWS",
    "GUARANTEES",
    "MECHANISMS",
    "METHODS",
    "RUNS",
    "Config",
    "Ground",
    "MapResult",
    "People",
    "Reference",
    "Release",
    "chunks_of",
    "draw_people",
    "headlines",
    "load_population",
    "map_result",
    "reference",
    "release",
    "run",
    "snippet",
]
