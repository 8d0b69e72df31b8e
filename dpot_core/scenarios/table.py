"""The table of everything that can be run."""

from __future__ import annotations

from dpot_core.scenarios import (
    geolocation,
    meaning,
    metric,
    mixture,
    movies,
    needs,
    population,
    ring,
    sinkhorn,
    synthetic,
)
from dpot_core.scenarios.kinds import Kind

#: Key -> kind. A page joins with one line.
KINDS: dict[str, Kind] = {
    kind.key: kind
    for kinds in (
        ring.KINDS,
        geolocation.KINDS,
        mixture.KINDS,
        movies.KINDS,
        population.KINDS,
        synthetic.KINDS,
        metric.KINDS,
        sinkhorn.KINDS,
        needs.KINDS,
        meaning.KINDS,
    )
    for kind in kinds
}
