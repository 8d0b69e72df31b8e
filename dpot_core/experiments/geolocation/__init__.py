"""Check-ins in a city: one person and the crowd through every mechanism, and worst cases in kilometres."""

from dpot_core.cities.city import ITERATIONS, City, make_city, make_setting
from dpot_core.cities.crowd import ESTIMATES, MECHANISMS, RUNS, Crowd, crowd_at, no_privacy
from dpot_core.cities.place import Place
from dpot_core.datasets import BOXES
from dpot_core.experiments.geolocation.crowd_curve import EPSILONS, CrowdCurve, crowd_curve
from dpot_core.experiments.geolocation.disclosed import disclosure
from dpot_core.experiments.geolocation.one_person import OnePerson, one_person
from dpot_core.experiments.geolocation.promise import guarantee
from dpot_core.experiments.geolocation.reproduce import snippet
from dpot_core.experiments.geolocation.settings import Config
from dpot_core.experiments.geolocation.worst_case import (
    MINIMAX_EPSILONS,
    MinimaxPoint,
    WorstCases,
    WorstCells,
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
    "Config",
    "Crowd",
    "CrowdCurve",
    "MinimaxPoint",
    "OnePerson",
    "Place",
    "WorstCases",
    "WorstCells",
    "crowd_at",
    "crowd_curve",
    "disclosure",
    "guarantee",
    "make_base",
    "make_city",
    "make_setting",
    "minimax_point",
    "minimax_table",
    "no_privacy",
    "one_person",
    "snippet",
    "worst_cases",
    "worst_cells",
]
