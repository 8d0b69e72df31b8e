"""Movies: one film is released from what a user has rated. Does the user like it, and what does it give away?"""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import movies as experiment
from pages import _shell as shell
from pages._movies.controls import choose
from pages._movies.data import make_films
from pages._movies.details import details
from pages._movies.views import VIEWS, Drawn, adversary_view, everyone_view, user_view

controls = shell.Controls("movies")
notice = st.container()
with st.sidebar:
    choice = choose(controls)


@st.fragment
def below(films: experiment.Films, drawn: Drawn) -> None:
    """What stands under every view; opening the take-away computes nothing again."""
    disclosure = experiment.disclosure(drawn.config, films, drawn.kind.removeprefix("movies."))
    shell.disclosure_strip(disclosure, experiment.guarantee(drawn.config, films))
    details(films, choice)
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=lambda: experiment.snippet(drawn.config),
        config=drawn.config,
        disclosure=disclosure,
        pin=shell.Offer(drawn.kind, drawn.results, {"ratings": choice.ratings, "films": choice.films}),
    )


def page() -> None:
    """The pictures, the promise, the details."""
    films = make_films(controls, choice)
    if films is None:
        return
    opened, boxes = controls.tabs("view", VIEWS)
    with boxes[opened]:
        view = {"user": user_view, "everyone": everyone_view, "adversary": adversary_view}[opened]
        drawn = view(controls, films, choice.config)
        if drawn is not None:
            below(films, drawn)


st.subheader("Movies", anchor=False)
st.markdown(
    "A user's ratings of some films are a distribution. One other film is released as a recommendation. "
    "Does the user like it, and what does it give away?"
)
page()
with notice:
    controls.notices()
