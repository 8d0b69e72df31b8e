"""Finite ring: one distribution on k points, what each mechanism makes of it, and what that costs."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import ring as experiment
from dpot_core.figures import ring as figures
from dpot_core.figures.ring.words import steps
from pages import _shell as shell
from pages._ring.controls import choose
from pages._ring.views import VIEWS, figure_makers, pinned, run, tables

controls = shell.Controls("ring")
notice = st.container()
with st.sidebar:
    config, link = choose(controls)


@st.fragment
def details(config: experiment.Config, link: dict[str, str]) -> None:
    """What can change without the picture above: the open view and the take-away."""
    opened, boxes = controls.tabs("view", {name: label for name, (label, _) in VIEWS.items()})
    with boxes[opened]:
        VIEWS[opened][1](config)
    shell.take_it_away(
        controls,
        tables=tables(config),
        figures=figure_makers(config),
        snippet=lambda: experiment.snippet(config),
        config=config,
        disclosure=experiment.disclosure(config),
        link=link,
        pin=shell.Offer("ring.outputs", lambda: pinned(config)),
    )


def reading(result: experiment.Result) -> str:
    """How to read the picture."""
    config = result.config
    text = "Outline: the input. Shaded: the bounds that make a mechanism private, where it has some of its own."
    if config.ring.every > 1:
        text += " KPM, k-RR and the mollifier first move every point to the nearest output."
    if result.infeasible:
        text += " The mollifier is left out: its reference, the base measure, has no mass where the input has some."
    if result.exact_distance is not None:
        text += (
            f" WPM is computed by Algorithm 1 with λ = {config.reg:g}, for costs scaled so that the largest is 1 "
            "(other scales need other λ)" + ("" if result.converged else "; it has not converged after 1000 iterations")
        )
        text += f". It is as private as the exact projection, which is {steps(result.exact_distance)} from the input."
    return text


def page(config: experiment.Config, link: dict[str, str]) -> None:
    """The picture, the promise, the details."""
    try:
        result = run(config)
    except ValueError as problem:
        st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
        return
    shell.draw(
        figures.outputs_figure(result, shell.on_dark()),
        alt="The input distribution and the output distribution of each mechanism along the ring",
        key="ring_outputs",
    )
    if config.mechanisms:
        st.caption(reading(result))
    shell.disclosure_strip(experiment.disclosure(config))
    details(config, link)


st.subheader("Finite ring", anchor=False)
st.markdown(
    "One person's data are a distribution on the points of a ring. Here is from which distribution each mechanism "
    "draws what it releases, and how far that is from the data, in steps along the ring."
)
if config is None:
    st.info("The picture appears as soon as the numbers on the left can be used.")
else:
    page(config, link)
with notice:
    controls.notices(complete=config is not None)
