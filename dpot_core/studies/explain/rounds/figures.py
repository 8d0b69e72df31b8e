"""Epsilon of many Gaussian releases."""

from __future__ import annotations

import plotly.graph_objects as go

from dpot_core.figures.style import COLOURS, TITLE_HEIGHT, at_most, counted, new_figure
from dpot_core.figures.traces import line
from dpot_core.studies.explain.rounds.results import Rounds


def rounds_figure(result: Rounds) -> go.Figure:
    """Added up, and exact."""
    config, grey = result.config, COLOURS["input"]
    curves = (
        (result.basic, "added up", "dash", "x"),
        (result.exact, "exact for Gaussian noise", "solid", "circle"),
    )
    data = [
        line(
            result.count,
            epsilon,
            name,
            colour=grey,
            dash=dash,
            width=2.5,
            hover="%{x} releases: ε = %{y:.4g}",
            mode="lines+markers" if len(result.count) <= 40 else "lines",
            marker={"symbol": symbol, "size": 6, "color": grey},
        )
        for epsilon, name, dash, symbol in curves
    ]
    return new_figure(
        f"{counted(config.rounds, 'Gaussian release', 'Gaussian releases')} at ε = {config.epsilon:g} each: "
        f"ε = {at_most(float(result.exact[-1]))} in all, not {result.basic[-1]:.4g}, "
        f"both at δ = {config.total_delta:.1e}",
        400,
        data,
        xaxis={"title": {"text": "releases from the same data"}, "rangemode": "tozero"},
        yaxis={"title": {"text": "ε of all together"}, "rangemode": "tozero"},
        margin={"t": TITLE_HEIGHT + 16},
    )
