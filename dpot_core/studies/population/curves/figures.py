"""Cost and distance against n or epsilon, with bands over the runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.figures.panels import guide
from dpot_core.figures.style import (
    EPSILON_TICKS,
    EPSILON_TITLE,
    MARKERS,
    TITLE_HEIGHT,
    colour,
    new_figure,
    simulated,
)
from dpot_core.figures.traces import Trace, band, line
from dpot_core.studies.population.curves.results import Curve
from dpot_core.studies.population.settings import BARYCENTERS, MECHANISMS
from dpot_core.studies.population.units import squared_unit, unit

_DASH = {"non-private": "dot", "coreset": "solid", "perturbation": "dash"}
_HOVER = "%{x:,g}: %{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})"


def cost_figure(curve: Curve) -> go.Figure:
    """Cost of the three barycenters: mean, and smallest to largest of the runs."""
    runs = {name: np.array([point.cost[name] for point in curve.points]) for name in BARYCENTERS}
    ratios = [runs[name].mean() / runs["non-private"].mean() for name in MECHANISMS]
    title = f"Privacy costs {min(ratios) - 1:+.1%} to {max(ratios) - 1:+.1%} on average"
    return _figure(curve, runs, title, {"title": {"text": f"cost ({squared_unit(curve.points[0].geographic)})"}})


def distance_figure(curve: Curve) -> go.Figure:
    """W_2 to the non-private barycenter: mean, and smallest to largest of the runs."""
    runs = {name: np.array([point.distance[name] for point in curve.points]) for name in MECHANISMS}
    words = f"W₂ to non-private ({unit(curve.points[0].geographic)})"
    return _figure(curve, runs, _finding(curve), {"title": {"text": words}, "rangemode": "tozero"})


def _figure(curve: Curve, runs: Mapping[str, Array], title: str, y: dict[str, Any]) -> go.Figure:
    at = np.array([point.value for point in curve.points])
    axis: dict[str, Any] = {"type": "log", "tickvals": list(at), "ticktext": [f"{value:,g}" for value in at]}
    words, now = "people drawn from each group, n", float(curve.config.n)
    if curve.axis == "epsilon":
        axis, words, now = {**EPSILON_TICKS}, EPSILON_TITLE, curve.config.epsilon
    return new_figure(
        title + simulated(curve.points[0].simulated),
        TITLE_HEIGHT + 340,
        [trace for name, values in runs.items() for trace in _traces(at, values, name)],
        xaxis={**axis, "title": {"text": words}},
        yaxis=y,
        shapes=[guide(0, x=now)] if at.min() <= now <= at.max() else [],
    )


def _traces(at: Array, values: Array, name: str) -> list[Trace]:
    public = name == "non-private"
    hue, low, high = colour("input" if public else name), values.min(axis=1), values.max(axis=1)
    marker = {"symbol": "circle-open" if public else MARKERS[name], "size": 9, "color": hue}
    more = {"customdata": np.column_stack([low, high]), "mode": "lines+markers", "marker": marker, "legendgroup": name}
    return [
        band(at, low, high, colour=hue, opacity=0.16, legendgroup=name),
        line(at, values.mean(axis=1), BARYCENTERS[name], colour=hue, dash=_DASH[name], hover=_HOVER, **more),
    ]


def _finding(curve: Curve) -> str:
    """Which private barycenter is nearer to the non-private one, in words."""
    means = {name: [float(point.distance[name].mean()) for point in curve.points] for name in MECHANISMS}
    wins = [a < b for a, b in zip(means["coreset"], means["perturbation"], strict=True)]
    word = "n" if curve.axis == "n" else "ε"
    if all(wins) or not any(wins):
        return f"The {'coreset' if wins[0] else 'perturbation'} is nearer to the non-private one at every {word} shown"
    return f"The coreset is nearer to the non-private one at {sum(wins)} of {len(wins)} values of {word}"
