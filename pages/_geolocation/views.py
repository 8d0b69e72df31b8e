"""The three views of the geolocation page: one person, the crowd, the worst case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpot_core.checks import Array
from dpot_core.experiments import geolocation as experiment
from dpot_core.figures import geolocation as figures
from dpot_core.mechanisms import MECHANISMS
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell
from pages._shell.asking import ask
from pages._shell.work import worked

# These words stand in people's links: add, but do not reword.
VIEWS = {"person": "One person", "crowd": "The crowd", "worst": "Worst case"}
COMPARE = {name: MECHANISMS[name].label for name in experiment.MECHANISMS}
SHOWN = {"run": "One run", "expected": "Expectation"}

KEYS: dict[str | type[Any], Callable[[Any], Any]] = {experiment.City: lambda city: city.key}
_person = st.cache_resource(max_entries=60, show_spinner=False, hash_funcs=KEYS)(experiment.one_person)
_worst_cells = st.cache_resource(max_entries=30, show_spinner=False, hash_funcs=KEYS)(experiment.worst_cells)
_no_privacy = st.cache_resource(max_entries=10, show_spinner=False, hash_funcs=KEYS)(experiment.no_privacy)


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away."""

    config: experiment.Config
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    kind: str
    results: Callable[[], tuple[HasTables, ...]]
    crowd: experiment.Crowd | None = None


@dataclass(frozen=True)
class Scene:
    """What all views need: the city, the settings, the base measure in use."""

    city: experiment.City
    config: experiment.Config
    base: Array


def person_view(controls: shell.Controls, scene: Scene) -> Drawn:
    """One person's distribution and what each mechanism makes of it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = ask(controls, experiment.Config, "person", width=260)
        compare = controls.choice("compare", "Difference map", COMPARE, "wpm", kind="segments")
    config = replace(scene.config, person=number)
    result = _person(scene.city, config, scene.base)
    makers = {
        "person-truth": partial(figures.truth_maps, result, compare),
        "person-outputs": partial(figures.output_maps, result),
    }
    _side_by_side(makers, "The distribution of one person and the output distribution of each mechanism on maps")
    people = scene.city.check_ins.n_users
    st.caption(
        (f"The last of {people:,} is shown. " if number > people else "")
        + "W₁ is how far the mass travels on average. "
        + f"WPM as set: {result.kilometres['wpm']:.3f} km; exact projection: {result.exact_kilometres:.3f} km. "
        "Both satisfy the guarantee."
    )
    return Drawn(config, result.tables(), makers, "geolocation.person", lambda: (result,))


def crowd_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """Everybody releases one location."""
    city, config = scene.city, scene.config
    show = controls.choice("show", "Maps show", SHOWN, "run", kind="segments")
    now = worked("geo_crowd", [_crowd_job(scene, config.epsilon)])
    if not now:
        return None
    makers: dict[str, Callable[[], go.Figure]] = {
        "crowd-truth": partial(figures.crowd_truth_maps, now[0], show == "expected"),
        "crowd-estimates": partial(figures.crowd_estimate_maps, now[0], show == "expected"),
    }
    _side_by_side(makers, "The true crowd and the estimate from each mechanism on maps")
    st.caption(
        f"A demonstration: draws with a fixed seed, {experiment.RUNS} runs; the maps show the first run, or its "
        "expectation. ±: standard deviation over the runs. k-RR decoded: its known noise is taken out of what was "
        "released, then projected on the distributions; such post-processing costs no privacy."
    )
    others = sorted({*experiment.EPSILONS, config.epsilon})
    points = worked("geo_curve", [_crowd_job(scene, epsilon) for epsilon in others])
    known = {point.epsilon: point for point in (*points, *now)}
    curve = experiment.crowd_curve(city, known.values(), _no_privacy(city))
    makers["crowd-against-epsilon"] = partial(figures.crowd_curve_figure, curve, config.epsilon)
    shell.draw(
        figures.crowd_curve_figure(curve, config.epsilon, shell.on_dark()),
        alt="Distance of each estimate from the true crowd against epsilon",
        key="geo_curve",
    )
    if curve.prior is not None:
        st.caption(
            f"Dashed: the prior alone is {curve.prior:.2f} km from the true crowd, before anybody releases anything. "
            f"WPM at ε = {config.epsilon:g}: {now[0].means()['wpm']:.2f} km."
        )
    alone = partial(experiment.crowd_curve, city, now, _no_privacy(city))
    tables = now[0].tables() | curve.tables()
    return Drawn(config, tables, makers, "geolocation.crowd", lambda: (now[0], alone()), now[0])


def worst_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """How far anybody's distribution is moved at most."""
    city, config = scene.city, scene.config
    key = f"{city.key} {config.place}"
    curves = worked("geo_worst", [(f"worst {key}", "Worst cases", partial(experiment.worst_cases, city))])
    if not curves:
        return None
    cells = _worst_cells(city, config.base, scene.base, config.epsilon)
    minimax: list[experiment.MinimaxPoint] = []
    ask = "Add the minimax base: no mechanism with this ε has a smaller worst case"
    if controls.toggle("minimax", ask, False):
        minimax = worked("geo_minimax", [minimax_job(city, epsilon) for epsilon in experiment.MINIMAX_EPSILONS])
    left, right = st.columns([1.4, 1])
    with left:
        shell.draw(
            figures.worst_case_figure(curves[0], minimax, cells, shell.on_dark()),
            alt="Worst-case distance against epsilon",
            key="geo_worst",
        )
    with right:
        shell.draw(figures.worst_cells_figure(cells), alt="Worst-case distance by cell", key="geo_cells")
    st.caption(
        "The worst input is always a point mass (Theorem 3.5): somebody who was only ever in one cell. "
        "k-RR: the same over all inputs. WPM is the exact projection here"
        + ("." if config.reg is None else f"; with λ = {config.reg:g}, as chosen, it can move some people farther.")
    )
    makers = {
        "worst-case": partial(figures.worst_case_figure, curves[0], minimax, cells),
        "worst-case-cells": partial(figures.worst_cells_figure, cells),
    }
    tables = curves[0].tables() | cells.tables()
    if minimax:
        tables["worst-case-minimax"] = experiment.minimax_table(minimax)
    return Drawn(config, tables, makers, "geolocation.worst-case", lambda: (curves[0], cells))


def minimax_job(
    city: experiment.City, epsilon: float
) -> tuple[str, str, Callable[[shell.Progress], experiment.MinimaxPoint]]:
    """The work of solving for the minimax base measure."""
    return (
        f"minimax {city.key} {epsilon}",
        f"Minimax base at ε = {epsilon:g}, per cent of the way",
        partial(experiment.minimax_point, city, epsilon),
    )


def _crowd_job(scene: Scene, epsilon: float) -> tuple[str, str, Callable[[shell.Progress], experiment.Crowd]]:
    city, config = scene.city, scene.config

    def run(progress: shell.Progress) -> experiment.Crowd:
        base = scene.base
        if epsilon != config.epsilon:
            base = experiment.make_base(city, config.base, epsilon, progress)
        return experiment.crowd_at(city, base, epsilon, config.reg, progress)

    return f"crowd {city.key} {config.base} {epsilon} {config.reg}", f"Crowd at ε = {epsilon:g}", run


def _side_by_side(makers: Mapping[str, Callable[[], go.Figure]], alt: str) -> None:
    left, right = st.columns([1, 1.9])
    for column, (name, make) in zip((left, right), makers.items(), strict=True):
        with column:
            shell.draw(make(), alt=alt, key=f"geo_{name}")
