"""The details of the ring page: only the one that is open is computed and drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments import ring as experiment
from dpot_core.figures import ring as figures
from dpot_core.figures.ring.words import order, steps
from dpot_core.mechanisms import MECHANISMS
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell

# Each is keyed by what its result depends on, and holds at most a few hundred kilobytes an entry (k = 200).
run = st.cache_resource(max_entries=100, show_spinner=False)(experiment.run)
worst_cases = st.cache_resource(max_entries=30, show_spinner="Worst cases …")(experiment.worst_cases)
worst_case_now = st.cache_resource(max_entries=100, show_spinner=False)(experiment.worst_case_now)
entropic_run = st.cache_resource(max_entries=200, show_spinner=False)(experiment.entropic_run)
plan = st.cache_resource(max_entries=30, show_spinner=False)(experiment.plan)
base_report = st.cache_resource(max_entries=100, show_spinner="Base measures …")(experiment.base_report)

# Seconds before progress is shown: a bar that only flashes disturbs.
PATIENCE = 0.4

BASES = {
    "yours": "in use",
    "uniform": "uniform, mass 1",
    "best-uniform": "uniform, best mass",
    "minimax": "minimax",
}


def worst_view(config: experiment.Config) -> None:
    """Worst cases against epsilon."""
    worst = worst_cases(config.ring)
    now = _now(config)
    shell.draw(
        figures.worst_case_figure(worst, now, shell.on_dark()),
        alt="Worst-case Wasserstein distance of each mechanism against epsilon",
        key="ring_worst",
    )
    st.caption(
        "WPM and k-RR: the largest over all inputs (Theorem 3.5; convexity). KPM and EM: the largest over "
        "one-point inputs, a lower bound of their worst case. On one point KPM and k-RR do the same. "
        "WPM is the exact projection here"
        + ("." if config.reg is None else f"; with λ = {config.reg:g}, as chosen, it can move inputs farther.")
    )


def divergences_view(config: experiment.Config) -> None:
    """Worst-case divergences against epsilon."""
    shell.draw(
        figures.divergences_figure(worst_cases(config.ring), _now(config), shell.on_dark()),
        alt="Worst-case divergences of KPM and of the relative mollifier against epsilon",
        key="ring_divergences",
    )
    st.caption(f"Closed forms for k = {config.ring.k} points, all of them outputs. They ignore distances.")


def numbers_view(config: experiment.Config) -> None:
    """Distance and divergences of this input."""
    result = run(config)
    name = order(config.ring.p)
    heads = ["From the input to", f"{name} (steps)", *(row.axis for row in DIVERGENCES.values())]
    rows = []
    for mechanism, distance in result.distances.items():
        cells = [distance, *(result.divergences[mechanism][key] for key in DIVERGENCES)]
        label = f"{MECHANISMS[mechanism].label} ({MECHANISMS[mechanism].title})"
        rows.append([label, *map(_number, cells)])
    if not rows:
        st.info("Choose a mechanism on the left: its distances appear here.")
        return
    shell.table(heads, rows)
    st.caption(
        f"{name} counts steps along the ring: moving all mass by one point costs 1. The divergences do not know which "
        "points are close. ∞: the input has mass where the output cannot have any."
    )


def base_view(config: experiment.Config) -> None:
    """The base measure with its certificate."""
    report = base_report(config.ring, config.base, config.epsilon)
    shell.draw(
        figures.base_figure(report, shell.on_dark()),
        alt="The base measure in use and the minimax one along the ring",
        key="ring_base",
    )
    shell.table(
        ["Base measure", "Mass", f"Worst-case {order(config.ring.p)} (steps)"],
        [[BASES[key], f"{report.mass[key]:.4g}", f"{value:.6g}"] for key, value in report.worst.items()],
    )
    st.caption(
        f"Certificate: no base measure has a worst case below {report.lower_bound:.8g} steps, so the minimax one is "
        f"within {report.gap:.1e} of the best (cutting planes, rounds: {report.iterations}). "
        f"Dotted: the input point where the base in use does worst."
    )


def plan_view(config: experiment.Config) -> None:
    """The transport plan."""
    result = plan(config.ring, config.base, config.source, config.epsilon)
    shell.draw(
        figures.plan_figure(result), alt="Optimal transport plan from the input to the output of WPM", key="ring_plan"
    )
    st.caption("The plan of the exact projection (λ = 0). Mass on the diagonal stays where it is.")


def convergence_view(config: experiment.Config) -> None:
    """Algorithm 1 for several weights."""
    place = st.empty()
    result = _convergence(config, place)
    place.empty()
    shell.draw(
        figures.convergence_figure(result), alt="Distance after each iteration of Algorithm 1", key="ring_convergence"
    )
    st.caption(
        f"Dashed: the exact projection, {steps(result.exact)}. Bound: (W^p + λ log(k k_v))^(1/p), Proposition 4.1, "
        "for outputs that have converged"
        + ("" if all(run.converged for run in result.runs) else " (hollow: those that have not)")
        + ". λ counts for costs scaled so that the largest is 1. Every iterate satisfies the guarantee."
    )


VIEWS: Mapping[str, tuple[str, Callable[[experiment.Config], None]]] = {
    "worst": ("Worst case", worst_view),
    "divergences": ("Worst-case divergences", divergences_view),
    "numbers": ("This input in numbers", numbers_view),
    "base": ("Base measure", base_view),
    "plan": ("Transport plan", plan_view),
    "convergence": ("Convergence", convergence_view),
}


def tables(config: experiment.Config) -> dict[str, Callable[[], pd.DataFrame]]:
    """Makers of every table of numbers that the page can draw."""

    def base() -> experiment.BaseReport:
        return base_report(config.ring, config.base, config.epsilon)

    parts: dict[str, Callable[[], HasTables]] = {
        "distributions": partial(run, config),
        "distances": partial(run, config),
        "worst-case-wasserstein": partial(worst_cases, config.ring),
        "worst-case-divergences": partial(worst_cases, config.ring),
        "worst-case-now": partial(_now, config),
        "base-measure": base,
        "base-comparison": base,
        "plan": partial(plan, config.ring, config.base, config.source, config.epsilon),
        "convergence": partial(_convergence, config),
        "convergence-limits": partial(_convergence, config),
    }
    return {name: partial(_table, name, make) for name, make in parts.items()}


def _table(name: str, make: Callable[[], HasTables]) -> pd.DataFrame:
    return make().tables()[name]


def figure_makers(config: experiment.Config) -> dict[str, Callable[[], go.Figure]]:
    """Makers of every figure that the page can draw, for a file of their own (light ground)."""
    return {
        "distributions": lambda: figures.outputs_figure(run(config)),
        "worst-case": lambda: figures.worst_case_figure(worst_cases(config.ring), _now(config)),
        "divergences": lambda: figures.divergences_figure(worst_cases(config.ring), _now(config)),
        "base-measure": lambda: figures.base_figure(base_report(config.ring, config.base, config.epsilon)),
        "plan": lambda: figures.plan_figure(plan(config.ring, config.base, config.source, config.epsilon)),
        "convergence": lambda: figures.convergence_figure(_convergence(config)),
    }


def pinned(config: experiment.Config) -> tuple[experiment.Result, experiment.WorstNow]:
    """What the board keeps of this page."""
    return run(config), _now(config)


def _now(config: experiment.Config) -> experiment.WorstNow:
    return worst_case_now(config.ring, config.base, config.epsilon)


def _convergence(config: experiment.Config, place: DeltaGenerator | None = None) -> experiment.Convergence:
    """Algorithm 1 for each weight; slow work is counted in ``place``, and changing a control abandons it."""
    what = (config.ring, config.base, config.source, config.epsilon)
    start, runs = time.monotonic(), []
    for number, reg in enumerate(experiment.REGS):
        if place is not None and time.monotonic() > start + PATIENCE:
            share = number / len(experiment.REGS)
            place.progress(share, f"Algorithm 1: {number} of {len(experiment.REGS)} weights λ done")
        runs.append(entropic_run(*what, reg))
    return experiment.convergence(*what, tuple(runs))


def _number(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:.4g}"
