"""The view of the sphere: the best cap for every order p."""

from __future__ import annotations

import math
from functools import partial

import pandas as pd
import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.figures import mixture as figures
from pages import _shell as shell
from pages._mixture.shared import Drawn
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
ORDERS = {"1": "1", "1.5": "1.5", "2": "2", "3": "3", "4": "4", "8": "8", "16": "16"}

_run = st.cache_resource(max_entries=60, show_spinner=False)(experiment.run_sphere)


def view(controls: shell.Controls) -> Drawn | None:
    """Densities against the angle, a picture, curves against epsilon."""
    with st.sidebar:
        epsilon = ask(controls, experiment.SphereConfig, "epsilon")
        d = ask(controls, experiment.SphereConfig, "d")
        orders = controls.several("orders", "Orders p of the distance", ORDERS, ("1", "2", "4"))
        seed = ask(controls, experiment.SphereConfig, "seed")
    config = experiment.SphereConfig(d, epsilon, tuple(map(float, orders)), seed=seed)
    result = _run(config)
    if not result.best:
        st.info("Choose an order p on the left.")
        return None
    makers = {
        "caps": partial(figures.caps_figure, result),
        "against-epsilon": partial(figures.against_epsilon_figure, result),
    }
    left, right = st.columns([1.6, 1]) if d <= 2 else (st.container(), st.container())
    with left:
        shell.draw(
            figures.caps_figure(result, shell.on_dark()), alt="Density of the output against the angle", key="mix_caps"
        )
    if d <= 2:
        with right:
            picture = figures.picture_figure(result, shell.on_dark())
            shell.draw(picture, alt="The cap around one input and draws of the output", key="mix_picture")
        makers["picture"] = partial(figures.picture_figure, result)
    st.caption(
        f"Dotted: PrivUnit's cap, {math.degrees(result.privunit.angle):.4g}°, when chosen for the smallest variance. "
        "It is the best cap for p = 2; for a smaller p the best cap is smaller, for a larger p larger. "
        f"Draws: a demonstration, {config.draws} floats from a known seed around one input, which together would spend "
        f"{config.draws} ε. There is no release for real on the sphere: the last digits of floats show the input."
    )
    shell.disclosure_strip(experiment.disclosure(config))
    heads = ["Order p", "a*", "Cap's angle", "Output in the cap", "Worst-case distance"]
    rows = [
        [
            f"{p:g}",
            f"{cap.scale:.6g}",
            f"{math.degrees(cap.angle):.4g}°",
            f"{100 * cap.cap_mass:.4g} %",
            f"{cap.value:.6g}",
        ]
        for p, cap in result.best.items()
    ]
    shell.table(heads, rows)
    st.caption(
        "Radius 1, straight-line distance. The output has density a* e^(ε/2) in the cap and a* e^(-ε/2) outside, "
        "against the uniform distribution. The worst case is the distance from the input to the cap's edge "
        "(Proposition H.1); it is the same for every point input."
    )
    shell.draw(
        figures.against_epsilon_figure(result, shell.on_dark()),
        alt="Scale and worst case against epsilon",
        key="mix_against_epsilon",
    )
    names = ("sphere-caps", "sphere-densities", "sphere-against-epsilon", "sphere-draws")
    tables = {name: partial(_table, result, name) for name in names}
    snippet = partial(experiment.sphere_snippet, config)
    return Drawn(
        config, experiment.disclosure(config), tables, makers, snippet, {}, "mixture.sphere", lambda: (result,)
    )


def _table(result: experiment.Sphere, name: str) -> pd.DataFrame:
    return result.tables()[name]
