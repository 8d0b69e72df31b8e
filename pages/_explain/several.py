"""Several releases: exact sums under local privacy, Gaussian noise under central privacy."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import meaning as experiment
from dpot_core.figures import meaning as figures
from pages import _shell as shell
from pages._explain.shared import Drawn, prior

# These words stand in people's links: add, but do not reword.
KINDS = {"local": "Local", "central": "Central"}
DELTAS = (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
KIND_HELP = (
    "Local: each release is made from one person's data. Central: from the data of many people, with Gaussian noise."
)
EXAMPLE = "1/2, 1/2, 1"

_rounds = st.cache_data(max_entries=100, show_spinner=False)(experiment.rounds)


def view(controls: shell.Controls) -> Drawn | None:
    """Local or central."""
    with st.sidebar:
        kind = controls.choice("kind", "Releases", KINDS, "local", kind="segments", help=KIND_HELP)
    return _local(controls) if kind == "local" else _central(controls)


def _local(controls: shell.Controls) -> Drawn | None:
    key = "explain_epsilons_text"
    linked = controls.parameter("epsilons")
    if linked is not None:
        st.session_state[key] = linked[:2000]
    st.session_state.setdefault(key, EXAMPLE)
    with st.sidebar:
        help_ = "Separated by commas. Decimals and fractions are taken exactly: 0.1 is a tenth."
        text = st.text_area("ε of each release", key=key, height=80, help=help_, persist_state="session")
        before = prior(controls, "several_prior", 50)
    try:
        config = experiment.ReleasesConfig(experiment.read_epsilons(text), before)
    except ValueError as problem:
        st.error(f"These cannot be used: {shell.as_text(str(problem))}.")
        return None
    result = experiment.releases(config)
    shell.draw(
        figures.releases_figure(result, shell.on_dark()),
        alt="Largest belief after each of several releases",
        key="explain_releases",
    )
    total = result.sums[-1]
    st.markdown(f"**{' + '.join(config.epsilons)} = {total}**, exactly" if len(config.epsilons) <= 12 else "")
    st.caption(
        "Each release may depend on the ones before and on the same data. Their epsilons add up (basic composition); "
        "the sum is computed with fractions, so that no rounding is lost, and rounded up where it becomes a decimal."
    )
    shell.guarantee_strip(config.guarantee)
    makers = {"releases": partial(figures.releases_figure, result)}
    tables = {"releases": lambda: result.tables()["releases"]}
    return Drawn(config, tables, makers, lambda: experiment.releases_snippet(config))


def _central(controls: shell.Controls) -> Drawn | None:
    with st.sidebar:
        epsilon = controls.epsilon(0.5, "each")
        delta = controls.steps("delta", "δ of each release", DELTAS, 1e-6)
        number = controls.integer("rounds", "Releases", 1, 200, 30)
    config = experiment.RoundsConfig(epsilon, delta, number)
    result = _rounds(config)
    shell.draw(
        figures.rounds_figure(result, shell.on_dark()),
        alt="Epsilon of all releases together against their number: added up, and exact for Gaussian noise",
        key="explain_rounds",
    )
    st.caption(
        f"Each release adds Gaussian noise with standard deviation {result.noise:.4g} times its sensitivity, the least "
        f"for ε = {epsilon:g} and δ = {delta:g} (analytic Gaussian mechanism). After k releases δ is k × {delta:g} for "
        "both curves. Adding up is right for every mechanism; the exact curve is for this noise only."
    )
    shell.guarantee_strip(config.guarantee)
    makers = {"rounds": partial(figures.rounds_figure, result)}
    tables = {"rounds": lambda: result.tables()["rounds"]}
    return Drawn(config, tables, makers, lambda: experiment.rounds_snippet(config))
