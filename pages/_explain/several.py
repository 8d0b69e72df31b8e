"""Several releases: exact sums under local privacy, Gaussian noise under central privacy."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import meaning as experiment
from dpot_core.figures import meaning as figures
from dpot_core.studies._kit.setting import declared
from pages import _shell as shell
from pages._explain.shared import Drawn, prior
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
KINDS = {"local": "Local", "central": "Central"}
KIND_HELP = (
    "Local: each release is made from one person's data. Central: from the data of many people, with Gaussian noise."
)

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
    st.session_state.setdefault(key, ", ".join(experiment.ReleasesConfig().epsilons))
    with st.sidebar:
        known = declared(experiment.ReleasesConfig)["epsilons"]
        text = st.text_area(known.label, key=key, height=80, help=known.help, persist_state="session")
        before = prior(controls, "several_prior", experiment.ReleasesConfig)
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
        epsilon, delta, number = (
            ask(controls, experiment.RoundsConfig, name) for name in ("epsilon", "delta", "rounds")
        )
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
