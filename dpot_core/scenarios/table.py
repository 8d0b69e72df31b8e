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
from dpot_core.studies.table import ORDER, VIEWS

_EVERY: dict[str, Kind | View] = {
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

#: Key -> what can be run, in the order of the pages.
KINDS = {key: _EVERY[key] for key in sorted(_EVERY, key=lambda key: ORDER.index(key.split(".")[0]))}
