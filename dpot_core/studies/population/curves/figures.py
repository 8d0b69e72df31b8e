"""Cost and distance against n or epsilon, with bands over the runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import BARYCENTERS, MECHANISMS, Curve
from dpot_core.figures.panels import guide
from dpot_core.figures.population.words import squared_unit, unit
from dpot_core.figures.style import (
    EPSILON_TICKS,
    EPSILON_TITLE,
    MARKERS,
    TITLE_HEIGHT,
    colour,
    new_figure,
    see_through,
    simulated,
)

_DASH = {"non-private": "dot", "coreset": "solid", "perturbation": "dash"}


def cost_figure(curve: Curve, dark: bool = False) -> go.Figure:
    """Cost of the three barycenters: mean, and smallest to largest of the runs."""
    table = {name: np.array([point.cost[name] for point in curve.points]) for name in BARYCENTERS}
    ratios = [table[name].mean() / table["non-private"].mean() for name in MECHANISMS]
    title = f"Privacy costs {min(ratios) - 1:+.1%} to {max(ratios) - 1:+.1%} on average"
    return _figure(curve, table, title, f"cost ({squared_unit(curve.points[0].geographic)})", dark)


def distance_figure(curve: Curve, dark: bool = False) -> go.Figure:
    """W_2 to the non-private barycenter: mean, and smallest to largest of the runs."""
    table = {name: np.array([point.distance[name] for point in curve.points]) for name in MECHANISMS}
    figure = _figure(curve, table, _finding(curve), f"W₂ to non-private ({unit(curve.points[0].geographic)})", dark)
    figure.layout.yaxis.rangemode = "tozero"
    return figure


def _figure(curve: Curve, table: dict[str, Any], title: str, y: str, dark: bool) -> go.Figure:
    at = np.array([point.value for point in curve.points])
    axis: dict[str, Any] = {"type": "log", "tickvals": list(at), "ticktext": [f"{value:,g}" for value in at]}
    words, now = "people drawn from each group, n", float(curve.config.n)
    if curve.axis == "epsilon":
        axis, words, now = {**EPSILON_TICKS}, EPSILON_TITLE, curve.config.epsilon
    return new_figure(
        title + simulated(curve.points[0].simulated),
        TITLE_HEIGHT + 340,
        [trace for name, runs in table.items() for trace in _band(at, runs, name, dark)],
        xaxis={**axis, "title": {"text": words}},
        yaxis={"title": {"text": y}},
        shapes=[guide(0, x=now)] if at.min() <= now <= at.max() else [],
    )


def _band(at: Any, table: Any, name: str, dark: bool) -> list[dict[str, Any]]:
    hue = colour("input" if name == "non-private" else name, dark)
    low, high = table.min(axis=1), table.max(axis=1)
    band = {
        "type": "scatter",
        "x": np.concatenate([at, at[::-1]]),
        "y": np.concatenate([low, high[::-1]]),
        "fill": "toself",
        "fillcolor": see_through(hue, 0.16),
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": name,
    }
    symbol = "circle-open" if name == "non-private" else MARKERS[name]
    line = {
        "type": "scatter",
        "x": at,
        "y": table.mean(axis=1),
        "customdata": np.column_stack([low, high]),
        "mode": "lines+markers",
        "line": {"color": hue, "width": 2, "dash": _DASH[name]},
        "marker": {"symbol": symbol, "size": 9, "color": hue},
        "name": BARYCENTERS[name],
        "legendgroup": name,
        "hovertemplate": "%{x:,g}: %{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})"
        "<extra>%{fullData.name}</extra>",
    }
    return [band, line]


def _finding(curve: Curve) -> str:
    """Which private barycenter is nearer to the non-private one, in words."""
    means = {name: [float(point.distance[name].mean()) for point in curve.points] for name in MECHANISMS}
    wins = [a < b for a, b in zip(means["coreset"], means["perturbation"], strict=True)]
    word = "n" if curve.axis == "n" else "ε"
    if all(wins) or not any(wins):
        return f"The {'coreset' if wins[0] else 'perturbation'} is nearer to the non-private one at every {word} shown"
    return f"The coreset is nearer to the non-private one at {sum(wins)} of {len(wins)} values of {word}"
