"""Metric privacy: which changes of a person's history are protected, and what answers cost then."""

from __future__ import annotations

import streamlit as st

from pages import _shell as shell
from pages._metric.controls import choose
from pages._metric.details import details
from pages._metric.scene import Drawn, Scene, check_ins, make_scene
from pages._metric.views import DRAW, VIEWS

controls = shell.Controls("metric")
notice = st.container()
with st.sidebar:
    choice = choose(controls)


@st.fragment
def below(scene: Scene, drawn: Drawn, view: str) -> None:
    """What stands under every view: the promise, where everything comes from, the take-away."""
    shell.disclosure_strip(drawn.disclosure, drawn.guarantee)
    details(scene, choice)
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=drawn.snippet,
        config=drawn.config,
        disclosure=drawn.disclosure,
        pin=shell.Offer(f"metric.{view}", lambda: drawn.results, {} if view == "pays" else {"check-ins": choice.table}),
    )


def page() -> bool:
    """The pictures, the promise, the details; whether there are data to draw them from."""
    data = check_ins(controls, choice.config.source, choice.table, choice.config.columns)
    scene = None if data is None else make_scene(data, choice)
    if scene is None:
        return False
    opened, boxes = controls.tabs("view", VIEWS)
    with boxes[opened]:
        drawn = DRAW[opened](controls, scene)
        if drawn is not None:
            below(scene, drawn, opened)
    return True


st.subheader("Metric privacy", anchor=False)
st.markdown(
    "Small moves of a little of one person's data are hidden best; far moves of everything are hidden least. "
    "You say which changes must be hidden; what do answers cost then?"
)
drawn_at_all = page()
with notice:
    controls.notices(complete=drawn_at_all)
