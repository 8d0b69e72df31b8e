"""Metric privacy: the promise between two inputs depends on how far apart they are."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpot_core.experiments import meaning as experiment
from dpot_core.figures import meaning as figures
from pages import _shell as shell
from pages._explain.shared import Drawn, prior
from pages._shell.asking import ask


def view(controls: shell.Controls) -> Drawn:
    """Beliefs between two places against their distance."""
    with st.sidebar:
        alpha = ask(controls, experiment.DistanceConfig, "alpha")
        apart = ask(controls, experiment.DistanceConfig, "distance")
        before = prior(controls, "metric_prior", experiment.DistanceConfig)
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
