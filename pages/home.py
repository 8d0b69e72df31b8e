"""Home: what the app answers and for whom, a miniature, the pages by question, the tour."""

from __future__ import annotations

import streamlit as st

from dpot_core.disclosures import factor
from dpot_core.studies._kit.privacy import EPSILONS, HELP_EPSILON
from dpot_core.studies._kit.setting import Declared
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
    epsilon = controls.ask(EPSILON, 2.0)
    config = Config(Ring(k=30, p=1), source=Source("dirac"), epsilon=epsilon, mechanisms=("wpm", "kpm"))
    result = run(config)
    alt = "Two rings seen from above: where WPM and where KPM report somebody who is at the marked point"
    shell.draw(miniature_figure(result), alt=alt, key="home_ring")
    st.caption(
        f"◆ the truth; bars: how likely each place is reported. Both promise the same: no report changes anybody's "
        f"odds about the truth by more than × {factor(config.guarantee.odds_factor)}."
    )


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
with right:
    for first in range(0, len(CARDS), 2):
        for column, card in zip(st.columns(2), CARDS[first : first + 2], strict=False):
            with column.container(border=True, height="stretch", gap="xxsmall"):
                st.page_link(f"pages/{card.page}.py", label=f"**{card.question}**", icon=f":material/{card.icon}:")
                st.caption(card.words)
    tour.offer()
with notice:
    controls.notices()
