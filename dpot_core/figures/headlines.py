"""Bars of a few numbers, for views without a picture."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from dpot_core.figures.style import COLOURS, TITLE_HEIGHT, new_figure, plain


def headlines_figure(headlines: Mapping[str, float], title: str) -> go.Figure:
    """Bars of a few numbers: name with unit -> value."""
    names = list(headlines)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [plain(name) for name in names],
        "x": [headlines[name] for name in names],
        "text": [f"{headlines[name]:.4g}" for name in names],
        "marker": {"color": COLOURS["wpm"]},
        "hovertemplate": "%{y}: %{x:.6g}<extra></extra>",
    }
    height = TITLE_HEIGHT + 60 + 36 * len(names)
    return new_figure(title, height, [bars], yaxis={"autorange": "reversed"}, xaxis={"rangemode": "tozero"})
