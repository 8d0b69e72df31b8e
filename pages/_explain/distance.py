"""Metric privacy: the promise between two inputs depends on how far apart they are."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import meaning as experiment
from dpot_core.figures import meaning as figures
from pages import _shell as shell
from pages._explain.shared import Drawn, prior

ALPHAS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
DISTANCES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0)


def view(controls: shell.Controls) -> Drawn:
    """Beliefs between two places against their distance."""
    with st.sidebar:
        help_ = "ε between two inputs is α times their distance: near things are hard to tell apart, far ones are not."
        alpha = controls.steps("alpha", "Privacy per kilometre α (1/km)", ALPHAS, 0.5, help=help_)
        apart = controls.steps("distance", "Distance of the two places (km)", DISTANCES, 2.0)
        before = prior(controls, "metric_prior", 50)
    config = experiment.DistanceConfig(alpha, apart, before)
    result = experiment.over_distance(config)
    shell.draw(
        figures.distance_figure(result, shell.on_dark()),
        alt="Largest and smallest belief after a release against the distance of two places",
        key="explain_distance",
    )
    shell.draw(
        figures.beliefs_figure(result.here, shell.on_dark()),
        alt="A hundred people before and after a release, for two places at this distance",
        key="explain_distance_people",
    )
    st.caption(
        f"Somebody was at one of two places {apart:g} km apart. The promise between the two is ε = α d = "
        f"{alpha * apart:.4g}. The unit matters: the same promise per metre is α = {alpha / 1000:g}."
    )
    shell.guarantee_strip(config.guarantee)
    makers = {
        "over-distance": partial(figures.distance_figure, result),
        "at-distance": partial(figures.beliefs_figure, result.here),
    }
    tables = result.tables()
    return Drawn(config, tables, makers, lambda: experiment.distance_snippet(config))
