"""Check-ins in a city: one person and the crowd through every mechanism, and worst cases in kilometres."""

from dpot_core.datasets import BOXES
from dpot_core.experiments.geolocation.city import City, Measure, make_city, make_setting
from dpot_core.experiments.geolocation.crowd import (
    EPSILONS,
    ESTIMATES,
    RUNS,
    Crowd,
    CrowdCurve,
    crowd_at,
    crowd_curve,
    no_privacy,
)
from dpot_core.experiments.geolocation.disclosed import Columns, disclosure, on_map, public_map
from dpot_core.experiments.geolocation.ground import Ground
from dpot_core.experiments.geolocation.one_person import OnePerson, one_person
from dpot_core.experiments.geolocation.promise import guarantee, region_note, takes_part
from dpot_core.experiments.geolocation.reproduce import snippet
from dpot_core.experiments.geolocation.settings import ITERATIONS, MECHANISMS, Config, Place
from dpot_core.experiments.geolocation.worst_case import (
    MINIMAX_EPSILONS,
    MinimaxPoint,
    WorstCases,
    WorstCells,
    largest_of_points,
    make_base,
    minimax_point,
    minimax_table,
    worst_cases,
    worst_cells,
)

__all__ = [
    "BOXES",
    "EPSILONS",
    "ESTIMATES",
    "ITERATIONS",
    "MECHANISMS",
    "MINIMAX_EPSILONS",
    "RUNS",
    "City",
    "Columns",
    "Config",
    "Crowd",
    "CrowdCurve",
    "Ground",
    "Measure",
    "MinimaxPoint",
    "OnePerson",
    "Place",
    "WorstCases",
    "WorstCells",
    "crowd_at",
    "crowd_curve",
    "disclosure",
    "guarantee",
    "largest_of_points",
    "make_base",
    "make_city",
    "make_setting",
    "minimax_point",
    "minimax_table",
    "no_privacy",
    "on_map",
    "one_person",
    "public_map",
    "region_note",
    "snippet",
    "takes_part",
    "worst_cases",
    "worst_cells",
]
