"""The counterexample to the paper's sensitivity: a point walks, its own potential walks with it."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dpot_core.experiments.sinkhorn import Counterexample
from dpot_core.figures.sinkhorn.words import LOG_AXIS
from dpot_core.figures.style import MARKERS, colour, new_figure


def counterexample_figure(result: Counterexample, dark: bool = False) -> go.Figure:
    """Change of the moving point's potential and of all others against n.

    Args:
        result: the counterexample.
        dark: whether the ground is dark.
    """
    curves = (
        ("potential of the point that moves", result.own, "algorithm-1", "solid"),
        ("largest change of any other", result.others, "input", "dot"),
    )
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": result.n,
            "y": values.clip(1e-6),
            "mode": "lines+markers",
            "name": label,
            "line": {"width": 2, "dash": dash, "color": colour(key, dark)},
            "marker": {"size": 8, "symbol": MARKERS[key], "color": colour(key, dark)},
            "hovertemplate": "n = %{x}: %{y:.3g} |c|<extra>%{fullData.name}</extra>",
        }
        for label, values, key, dash in curves
    ]
    return new_figure(
        f"One point moves to {result.place:g}: its own potential moves by {result.own[-1]:.2g} |c| at "
        f"n = {result.n[-1]:g}, and more points do not help (simulated)",
        400,
        data,
        xaxis={"type": "log", "tickvals": result.n, "title": {"text": "points n of each set (no noise)"}},
        yaxis={**LOG_AXIS, "title": {"text": "change of the potential (of |c|)"}},
    )
