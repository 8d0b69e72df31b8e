"""Check-ins and zones of the reader's own, for every page that shows a city."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpot_app.cities.loading import BRING_CHECK_INS, CHECK_INS, ZONES
from dpot_app.cities.place import Place
from dpot_app.kit.markdown import as_text
from dpot_app.kit.setting import Declared, declared
from dpot_app.shell.addresses import prepared
from dpot_app.shell.asking import ask
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import Columns, columns_of, needed_upload
from dpot_app.shell.sidebar import Special, Waiting
from dpot_app.shell.upload import Upload
from dpot_core import datasets
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.datasets.formats import MAP_ENDINGS, TABLE_ENDINGS
from dpot_core.datasets.world import find_cities

_BRING_ZONES = (
    "Bring a map file of polygons in the controls: GeoJSON, GeoPackage, KML, or a Shapefile in a zip archive. Its "
    "zones become the locations that are released; each stands for a point inside it. The file stays in the memory of "
    "the app. It is not written to disk, and not part of the link."
)


def own_check_ins(controls: Controls, values: Mapping[str, Any]) -> Columns:
    """Where the source is "csv": the file, and what its columns are.

    Raises:
        Waiting: while there is no file.
    """
    least = f"{controls.page}_least"
    # Seen at first only: the address leaves out what is as it began.
    linked = st.session_state.setdefault(f"{least}_linked", least in st.query_params) or bool(prepared(least))
    st.session_state[f"{least}_linked"] = linked
    if values["source"] != "csv":
        _begin_with_all(controls, "", linked=linked)
        return ()
    label = "File: user, lat, lon and, optionally, count"
    table = needed_upload(controls, CHECK_INS, label, TABLE_ENDINGS, BRING_CHECK_INS)
    _begin_with_all(controls, table.tag, linked=linked)
    return columns_of(controls, table, datasets.sniff_columns, ROLES, {"count": "(every row is one visit)"})


def _begin_with_all(controls: Controls, file: str, *, linked: bool) -> None:
    """Let a file begin with all its people: one place each is what most files have.

    Args:
        file: its tag, "" where no file is read: then the number stands again as it did before there was one.
        linked: whether a link says how many check-ins a person needs.
    """
    state, known, least = st.session_state, f"{controls.page}_begun", f"{controls.page}_least"
    begun, before = state.get(known, ("", None))
    if begun == file:
        return
    if not begun and not linked:
        before, state[least] = state.get(least, Place().least), 1
    elif not file and state.get(least) == 1 and before is not None:
        state[least] = before
    state[known] = file, before


def city_pieces(within: Declared, first: str = "") -> dict[str, Special]:
    """Controls for the settings of a city that need more than their declaration: columns, distance, city.

    Args:
        within: declares the distance from the busiest spot, which is asked for a file of one's own only.
        first: the city that the page opens with.
    """
    return {
        "columns": own_check_ins,
        "place.city": partial(real_city, first),
        "place.within": lambda controls, values: (
            ask(controls, Place, "within", within, disabled="place.within" in controls.idle)
            if values["source"] == "csv"
            else 0.0
        ),
    }


def real_city(first: str, controls: Controls, values: Mapping[str, Any]) -> str:
    """The label of the city where simulated people live; "" for the invented one.

    Raises:
        Waiting: while there is no city of the name that is typed.
    """
    if values["source"] != "simulated":
        return ""
    begin = first if first and controls.means_first() else ""
    known, off = declared(Place)["city"], "place.city" in controls.idle
    text = controls.ask_text("city", known, begin, placeholder="an invented city", disabled=off)
    if not text:
        return ""
    found = find_cities(text)
    if not found:
        st.error(
            f"There is no city {as_text(text)} among those of 50,000 people or more. Leave the field empty for an "
            "invented one."
        )
        raise Waiting
    city, others = found[0], ", ".join(as_text(other.label) for other in found[1:6])
    st.caption(f"{as_text(city.label)}, {city.population:,} people{f'. Also: {others}' if others else ''}.")
    return city.label


def own_zones(controls: Controls) -> Upload:
    """The file of zones.

    Raises:
        Waiting: while there is no file.
    """
    return needed_upload(controls, ZONES, "Map file with polygons", MAP_ENDINGS, _BRING_ZONES)
