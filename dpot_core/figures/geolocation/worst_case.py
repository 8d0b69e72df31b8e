"""Worst cases in kilometres: against epsilon, and cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.geolocation import MinimaxPoint, WorstCases, WorstCells
from dpot_core.figures.city_maps import place_lines, single_map
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import EPSILON_AXIS, TITLE_HEIGHT, colour, km_at_most, new_figure, simulated
from dpot_core.mechanisms import MECHANISMS

BASES = {"best-uniform": "best uniform base", "minimax": "minimax base", "prior": "prior as base"}
_DASHES = {"best-uniform": "solid", "prior": "dashdot"}


def worst_case_figure(
    worst: WorstCases, minimax: Sequence[MinimaxPoint], current: WorstCells, dark: bool = False
) -> go.Figure:
    """U against epsilon for each base measure, and for the other mechanisms of which it is known exactly.

    Args:
        worst: the curves.
        minimax: points of the minimax base, as far as they are computed.
        current: worst case at the current epsilon with the base in use.
        dark: whether the ground is dark.
    """
    data: list[dict[str, Any]] = []
    for name, curve in worst.kilometres.items():
        look = {"width": 2.5, "color": colour("wpm" if name in BASES else name, dark)}
        look["dash"] = _DASHES[name] if name in BASES else MECHANISMS[name].dash
        label = f"WPM, {BASES[name]}" if name in BASES else MECHANISMS[name].label
        data.append(_trace(worst.epsilon, curve, label) | {"mode": "lines", "line": look})
    if minimax:
        look = {"width": 2, "color": colour("coreset", dark), "dash": "dot"}
        points = _trace([p.epsilon for p in minimax], [p.kilometres for p in minimax], "WPM, minimax base")
        marker = {"symbol": "diamond", "size": 9, "color": colour("wpm", dark)}
        data.append(points | {"mode": "lines+markers", "line": look, "marker": marker})
    star = {"symbol": "star", "size": 15, "color": colour("wpm", dark), "line": {"width": 1, "color": "white"}}
    now = _trace([current.epsilon], [float(current.worst)], "base in use, now")
    data.append(now | {"mode": "markers", "marker": star})
    return new_figure(
        f"At ε = {current.epsilon:g} exact WPM moves nobody by more than {km_at_most(float(current.worst))}, "
        f"whatever their history ({BASES[current.base]}){simulated(worst.map.simulated)}",
        440,
        data,
        xaxis={**EPSILON_AXIS, "range": [-1.32, 1.02]},
        yaxis={"title": {"text": "worst-case W₁ (km)"}, "rangemode": "tozero"},
        shapes=[guide(0, x=current.epsilon)],
        annotations=[guide_label(0, current.epsilon, f"ε = {current.epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def worst_cells_figure(cells: WorstCells) -> go.Figure:
    """For each cell: how far WPM moves somebody who was only ever there; the worst cell is marked."""
    worst, ground = cells.worst, cells.map
    east, north = ground.points[worst.argmax]
    title = (
        f"Moved most, by {km_at_most(float(worst))}: whoever was only ever {east:.1f} km east, {north:.1f} km north"
        f"{simulated(ground.simulated)}"
    )
    figure = single_map(ground, worst.per_input, title, "W₁ (km)", "%{z:.2f} km")
    mark = {"symbol": "circle-open", "size": 18, "color": "#E69F00", "line": {"width": 3}}
    figure.add_traces(
        [
            *place_lines(ground),
            {
                "type": "scatter",
                "x": [east],
                "y": [north],
                "mode": "markers+text",
                "marker": mark,
                "text": ["worst cell"],
                "textposition": "middle left" if east > ground.width / 2 else "middle right",
                "textfont": {"color": "#FFFFFF"},
                "hoverinfo": "skip",
            },
        ]
    )
    return figure


def _trace(x: Any, y: Any, label: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": np.asarray(x),
        "y": np.asarray(y),
        "name": label,
        "hovertemplate": "ε = %{x:.3g}: %{y:.2f} km<extra>%{fullData.name}</extra>",
    }
