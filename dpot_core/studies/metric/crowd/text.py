"""Release the crowd: reports about random visits of everybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from dpot_core.experiments.metric import crowd as experiment
from dpot_core.experiments.metric import visits as drawing
from dpot_core.experiments.metric.budgets import budgets
from dpot_core.experiments.metric.disclosed import crowd_disclosure
from dpot_core.experiments.metric.reproduce_crowd import crowd_snippet
from dpot_core.figures.metric import crowd as figures
from dpot_core.figures.metric.budgets import budgets_figure
from dpot_core.mechanisms.metric.sharing import STRETCH
from pages import _shell as shell
from pages._metric.lengths import lengths
from pages._metric.scene import Drawn, Scene
from pages._shell.asking import ask
from pages._shell.work import worked

#: What the view begins with.
BEGIN = experiment.CrowdConfig(visits=300)

_budgets = st.cache_resource(max_entries=30, show_spinner=False)(budgets)


def crowd_view(controls: shell.Controls, scene: Scene) -> Drawn | None:
    """The true crowd beside what can be made of private reports, and errors against epsilon."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        visits, who = ask(controls, BEGIN, "visits"), ask(controls, BEGIN, "who")
    config = experiment.CrowdConfig(scene.config, visits, who)
    now = worked("metric_crowd", [_job(scene, config)])
    if not now:
        return None
    release = now[0]
    makers: dict[str, Callable[[], go.Figure]] = {"crowd-maps": partial(figures.crowd_maps, release)}
    left, right = st.columns([1.2, 1])
    with left:
        shell.draw(
            figures.crowd_maps(release),
            alt="The true crowd, the reports and the estimates made of them, by shuffling and by composition, on maps",
            key="metric_crowd_maps",
        )
    with right:
        others = sorted({*experiment.EPSILONS, config.base.epsilon})
        jobs = [_job(scene, experiment.at_epsilon(config, epsilon)) for epsilon in others]
        points = worked("metric_crowd_curve", jobs)
        errors = experiment.crowd_errors({point.config.base.epsilon: point for point in (*points, release)}.values())
        makers["crowd-against-epsilon"] = partial(figures.crowd_errors_figure, errors, config.base.epsilon)
        shell.draw(
            figures.crowd_errors_figure(errors, config.base.epsilon, shell.on_dark()),
            alt="Distance of each estimate from the true crowd against epsilon",
            key="metric_crowd_curve",
        )
    curves = _budgets(config, scene.largest, release.people)
    makers["cost-of-a-report"] = partial(budgets_figure, curves)
    left, right = st.columns([1.2, 1], vertical_alignment="center")
    with left:
        shell.draw(
            budgets_figure(curves, shell.on_dark()),
            alt="What one report may cost against the number of reports, by shuffling and by composition",
            key="metric_budgets",
        )
    with right:
        st.caption(_reading(release))
    shell.table(
        ["Way", "β of a report", "β by Theorem 4.4", "α₀ of a known visit", "α", "δ", "Error (km)", "Error (d_EM)"],
        _rows(release),
    )
    st.caption(
        "Two kinds of promises stand on the axis of ε. *By distance*: ε is what each protected change of a history "
        "costs, other changes cost α τ q. *Whole user*: ε is what any change of a whole history costs, a stronger "
        "promise; with Laplace noise the curator sees everything, with one visit each nobody does."
    )
    lengths(controls, release)
    tables = release.tables() | errors.tables() | curves.tables()
    promise = crowd_disclosure(release)
    return Drawn(config, tables, makers, partial(crowd_snippet, config), release.guarantee, promise, (release,))


def _job(
    scene: Scene, config: experiment.CrowdConfig
) -> tuple[str, str, Callable[[shell.Progress], experiment.CrowdRelease]]:
    def run(progress: shell.Progress) -> experiment.CrowdRelease:
        return experiment.release_crowd(config, scene.city, progress)

    return f"{scene.city.key} {config}", f"Crowd at ε = {config.base.epsilon:g}", run


def _rows(release: experiment.CrowdRelease) -> list[list[str]]:
    rows = []
    for how, found in release.promises.items():
        error = release.mean(how)
        rows.append(
            [
                experiment.HOW[how].capitalize() + (" (in use)" if how == release.better else ""),
                f"{found.item_rate * STRETCH:.3g}",
                f"{release.by_theorem:.3g}" if how == "shuffling" and release.theorem is not None else "–",
                f"{release.item_rates[how]:.3g}",
                f"{release.spent(how):.4g}",
                f"{found.delta:.0e}" if found.delta else "0",
                f"{error:.2f}",
                f"{error / release.largest:.4f}",
            ]
        )
    return rows


def _reading(release: experiment.CrowdRelease) -> str:
    config = release.config
    text = (
        f"A demonstration: draws with a fixed seed, {drawing.RUNS} runs; the maps show the first. A random visit goes "
        "to one of the four nearest cells at random, so that no border betrays a small move, and the exponential "
        "mechanism reports a cell around it. The estimate undoes the known noise (a likely histogram, stopped early); "
        "that costs no privacy, and it is a distribution without negative entries. "
    )
    if "shuffling" not in release.promises:
        text += (
            f"Shuffling gains nothing here: {config.visits:,} reports "
            f"{'of everybody' if config.who == 'central' else 'of one person'} are too few to hide among. "
        )
    else:
        text += (
            f"What shuffled reports cost is counted numerically (proven): β = "
            f"{release.promises['shuffling'].item_rate * STRETCH:.3g}, where Theorem 4.4 "
            + ("says nothing. " if release.theorem is None else f"allows {release.by_theorem:.3g}. ")
        )
    return text + (
        "β: cost of one report about a random visit per unit of earth mover's distance. α₀: per unit of distance if "
        "the visit were known. Both, and α, count distances in largest ones. The closed form is the paper's; it is "
        "drawn for comparison and not used."
    )
