"""Find my epsilon: say what must be possible, and get the smallest epsilon of every mechanism."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core import datasets
from dpot_core.experiments import needs as experiment
from dpot_core.figures.needs import SIDES, needs_figure
from pages import _shell as shell
from pages._decide.controls import choose
from pages._decide.leads import lead_on
from pages._decide.tables import side_table

controls = shell.Controls("decide")
notice = st.container()
with st.sidebar:
    config = choose(controls)


def answered() -> experiment.Answer | None:
    """The answer, or None while data are missing or the work is abandoned (the screen says so)."""
    job = (f"decide {config}", "Values tried", partial(experiment.run, config))
    try:
        found = shell.worked("decide", [job])
    except datasets.DatasetMissing:
        table = experiment.NEEDS[config.need].sets
        if table is None:
            raise
        shell.offer_download(controls, table[config.source])
        return None
    return found[0] if found else None


@st.fragment
def below(answer: experiment.Answer) -> None:
    """Which promise the answer would be, and the take-away."""
    there = {side: words for side, words in SIDES.items() if side in answer.sides}
    side = controls.choice("promise", "The promise at the smallest ε", there, next(iter(there)), kind="segments")
    promise = answer.guarantee(side)
    if promise is None:
        st.info("No mechanism reaches the target here, so there is nothing to promise.")
    else:
        shell.disclosure_strip(experiment.disclosure(), promise)
    shell.take_it_away(
        controls,
        tables=answer.tables(),
        figures={"smallest-epsilon": partial(needs_figure, answer)},
        snippet=partial(experiment.snippet, config),
        config=config,
        disclosure=experiment.disclosure(),
    )


st.subheader("Find my ε", anchor=False)
st.markdown("Say what must be possible on the left. Here is the smallest ε that makes it so, for every mechanism.")
answer = answered()
if answer is not None:
    alt = "Utility of each mechanism against epsilon, the target as a line, stars where it is first reached"
    shell.draw(needs_figure(answer, shell.on_dark()), alt=alt, key="decide_needs")
    for words in answer.missing.values():
        st.info(words)
    lead_on(answer)
    for name in answer.sides:
        side_table(answer, name)
    below(answer)
with notice:
    controls.notices(complete=answer is not None)
