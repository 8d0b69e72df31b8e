"""Curves: cost and distance against n and against epsilon."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core.datasets import Population
from dpot_core.experiments import population as experiment
from dpot_core.figures import population as figures
from pages import _shell as shell
from pages._population.drawn import Drawn
from pages._population.map_view import release_job, truth_of

AXES = {"n": "Against n", "epsilon": "Against ε"}
VALUES: dict[str, tuple[float, ...]] = {"n": experiment.CURVE_N, "epsilon": experiment.CURVE_EPSILON}


def curves_view(
    controls: shell.Controls, people: experiment.People, population: Population, config: experiment.Config
) -> Drawn | None:
    """One curve at a time, because each takes a while."""
    axis = controls.choice("axis", "Axis", AXES, "n", kind="segments", label_visibility="collapsed")
    # What the axis replaces, and what only says how a file is read, does not make another curve.
    standard = experiment.Config()
    rest = replace(config, columns=(), outside="clip", box=None)
    rest = replace(rest, n=standard.n) if axis == "n" else replace(rest, epsilon=standard.epsilon)
    values = [value for value in VALUES[axis] if axis == "epsilon" or value <= min(people.totals)]
    if not values:
        st.info(f"The smallest group has {min(people.totals):,} people, fewer than the smallest n of the curve.")
        return None
    jobs: list[shell.Job[experiment.CurvePoint]] = [
        (
            f"population curve {population.digest} {rest} {axis} {value}",
            f"Runs at {'n' if axis == 'n' else 'ε'} = {value:,g}",
            partial(experiment.curve_point, population, config, axis, value),
        )
        for value in values
    ]
    points = shell.worked("pop_curve", jobs)
    if not points:
        return None
    result = experiment.curve(axis, config, points)
    makers = {
        f"cost-against-{axis}": partial(figures.cost_figure, result),
        f"distance-against-{axis}": partial(figures.distance_figure, result),
    }
    for column, (name, make) in zip(st.columns(len(makers)), makers.items(), strict=True):
        with column:
            alt = f"Barycenters against {axis}: cost, or distance to the non-private one"
            shell.draw(make(shell.on_dark()), alt=alt, key=f"pop_{name}")
    st.caption(
        f"Lines: mean of {experiment.RUNS} runs, each with new people and new noise; bands: smallest to largest of "
        "the runs. W₂ is to the non-private barycenter of the same people. The search for a barycenter ends in a "
        "local minimum, so part of the distance is there without any noise. The paper draws cost and W₂ against n "
        "(Fig. 4, ε = 1; Fig. 8, ε = 5). A demonstration with seeds."
    )
    known = (result,) if len(points) == len(jobs) else ()
    truth = truth_of(people, config)
    if truth is None:
        return None
    releases = shell.worked(
        "pop_releases", [release_job(people, truth, config, name) for name in experiment.MECHANISMS]
    )
    python = (
        f"points = [population.curve_point(everybody, config, {axis!r}, value) for value in {tuple(values)!r}]\n"
        f"print(population.curve({axis!r}, config, points).tables())\n"
    )
    return Drawn(f"population.curve-{axis}", known, config, result.tables(), makers, tuple(releases), python=python)
