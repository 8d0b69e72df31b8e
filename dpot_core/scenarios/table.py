"""The table of everything that can be run."""

from __future__ import annotations

from dpot_core.scenarios import (
    needs,
)
from dpot_core.scenarios.kinds import Kind
from dpot_core.studies._kit.view import View
from dpot_core.studies.table import ORDER, VIEWS

_EVERY: dict[str, Kind | View] = {
    **VIEWS,
    **{kind.key: kind for kinds in (needs.KINDS,) for kind in kinds},
}

_PLACE = {page: place for place, page in enumerate(ORDER)}

#: Key -> what can be run, in the order of the pages.
KINDS = {key: _EVERY[key] for key in sorted(_EVERY, key=lambda key: _PLACE.get(key.split(".")[0], len(ORDER)))}
