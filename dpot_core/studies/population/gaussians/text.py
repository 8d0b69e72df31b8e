"""Synthetic: four Gaussians in ten dimensions, and digits as distributions in the plane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core.experiments import population as experiment
from dpot_core.figures import population as figures
from pages import _shell as shell
from pages._population.drawn import SyntheticDrawn
from pages._shell.asking import ask

EXAMPLES = {"gaussians": "Four Gaussians in R¹⁰", "digits": "Digits"}
# Settings of either example.
MIXTURE, DIGITS = ("n", "m", "projection"), ("digit", "pictures", "digit_atoms")
AXES = {"n": "Against n", "epsilon": "Against ε", "projection": "Against d′"}

_digits = st.cache_resource(max_entries=20, show_spinner="Drawing digits …")(experiment.digits)
_promise = st.cache_resource(max_entries=40, show_spinner=False)(experiment.synthetic_guarantee)


def synthetic_view(controls: shell.Controls, epsilon: float, seed: int) -> SyntheticDrawn | None:
    """One of the two examples."""
    example = controls.choice(
        "example", "Example", EXAMPLES, "gaussians", kind="segments", label_visibility="collapsed"
    )
    config = experiment.SyntheticConfig(epsilon=epsilon, seed=seed)
    return _gaussians(controls, config) if example == "gaussians" else _digit(controls, config)


def _gaussians(controls: shell.Controls, start: experiment.SyntheticConfig) -> SyntheticDrawn | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        axis = controls.choice("synthetic_axis", "Axis", AXES, "epsilon", kind="segments")
        own = {name: ask(controls, experiment.SyntheticConfig, name, width=180) for name in MIXTURE}
    config = replace(start, **own)
    standard = experiment.SyntheticConfig()
    rest = replace(config, **{axis: getattr(standard, axis)})
    jobs: list[shell.Job[experiment.SyntheticPoint]] = [
        (
            f"population synthetic {rest} {axis} {value}",
            f"Runs at {axis} = {value:g}",
            partial(experiment.synthetic_point, config, axis, value),
        )
        for value in experiment.SYNTHETIC_VALUES[axis]
    ]
    points = shell.worked("pop_synthetic", jobs)
    if not points:
        return None
    result = experiment.synthetic_curve(axis, config, points)
    make = partial(figures.synthetic_figure, result)
    shell.draw(make(shell.on_dark()), alt=f"Cost of barycenters of Gaussians against {axis}", key="pop_synthetic")
    st.caption(
        "Simulated: an equal mixture of four Gaussians at (±0.25, ±0.25, 0, …, 0) in ten dimensions, standard "
        f"deviation {experiment.WIDTH:g} (ours; the paper gives none), in the public box from -0.5 to 0.5. "
        f"Lines: mean of {experiment.SYNTHETIC_RUNS} runs; bands: one standard error. As in Fig. 2 of the paper, which "
        "has 30 runs, a ball of diameter 1 and an entropic solver. Neighbours differ in one of the n points. Of "
        "the settings on the left, ε and the seed count here."
    )
    return SyntheticDrawn(
        f"population.gaussians-{axis}",
        (result,) if len(points) == len(jobs) else (),
        config,
        result.tables(),
        {f"gaussians-against-{axis}": make},
        _promise(config),
    )


def _digit(controls: shell.Controls, start: experiment.SyntheticConfig) -> SyntheticDrawn:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        own = {name: ask(controls, experiment.SyntheticConfig, name, width=180) for name in DIGITS}
    config = replace(start, **own)
    result = _digits(config)
    makers = {f"digit-{part}": partial(figures.digit_figure, result, part) for part in figures.DIGIT_PARTS}
    for column, (name, make) in zip(st.columns(len(makers)), makers.items(), strict=True):
        with column:
            shell.draw(make(shell.on_dark()), alt="A digit, its private copy or its barycenter", key=f"pop_{name}")
    source = "" if not result.simulated else " MNIST is not on this machine (see DPOT_DATA in data/README.md)."
    st.caption(
        f"{shell.as_text(result.title)}.{source} Each picture is a distribution over the plane, from which "
        f"{config.points:,} points are drawn; barycenters use {experiment.DIGIT_POINTS:,} points of each picture or "
        "copy. Neighbours differ in one drawn point of one picture: a picture to look at, not a promise to whoever "
        "wrote the digit. Of the settings on the left, ε and the seed count here."
    )
    return SyntheticDrawn("population.digits", (result,), config, result.tables(), makers, result.guarantee)
