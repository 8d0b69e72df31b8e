"""The view of the plane: one mixture as maps."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.figures import mixture as figures
from dpot_core.scenarios.mixture import PLANE
from pages import _shell as shell
from pages._mixture import controls as sidebar
from pages._mixture.shared import Drawn, numbers_table
from pages._shell.asking import ask

_run = st.cache_resource(max_entries=60, show_spinner="Plane …")(experiment.run_plane)


def choose(controls: shell.Controls) -> tuple[experiment.Config | None, dict[str, str]]:
    """Draw the controls."""
    known = experiment.in_plane()

    def asked(name: str) -> Any:
        return ask(controls, PLANE, name, known[name])

    epsilon, mechanisms = asked("epsilon"), asked("mechanisms")
    radius, variance = asked("family.radius"), asked("family.variance")
    modes, link = sidebar.plane_modes(controls, radius)
    with st.expander("Envelope, reference, WPM"):
        envelope, reference = asked("family.envelope"), asked("reference")
        cells, p = asked("cells"), asked("p")
    if modes is None:
        return None, {}
    family = experiment.Family(variance, radius, 2, envelope)
    return experiment.Config(modes, family, epsilon, mechanisms, reference, cells, p), link


def view(controls: shell.Controls) -> Drawn | None:
    """The maps, the promise, the numbers."""
    with st.sidebar:
        config, link = choose(controls)
    if config is None:
        st.info("The picture appears as soon as the modes on the left can be used.")
        return None
    try:
        result = _run(config)
    except (ValueError, RuntimeError) as problem:
        st.error(f"These settings do not fit together: {shell.as_text(str(problem))}.")
        sidebar.offer_radius(controls, "plane_radius", config.modes, config.family)
        return None
    makers = {"plane": partial(figures.plane_figure, result)}
    left, right = st.columns([1.5, 1])
    with left:
        shell.draw(
            figures.plane_figure(result),
            alt="Density of the input and of each mechanism's output in the plane",
            key="mix_plane",
        )
    with right:
        shown = {name: experiment.MECHANISMS[name] for name in config.mechanisms}
        if shown:
            name = controls.choice("compare", "Output minus input", experiment.MECHANISMS, "kpm", kind="segments")
            name = name if name in shown else next(iter(shown))
            shell.draw(
                figures.difference_figure(result, name),
                alt="Difference between an output density and the input density",
                key="mix_difference",
            )
            makers["difference"] = partial(figures.difference_figure, result, name)
    text = "One colour scale for all maps. Dotted: borders of where KPM clips P/r."
    for name, reason in result.infeasible.items():
        text += f" {experiment.MECHANISMS[name]}: {shell.as_text(reason)}."
    st.caption(text)
    shell.disclosure_strip(experiment.disclosure(config))
    numbers_table(result.numbers, result.worst)
    st.caption(
        f"c₂ = {experiment.make_family(config.family).c2:.9g}. Between public nodes outputs are linear multiples of h: "
        f"their integral is a finite sum, within 2e-7 of 1 for every input whatsoever (error of the public numbers: "
        f"{result.error:.1e}); the density is made for ε′ = {result.epsilon_used:.9g}. Draws in the plane are floats, "
        f"for demonstrations: a release for real is made on the line only. WPM: exact, on "
        f"{config.cells} × {config.cells} cells of the square shown."
    )
    tables = {name: partial(_table, result, name) for name in ("plane-densities", "plane-numbers")}
    snippet = partial(experiment.snippet, config)
    return Drawn(
        config, experiment.disclosure(config), tables, makers, snippet, link, "mixture.plane", lambda: (result,)
    )


def _table(result: experiment.Plane, name: str) -> pd.DataFrame:
    return result.tables()[name]
