"""The lessons by page; a page joins with one line."""

from __future__ import annotations

from dpot_core.studies._kit.lesson import Lesson
from dpot_core.studies.ring.lesson import LESSON as RING
from dpot_core.studies.sinkhorn.lesson import LESSON as SINKHORN
from pages._teaching.central import METRIC_LESSON, POPULATION
from pages._teaching.choosing import DECIDE, EXPLAIN
from pages._teaching.local import GEOLOCATION, MIXTURE, MOVIES

#: Address of the page -> its lesson; lessons of pages that are not there wait.
LESSONS: dict[str, Lesson] = {
    "ring": RING,
    "geolocation": GEOLOCATION,
    "mixture": MIXTURE,
    "movies": MOVIES,
    "population": POPULATION,
    "metric": METRIC_LESSON,
    "sinkhorn": SINKHORN,
    "explain": EXPLAIN,
    "decide": DECIDE,
}
