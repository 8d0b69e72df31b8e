"""The table of everything that can be run."""

from __future__ import annotations

from dpot_core.scenarios import (
    geolocation,
    meaning,
    metric,
    mixture,
    movies,
    needs,
    sinkhorn,
)
from dpot_core.scenarios.kinds import Kind
from dpot_core.studies._kit.view import View
from dpot_core.studies.table import VIEWS

#: Key -> what can be run.
KINDS: dict[str, Kind | View] = {
    **VIEWS,
    **{
        kind.key: kind
        for kinds in (
            geolocation.KINDS,
            mixture.KINDS,
            movies.KINDS,
            metric.KINDS,
            sinkhorn.KINDS,
            needs.KINDS,
            meaning.KINDS,
        )
        for kind in kinds
    },
}
