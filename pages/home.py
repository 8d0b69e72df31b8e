"""Home: what the app answers and for whom, a miniature, the pages by question, the tour."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpot_core.disclosures import factor
from dpot_core.progress import Progress
from dpot_core.studies._kit.fields import EPSILONS, HELP_EPSILON
from dpot_core.studies._kit.setting import Declared, number_text
from dpot_core.studies.ring.outputs.figures import miniature_figure
from dpot_core.studies.ring.outputs.results import run
from dpot_core.studies.ring.settings import Config, Ring, Source
from pages import _shell as shell
from pages._home import tour
from pages._home.places import CARDS

# Links from when the ring page was the first one: "/?ring_epsilon=5". They still open it, with all they say.
if any(name.startswith("ring_") for name in st.query_params):
    st.switch_page("pages/ring.py", query_params={name: st.query_params.get_all(name) for name in st.query_params})

EPSILON = Declared("Privacy parameter ε", "steps", "epsilon", grid=EPSILONS, help=HELP_EPSILON)


@st.fragment
def miniature() -> None:
    """One slider, one picture: a point on a ring under WPM and KPM."""
    epsilon: float = controls.ask(EPSILON, 2.0)
    drawn = replace(BEGIN, epsilon=epsilon)
    words = tuple(map(number_text, EPSILONS))
    scrub = shell.Scrub("epsilon", EPSILON.label, "home_epsilon", EPSILONS, words, EPSILONS.index(epsilon))
    theme = {"dark": shell.on_dark(), "large": shell.large_type()}

    def screen(epsilon: float, _progress: Progress) -> dict[str, Any]:
        there = replace(BEGIN, epsilon=epsilon)
        figure = shell.screen_of(miniature_figure(run(there)), ALT, **theme)
        return {"chart_home_ring": figure, "words_home_reading": reading(there)}

    part = controls.live.part(scrub, tuple(theme.values()), screen)
    shell.draw(miniature_figure(run(drawn)), alt=ALT, key="home_ring", light=True, part=part)
    shell.words(reading(drawn), key="home_reading", part=part)
    controls.live.follow()


def reading(config: Config) -> str:
    """What the picture says, as HTML."""
    return (
        '<p class="dpot-caption">◆ the truth; bars: how likely each place is reported, as its square root. Both '
        "promise the same: no report changes anybody's odds about the truth by more than "
        f"× {factor(config.guarantee.odds_factor)}.</p>"
    )


ALT = "Two rings seen from above: where WPM and where KPM report somebody who is at the marked point"
BEGIN = Config(Ring(k=30, p=1), source=Source("dirac"), mechanisms=("wpm", "kpm"))
controls = shell.Controls("home")
notice = st.container()
st.subheader("How private is a release, and how far from the truth does it land?", anchor=False)
st.markdown(
    "Somebody releases one draw from private data. **ε** bounds what it gives away; distance says what it is worth. "
    "For those who have to choose ε and answer for it: owners of data with their stakeholders, analysts, researchers, "
    "teachers. Everything is computed on this machine."
)
left, right = st.columns([1, 1.15], gap="medium")
with left:
    miniature()
with right, st.container(key="steady_cards"):
    for first in range(0, len(CARDS), 2):
        for column, card in zip(st.columns(2), CARDS[first : first + 2], strict=False):
            with column.container(border=True, height="stretch", gap="xxsmall"):
                st.page_link(f"pages/{card.page}.py", label=f"**{card.question}**", icon=f":material/{card.icon}:")
                st.caption(card.words)
    tour.offer()
with notice:
    controls.notices()
