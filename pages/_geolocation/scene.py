"""From data and settings to what the views need: the city made ready and the base measure."""

from __future__ import annotations

import streamlit as st

from dpot_core.datasets import CheckIns
from dpot_core.experiments import geolocation as experiment
from pages import _shell as shell
from pages._geolocation.controls import Choice
from pages._geolocation.views import KEYS, Scene, minimax_job
from pages._shell.work import worked

_base = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.make_base)


def make_scene(data: CheckIns, choice: Choice) -> Scene | None:
    """City and base measure, or None while they cannot be had (the screen says why)."""
    config, zones = choice.config, choice.zones
    if config.zones and zones is None:
        st.info(
            "Bring a GeoJSON file of polygons on the left: its zones become the locations that are released, each "
            "stands for a point inside it. The file stays in the memory of the app; it is not written to disk, "
            "and not part of the link."
        )
        return None
    try:
        with st.spinner("Laying the grid …"):
            city = experiment.make_city(data, config.place, None if zones is None else zones.content)
        if config.base == "minimax":
            solved = worked("geo_base", [minimax_job(city, config.epsilon)])
            if not solved:
                return None
            return Scene(city, config, solved[0].base)
        return Scene(city, config, _base(city, config.base, config.epsilon))
    except ValueError as problem:
        st.error(f"These data and settings do not fit together: {shell.as_text(str(problem))}.")
        return None
