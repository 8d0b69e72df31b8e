"""Gaussian mixture: private draws from densities on the line, in the plane and on the sphere."""

from __future__ import annotations

import streamlit as st

from pages import _shell as shell
from pages._mixture import line, plane, sphere

# These words stand in people's links: add, but do not reword.
VIEWS = {"line": "Line", "plane": "Plane", "sphere": "Sphere"}
DRAW = {"line": line.view, "plane": plane.view, "sphere": sphere.view}

controls = shell.Controls("mix")
notice = st.container()
st.subheader("Gaussian mixture", anchor=False)
st.markdown(
    "One person's data are a density, and one draw is released. Publicly known is only a family that the density "
    "belongs to. What does each mechanism make of it?"
)
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
        disclosure=drawn.disclosure,
        link=drawn.link,
        pin=shell.Offer(drawn.kind, drawn.results),
    )
with notice:
    controls.notices()
