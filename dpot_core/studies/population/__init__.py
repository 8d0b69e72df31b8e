"""Where the people of a country live, in a few points: private Wasserstein barycenters."""

from dpot_core.experiments.population.circle import Circle, Turn, circle
from dpot_core.experiments.population.curves import Curve, CurvePoint, curve, curve_point
from dpot_core.experiments.population.disclosed import disclosure
from dpot_core.experiments.population.inside import COUNTS, Inside, LevelMap, inside
from dpot_core.experiments.population.mechanism import KEPT, chunks_of
from dpot_core.experiments.population.people import (
    Ground,
    People,
    Reference,
    draw_people,
    load_population,
    reference,
    takes_long,
)
from dpot_core.experiments.population.publishing import Published, publish
from dpot_core.experiments.population.releases import MapResult, Release, headlines, map_result, release
from dpot_core.experiments.population.reproduce import release_snippet, run, snippet
from dpot_core.experiments.population.sensitivity import REPLACED, Replacement, Sensitivity, replace_people
from dpot_core.experiments.population.settings import (
    BARYCENTERS,
    CURVE_EPSILON,
    CURVE_N,
    DRAWS,
    GROUPS,
    GROUPS_OF,
    GUARANTEES,
    MECHANISMS,
    RUNS,
    Config,
    InsideConfig,
)
from dpot_core.experiments.population.synthetic import KEPT as DIGIT_POINTS
from dpot_core.experiments.population.synthetic import RUNS as SYNTHETIC_RUNS
from dpot_core.experiments.population.synthetic import (
    SERIES,
    WIDTH,
    DigitResult,
    SyntheticConfig,
    SyntheticCurve,
    SyntheticPoint,
    digits,
    synthetic_curve,
    synthetic_guarantee,
    synthetic_point,
    synthetic_snippet,
)
from dpot_core.experiments.population.synthetic import VALUES as SYNTHETIC_VALUES

__all__ = [
    "BARYCENTERS",
    "COUNTS",
    "CURVE_EPSILON",
    "CURVE_N",
    "DIGIT_POINTS",
    "DRAWS",
    "GROUPS",
    "GROUPS_OF",
    "GUARANTEES",
    "KEPT",
    "MECHANISMS",
    "REPLACED",
    "RUNS",
    "SERIES",
    "SYNTHETIC_RUNS",
    "SYNTHETIC_VALUES",
    "WIDTH",
    "Circle",
    "Config",
    "Curve",
    "CurvePoint",
    "DigitResult",
    "Ground",
    "Inside",
    "InsideConfig",
    "LevelMap",
    "MapResult",
    "People",
    "Published",
    "Reference",
    "Release",
    "Replacement",
    "Sensitivity",
    "SyntheticConfig",
    "SyntheticCurve",
    "SyntheticPoint",
    "Turn",
    "chunks_of",
    "circle",
    "curve",
    "curve_point",
    "digits",
    "disclosure",
    "draw_people",
    "headlines",
    "inside",
    "load_population",
    "map_result",
    "publish",
    "reference",
    "release",
    "release_snippet",
    "replace_people",
    "run",
    "snippet",
    "synthetic_curve",
    "synthetic_guarantee",
    "synthetic_point",
    "synthetic_snippet",
    "takes_long",
]
