"""What every change of a history costs: a map over fraction and distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.metric import SHARES, Protect
from dpot_core.figures.map_scales import flat_bar
from dpot_core.figures.metric.words import distance, epsilon_text
from dpot_core.figures.style import SEQUENTIAL, TITLE_HEIGHT, colour, new_figure

_TICKS = (0.02, 0.1, 0.5, 2, 10, 50, 200, 1000, 5000)
# Pixels under the map, for numbers and name of the axis and for the colour bar.
_UNDER = 96


def protection_figure(result: Protect, dark: bool = False) -> go.Figure:
    """epsilon of a change of a fraction tau by a distance, with the protected changes marked.

    Args:
        result: what the changes cost.
        dark: whether the ground is dark.
    """
    tau, q = np.array(result.changes).T
    level = result.surface
    ends = float(np.log10(level.min())), float(np.log10(level.max()))
    ticks = [t for t in range(-9, 10, 2) if ends[0] <= t <= ends[1]]
    heat: dict[str, Any] = {
        "type": "heatmap",
        "x": result.distances,
        "y": result.taus,
        "z": np.log10(level),
        "customdata": level,
        "colorscale": SEQUENTIAL,
        "reversescale": True,
        "opacity": 0.85,
        "hovertemplate": f"%{{y:.2%}} of the data by %{{x:.3g}} {result.unit}: ε = %{{customdata:.3g}}<extra></extra>",
        "colorbar": {
            **flat_bar("ε of the change"),
            "tickvals": ticks,
            "ticktext": [f"{10.0**t:g}" for t in ticks],
        },
    }
    # tau q = epsilon/alpha: straight on logarithmic axes.
    reach = result.epsilon / result.alpha
    at = np.geomspace(max(reach, 1e-3), 1.0, 40)
    white = {"color": "#FFFFFF", "width": 5}
    line: dict[str, Any] = {
        "type": "scatter",
        "x": at * result.largest,
        "y": reach / at,
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }
    own = {"color": colour("metric"), "width": 3}
    marks = {
        "type": "scatter",
        "x": q * result.largest,
        "y": tau,
        "mode": "markers+text",
        "marker": {
            "symbol": "star",
            "size": 17,
            "color": colour("metric"),
            "line": {"width": 1.5, "color": "#FFFFFF"},
        },
        "text": [f"<b>ε = {epsilon_text(cost)}</b>" for cost in result.costs],
        "textposition": ["middle left" if far > 0.005 else "middle right" for far in q],
        "textfont": {"color": "#FFFFFF", "size": 13, "shadow": "0 0 3px #000000, 0 0 3px #000000"},
        "hovertext": result.words,
        "hovertemplate": "%{hovertext}: ε = %{customdata:.3g}<extra>protected</extra>",
        "customdata": result.costs,
        "showlegend": False,
        "cliponaxis": False,
    }
    allowed = epsilon_text(result.epsilon)
    low = float(np.log10(result.largest * 1e-3)), float(np.log10(min(SHARES)))
    return new_figure(
        f"α = {result.alpha:.4g}: up to the line a change costs at most ε = {allowed}; "
        f"all of the data, {distance(result.largest)} {result.unit} away, costs {epsilon_text(result.alpha)}",
        480,
        [heat, line | {"line": white}, line | {"line": own}, marks],
        xaxis={
            "type": "log",
            "title": {"text": f"moved by so many {result.unit}"},
            "range": [low[0], float(np.log10(result.largest))],
            "tickvals": [t for t in _TICKS if result.largest * 1e-3 <= t <= result.largest],
            "ticktext": [f"{t:,g}" for t in _TICKS if result.largest * 1e-3 <= t <= result.largest],
        },
        yaxis={
            "type": "log",
            "title": {"text": "so much of one person's data"},
            "range": [low[1], 0.03],
            "tickvals": list(SHARES),
            "ticktext": list(SHARES.values()),
        },
        margin={"t": TITLE_HEIGHT + 12, "r": 12, "b": _UNDER},
    )
