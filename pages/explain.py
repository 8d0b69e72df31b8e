"""The meaning of epsilon: odds before and after, distance, several releases, known deployments."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpot_app import shell
from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.setting import Declared, declared, number_text
from dpot_app.views.explain import PAGE
from dpot_app.views.explain.known import LARGE_ROW, ROW, here_figure
from dpot_app.views.explain.settings import SEVERAL, TABS, ReleasesConfig, read_epsilons
from dpot_app.views.explain.settings import Config as ReleaseConfig
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.deployments import load_deployments

#: Name in links of what was believed before, by view.
PRIORS = {"explain.release": "prior", "explain.distance": "metric_prior", "explain.releases": "several_prior"}
#: View by tab, and by kind of several releases.
VIEWS = {
    "one": "explain.release",
    "distance": "explain.distance",
    "local": "explain.releases",
    "central": "explain.rounds",
}
#: What the picture of known deployments shows, for those who cannot see it.
HERE = "Known deployments and yours on one axis of epsilon, by what their epsilon is for and where noise is added"
KIND = Declared(
    "Kind of releases",
    "segments",
    "kind",
    SEVERAL,
    help="Local: each release is made from one person's data. Central: from the data of many people, with Gaussian "
    "noise.",
)


def epsilons(controls: shell.Controls, _values: Mapping[str, Any]) -> tuple[str, ...]:
    """Epsilon of each release, as text."""
    known, start = declared(ReleasesConfig)["epsilons"], ", ".join(ReleasesConfig().epsilons)
    key = shell.text_key(controls, "epsilons", known.label, lambda linked: linked[:2000], start)
    text = st.text_area(known.label, key=key, height=80, help=known.help, persist_state="session")
    try:
        return read_epsilons(text)
    except ValueError as problem:
        raise shell.Waiting(f"These cannot be used: {shell.as_text(str(problem))}.") from problem


def view(controls: shell.Controls, key: str, title: DeltaGenerator) -> None:
    one = PAGE.view(key)

    def prior(controls: shell.Controls, _values: Mapping[str, Any]) -> float:
        label, help_ = "Belief before the release (%)", one.declared["prior"].help
        percent = Declared(label, "slider", PRIORS[key], low=1, high=99, help=help_)
        chosen = float(controls.ask(percent, round(100 * one.example.prior)) / 100)
        shell.scrubbed(controls, percent, "prior", chosen, lambda number: number / 100)
        return chosen

    with st.sidebar:
        config = shell.sidebar(controls, one.example, tuple(one.declared), {"prior": prior, "epsilons": epsilons})
    with title:
        shell.heading(PAGE)()
    if config is None:
        st.error(controls.waiting)
        return
    shown = shell.shown(controls, one, config)
    if shown is not None:
        shell.below(controls, [shown])


def known(controls: shell.Controls, title: DeltaGenerator) -> None:
    rows = load_deployments()
    with st.sidebar:
        start: float = ReleaseConfig().epsilon
        setting = declared(ReleaseConfig)["epsilon"]
        epsilon: float = controls.ask(setting, start)
    with title:
        shell.heading(PAGE)()
    words = tuple(map(number_text, EPSILONS))
    slider = f"{PAGE.prefix}_{setting.link}"
    scrub = shell.Scrub("epsilon", setting.label, slider, EPSILONS, words, EPSILONS.index(epsilon))
    height = LARGE_ROW if shell.large_type() else ROW
    theme: dict[str, Any] = {"dark": shell.on_dark(), "large": shell.large_type()}

    def screen(epsilon: float, _progress: Progress) -> dict[str, Any]:
        return {"chart_explain_here": shell.screen_of(here_figure(rows, epsilon, height), HERE, **theme)}

    st.info(
        "Compare these numbers with each other, or with this app's, only if unit, period and model agree. ε = 4 for "
        "one day of one device and ε = 4 for a whole life are different promises. Noise added on the device (local) "
        "protects from the collector too."
    )
    part = controls.live.part(scrub, ("known", *theme.values()), screen)
    shell.draw(here_figure(rows, epsilon, height), alt=HERE, key="explain_here", part=part)
    columns = {
        "Organisation": ("organisation", 170),
        "Release": ("product", 300),
        "Year": ("year", None),
        "ε": ("epsilon_text", 110),
        "δ": ("delta_text", 85),
        "Model": ("model", 85),
        "What is protected": ("unit", 330),
        "ε is for one": ("period", 140),
        "Mechanism": ("mechanism", None),
        "Source": ("source", None),
        "Address of the source": ("url", None),
    }
    st.dataframe(
        pd.DataFrame({head: [str(getattr(row, name)) for row in rows] for head, (name, _) in columns.items()}),
        column_config={head: st.column_config.Column(width=width) for head, (_, width) in columns.items() if width},
        hide_index=True,
        height=38 + 35 * len(rows),
        key="explain_known",
    )
    st.caption(
        f"{len(rows)} deployments, as their sources state them. Every row names its source. Addresses are text, "
        "because this app opens no other machine. Deployments whose numbers could not be confirmed are left out. δ = "
        "0: pure differential privacy. For the right-most columns scroll, or download the table from its corner."
    )
    with st.expander("The same as text, with sources"):
        for row in rows:
            texts = (row.organisation, row.product, row.unit, row.period, row.mechanism, row.source)
            organisation, product, unit, period, mechanism, source = map(shell.as_text, texts)
            st.markdown(
                f"- **{organisation}, {product}** ({row.year}): ε = {row.epsilon_text}, δ: {row.delta_text}; "
                f"{row.model}; protected: {unit}; per {period}; {mechanism}. {source}. `{row.url}`"
            )


controls = shell.Controls(PAGE.prefix)
shell.arrive(PAGE)
notice = st.container()
# Once the sidebar stands, which depends on the tab: a page is seen from its heading on, and must not move then.
title = st.container()
opened, boxes = controls.tabs("view", TABS)
with boxes[opened]:
    if opened == "several":
        with st.sidebar:
            opened = controls.ask(KIND, "local")
    if opened == "known":
        known(controls, title)
    else:
        view(controls, VIEWS[opened], title)
with st.sidebar:
    controls.live.follow()
with notice:
    controls.notices()
