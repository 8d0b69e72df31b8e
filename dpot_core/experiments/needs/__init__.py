"""From the utility that is needed to the smallest epsilon: in the worst case, and for the data at hand."""

from dpot_core.experiments.needs.answer import NEEDS, Answer, Found, run
from dpot_core.experiments.needs.disclosed import disclosure
from dpot_core.experiments.needs.places import PEOPLE
from dpot_core.experiments.needs.places import RUNS as PEOPLE_RUNS
from dpot_core.experiments.needs.reproduce import snippet
from dpot_core.experiments.needs.settings import GRID, HIGHEST, LOWEST, TITLES, TOLERANCE, Config, Need, Side
from dpot_core.experiments.needs.two_sets import PAIR

__all__ = [
    "GRID",
    "HIGHEST",
    "LOWEST",
    "NEEDS",
    "PAIR",
    "PEOPLE",
    "PEOPLE_RUNS",
    "TITLES",
    "TOLERANCE",
    "Answer",
    "Config",
    "Found",
    "Need",
    "Side",
    "disclosure",
    "run",
    "snippet",
]
