"""Private transport: how to release a plan, potentials or a cost between two sensitive data sets."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import sinkhorn as experiment
from pages import _shell as shell
from pages._sinkhorn.controls import choose
from pages._sinkhorn.data import make_ground
from pages._sinkhorn.details import budget, details, for_real
from pages._sinkhorn.views import (
    VIEWS,
    Drawn,
    advice,
    convergence_view,
    cost_view,
    plan_view,
    potentials_view,
    release,
    theorem_view,
)

controls = shell.Controls("sinkhorn")
notice = st.container()
with st.sidebar:
    choice = choose(controls)

DRAW = {
    "plan": plan_view,
    "potentials": potentials_view,
    "cost": cost_view,
    "convergence": convergence_view,
    "theorem": theorem_view,
}


@st.fragment
def below(drawn: Drawn) -> None:
    """What stands under every view; opening the take-away computes nothing again."""
    result = drawn.result
    if result.config.guarantee in experiment.CLAIMED:
        st.warning("The guarantee below is what the paper claims. It is **not proven**: see the last view.")
    disclosure = experiment.disclosure(result, drawn.kind.removeprefix("sinkhorn."))
    shell.disclosure_strip(disclosure, result.guarantee)
    budget(result)
    details(result)
    for_real(result, drawn.kind)
    if choice.table is not None:
        st.caption("The link does not carry your file: whoever opens it is asked for their own.")
    shell.take_it_away(
        controls,
        tables=drawn.tables,
        figures=drawn.figures,
        snippet=lambda: experiment.snippet(result.config),
        config=drawn.config,
        disclosure=disclosure,
        pin=shell.Offer(drawn.kind, lambda: drawn.results, {"points": choice.table}),
    )


def page() -> None:
    """The pictures, the promise, the details."""
    ground = make_ground(controls, choice)
    if ground is None:
        return
    if beyond := ground.pair.beyond:
        total = len(ground.pair.first) + len(ground.pair.second)
        st.warning(f"{beyond:,} of {total:,} points lay beyond the public rectangle and were moved to its edge.")
    try:
        result = release(ground, choice.config)
    except ValueError as problem:
        st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
        return
    st.markdown(advice(result))
    opened, boxes = controls.tabs("view", VIEWS)
    with boxes[opened]:
        drawn = DRAW[opened](controls, result)
        if drawn is not None:
            below(drawn)


st.subheader("Private transport", anchor=False)
st.markdown("Two sensitive data sets: what can be said about how one is transported to the other, and at which price?")
page()
with notice:
    controls.notices()
