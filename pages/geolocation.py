"""Geolocation: where people are in a city, what each mechanism releases, and how many kilometres that costs."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import geolocation as experiment
from pages import _shell as shell
from pages._geolocation.controls import choose
from pages._geolocation.data import check_ins
from pages._geolocation.details import details, uploads_note
from pages._geolocation.scene import make_scene
from pages._geolocation.views import VIEWS, Drawn, Scene, crowd_view, person_view, worst_view

controls = shell.Controls("geo")
notice = st.container()
with st.sidebar:
    choice = choose(controls)


@st.fragment
def person(scene: Scene) -> None:
    """Another person redraws this, and nothing else."""
    rest(scene, person_view(controls, scene))


@st.fragment
def below(scene: Scene, drawn: Drawn) -> None:
    """Opening the take-away computes nothing again."""
    rest(scene, drawn)


def rest(scene: Scene, drawn: Drawn) -> None:
    """What stands under every view: the promise, where everything comes from, the take-away."""
    disclosure = experiment.disclosure(drawn.config, scene.city, drawn.kind.removeprefix("geolocation."), drawn.crowd)
    shell.disclosure_strip(disclosure, experiment.guarantee(drawn.config, scene.city))
    details(scene, choice)
    uploads_note(choice)
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=lambda: experiment.snippet(drawn.config),
        config=drawn.config,
        disclosure=disclosure,
        pin=shell.Offer(drawn.kind, drawn.results, {"check-ins": choice.table, "zones": choice.zones}),
    )


def page() -> bool:
    """The pictures, the promise, the details; whether there are data to draw them from."""
    everybody = check_ins(controls, choice.config.source, choice.table, choice.config.columns)
    scene = None if everybody is None else make_scene(everybody, choice)
    if scene is None:
        return False
    opened, boxes = controls.tabs("view", VIEWS)
    with boxes[opened]:
        if opened == "person":
            person(scene)
            return True
        view = crowd_view if opened == "crowd" else worst_view
        drawn = view(controls, scene)
        if drawn is not None:
            below(scene, drawn)
    return True


st.subheader("Geolocation", anchor=False)
st.markdown(
    "Each person's check-ins are a distribution over a city. One location per person is released. "
    "How many kilometres away is it from the truth?"
)
drawn_at_all = page()
with notice:
    controls.notices(complete=drawn_at_all)
