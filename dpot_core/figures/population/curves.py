"""Cost and distance against n or epsilon, with bands over the runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import BARYCENTERS, MECHANISMS, Curve
from dpot_core.figures.panels import axes, guide, panels
from dpot_core.figures.population.words import simulated_data, squared_unit, unit
from dpot_core.figures.style import (
    EPSILON_TICKS,
    EPSILON_TITLE,
    MARKERS,
    TITLE_HEIGHT,
    colour,
    new_figure,
    see_through,
)

_DASH = {"non-private": "dot", "coreset": "solid", "perturbation": "dash"}


def curve_figure(curve: Curve, dark: bool = False) -> go.Figure:
    """Cost (left) and W_2 to the non-private barycenter (right): mean, and smallest to largest of the runs."""
    first = curve.points[0]
    runs = len(first.cost["non-private"])
    at = np.array([point.value for point in curve.points])
    data: list[dict[str, Any]] = []
    for panel, names in enumerate((tuple(BARYCENTERS), tuple(MECHANISMS))):
        for name in names:
            table = np.array([(point.cost, point.distance)[panel][name] for point in curve.points])
            data += [trace | axes(panel) for trace in _band(at, table, name, panel == 0, dark)]
    degrees = first.geographic
    axis = {"type": "log", "tickvals": list(at), "ticktext": [f"{value:,g}" for value in at]}
    title = "people drawn from each group, n"
    if curve.axis == "epsilon":
        axis, title = {**EPSILON_TICKS}, EPSILON_TITLE
    now = curve.config.epsilon if curve.axis == "epsilon" else curve.config.n
    layout = panels(
        [f"Cost ({squared_unit(degrees)})", f"W₂ to non-private ({unit(degrees)})"],
        2,
        x={**axis, "title_text": title},
        y={},
        share_y=False,
        gap=(0.09, 0.1),
    )
    layout["yaxis2"]["rangemode"] = "tozero"
    inside = at.min() <= now <= at.max()
    shapes = [guide(panel, x=now) for panel in range(2)] if inside else []
    return new_figure(
        _finding(curve) + simulated_data(first.simulated),
        TITLE_HEIGHT + 340,
        data,
        **layout,
        shapes=shapes,
        margin={"t": TITLE_HEIGHT + 28, "l": 8, "r": 8, "b": 84},
        meta={"band": f"smallest to largest of {runs} runs"},
    )


def _band(at: Any, table: Any, name: str, legend: bool, dark: bool) -> list[dict[str, Any]]:
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
        "showlegend": legend,
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
