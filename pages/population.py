"""US population: where people live, in a few points, without giving away where any one of them lives."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import population as experiment
from pages import _shell as shell
from pages._population import below
from pages._population.controls import choose
from pages._population.curves_view import curves_view
from pages._population.data import make_people
from pages._population.drawn import Drawn
from pages._population.inside_view import inside_view
from pages._population.map_view import map_view
from pages._population.sensitivity_view import sensitivity_view

controls = shell.Controls("pop")
notice = st.container()
with st.sidebar:
    choice = choose(controls)

# These words stand in people's links: add, but do not reword.
VIEWS = {"map": "Map", "curves": "Curves", "inside": "Inside", "sensitivity": "Is the sensitivity true?"}


@st.fragment
def rest(people: experiment.People, drawn: Drawn) -> None:
    """What stands under every view; opening the take-away computes nothing again."""
    below.promises(people, drawn)
    below.details(people, choice)
    below.take_away(controls, drawn)


def page() -> None:
    """The pictures, the promises, the details."""
    data = make_people(controls, choice)
    if data is None:
        return
    population, people = data
    opened, boxes = controls.tabs("view", VIEWS)
    config = choice.config
    with boxes[opened]:
        try:
            drawn: Drawn | None
            if opened == "map":
                drawn = map_view(controls, people, config)
            elif opened == "curves":
                drawn = curves_view(controls, people, population, config)
            elif opened == "inside":
                drawn = inside_view(controls, people, config)
            else:
                drawn = sensitivity_view(controls, people, config)
        except ValueError as problem:
            st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
            return
        if drawn is not None:
            rest(people, drawn)


st.subheader("US population", anchor=False)
st.markdown(
    "A Wasserstein barycenter sums up where people live in a few equally weighted points. "
    "How far do these points move when nobody's home may be given away?"
)
page()
with notice:
    controls.notices()
