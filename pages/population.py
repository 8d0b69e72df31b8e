"""US population: where people live, in a few points, without giving away where any one of them lives."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import population as experiment
from pages import _shell as shell
from pages._population import below
from pages._population.controls import VIEWS, choose
from pages._population.curves_view import curves_view
from pages._population.data import make_people
from pages._population.drawn import Drawn, SyntheticDrawn
from pages._population.inside_view import inside_view
from pages._population.map_view import map_view
from pages._population.sensitivity_view import sensitivity_view
from pages._population.synthetic_view import synthetic_view

controls = shell.Controls("pop")
notice = st.container()
with st.sidebar:
    choice = choose(controls)


@st.fragment
def rest(people: experiment.People, drawn: Drawn) -> None:
    """What stands under every view; opening the take-away computes nothing again."""
    below.promises(people, drawn)
    below.details(people, choice)
    below.for_real(drawn.config)
    below.take_away(controls, drawn, choice)


@st.fragment
def synthetic(drawn: SyntheticDrawn) -> None:
    """What stands under the synthetic view."""
    below.synthetic(controls, drawn)


def of_people(opened: str) -> Drawn | None:
    """The views of a population."""
    data = make_people(controls, choice)
    if data is None:
        return None
    population, people = data
    drawn: Drawn | None
    if opened == "curves":
        drawn = curves_view(controls, people, population, choice.config)
    else:
        views = {"map": map_view, "inside": inside_view, "sensitivity": sensitivity_view}
        drawn = views[opened](controls, people, choice.config)
    if drawn is not None:
        rest(people, drawn)
    return drawn


st.subheader("US population", anchor=False)
st.markdown(
    "A Wasserstein barycenter sums up where people live in a few equally weighted points. "
    "How far do these points move when nobody's home may be given away?"
)
opened, boxes = controls.tabs("view", VIEWS)
shown: Drawn | SyntheticDrawn | None = None
with boxes[opened]:
    try:
        if opened == "synthetic":
            shown = synthetic_view(controls, choice.config.epsilon, choice.config.seed)
            if shown is not None:
                synthetic(shown)
        else:
            shown = of_people(opened)
    except ValueError as problem:
        st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
with notice:
    controls.notices(complete=shown is not None)
