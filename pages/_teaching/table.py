"""The lessons by page; a page joins with one line."""

from __future__ import annotations

from dpot_core.studies._kit.lesson import Lesson
from dpot_core.studies.explain.lesson import LESSON as EXPLAIN
from dpot_core.studies.geolocation.lesson import LESSON as GEOLOCATION
from dpot_core.studies.metric.lesson import LESSON as METRIC
from dpot_core.studies.mixture.lesson import LESSON as MIXTURE
from dpot_core.studies.movies.lesson import LESSON as MOVIES
from dpot_core.studies.population.lesson import LESSON as POPULATION
from dpot_core.studies.ring.lesson import LESSON as RING
from dpot_core.studies.sinkhorn.lesson import LESSON as SINKHORN
from pages._teaching.choosing import DECIDE

#: Address of the page -> its lesson; lessons of pages that are not there wait.
LESSONS: dict[str, Lesson] = {
    "ring": RING,
    "geolocation": GEOLOCATION,
    "mixture": MIXTURE,
    "movies": MOVIES,
    "population": POPULATION,
    "metric": METRIC,
    "sinkhorn": SINKHORN,
    "explain": EXPLAIN,
    "decide": DECIDE,
}
