"""The view of the plane: one mixture as maps."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.figures import mixture as figures
from pages import _shell as shell
from pages._mixture import controls as sidebar
from pages._mixture.shared import Drawn, numbers_table

_run = st.cache_resource(max_entries=60, show_spinner="Plane …")(experiment.run_plane)


def choose(controls: shell.Controls) -> tuple[experiment.Config | None, dict[str, str]]:
    """Draw the controls."""
    epsilon = controls.epsilon(0.5, "plane_epsilon")
    mechanisms = sidebar.mechanisms(controls, "plane_mechanisms")
    radius = sidebar.radius(controls, "plane_radius")
    variance = controls.steps("plane_variance", "Variance of the modes", sidebar.VARIANCES, 0.5)
    modes, link = sidebar.plane_modes(controls, radius)
    with st.expander("Envelope, reference, WPM"):
        envelope = controls.choice("envelope", "Envelope h", sidebar.ENVELOPES, "paper", help=sidebar.ENVELOPE_HELP)
        reference = controls.steps("plane_reference", "Variance of the mollifier's Gaussian", sidebar.VARIANCES, 1.0)
        cells = controls.steps("plane_cells", "Cells of WPM per side", sidebar.PLANE_CELLS, 20.0)
        p = controls.integer("plane_p", "Order p of WPM", 1, 4, 2)
    if modes is None:
        return None, {}
    family = experiment.Family(variance, radius, 2, envelope)
    return experiment.Config(modes, family, epsilon, mechanisms, reference, int(cells), p), link


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
        f"c₂ = {experiment.make_family(config.family).c2:.9g}; the integral of this output is known within "
        f"{result.error:.1e}; the density is made for ε′ = {result.epsilon_used:.9g}. WPM: exact, on "
        f"{config.cells} × {config.cells} cells of the square shown."
    )
    tables = {name: partial(_table, result, name) for name in ("plane-densities", "plane-numbers")}
    snippet = partial(experiment.snippet, config)
    return Drawn(
        config, experiment.disclosure(config), tables, makers, snippet, link, "mixture.plane", lambda: (result,)
    )


def _table(result: experiment.Plane, name: str) -> pd.DataFrame:
    return result.tables()[name]
