"""What epsilon means: odds before and after, distance, several releases, known deployments."""

from __future__ import annotations

import streamlit as st

from dpot_core.disclosures import nothing_released
from pages import _shell as shell
from pages._explain import distance, known, one_release, several

# These words stand in people's links: add, but do not reword.
VIEWS = {
    "one": "One release",
    "distance": "Privacy by distance",
    "several": "Several releases",
    "known": "Known deployments",
}
DRAW = {"one": one_release.view, "distance": distance.view, "several": several.view, "known": known.view}

controls = shell.Controls("explain")
notice = st.container()
st.subheader("What ε means", anchor=False)
st.markdown("ε bounds how much any output can change what anybody believes about you, whatever they know already.")
opened, boxes = controls.tabs("view", VIEWS)
with boxes[opened]:
    drawn = DRAW[opened](controls)
if drawn is not None:
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=drawn.snippet,
        config=drawn.config,
        disclosure=nothing_released("public"),
    )
with notice:
    controls.notices()
