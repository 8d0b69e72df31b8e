"""The input and each mechanism's output along the ring, with the polytope's band."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.ring import Result
from dpot_core.experiments.ring.settings import Indices
from dpot_core.figures.panels import axes, panels
from dpot_core.figures.ring.words import bar_width, order, steps
from dpot_core.figures.style import GUIDE, TITLE_HEIGHT, colour, new_figure, see_through
from dpot_core.mechanisms import MECHANISMS

_ROW = 190


def outputs_figure(result: Result, dark: bool = False) -> go.Figure:
    """Small panels on the same axes: the input alone, then each output over the input's outline."""
    names = list(result.outputs)
    every = result.config.ring.every
    points = np.arange(len(result.mu))
    grey = colour("input", dark)
    data: list[dict[str, Any]] = [
        {"type": "bar", "x": points, "y": result.mu, "name": "input", "marker": {"color": grey}, **_BAR, **axes(0)}
    ]
    for panel, name in enumerate(names, start=1):
        output = {"x": result.targets, "y": result.outputs[name], "width": bar_width(every)}
        look = {"name": MECHANISMS[name].label, "marker": {"color": colour(name, dark)}}
        data += [_band(result, name) | axes(panel)] if name in result.bands else []
        data.append({"type": "bar", **output, **look, **_BAR, **axes(panel)})
        data.append(_outline(points, result.mu, grey) | axes(panel))
    titles = ["Input", *(f"{MECHANISMS[name].label}: {steps(result.distances[name])}" for name in names)]
    rows = (len(titles) + 1) // 2
    layout = panels(
        titles,
        2,
        x={"range": [-0.7, len(points) - 0.3], "nticks": 8, "showgrid": False, "title_text": "point on the ring"},
        y={"range": [0, 1.06 * _top(result)], "nticks": 5, "tickformat": "~g", "title_text": "probability"},
        gap=(0.03, 0.24 / rows),
    )
    return new_figure(
        _title(result),
        _ROW * rows + TITLE_HEIGHT + 40,
        data,
        showlegend=False,
        barmode="overlay",
        bargap=0.2,
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def _outline(points: Indices, mu: Array, grey: str) -> dict[str, Any]:
    """Steps around the bars of the input, from the left edge of the first to the right edge of the last."""
    return {
        "type": "scatter",
        "x": [-0.5, *points, len(points) - 0.5],
        "y": [mu[0], *mu, mu[-1]],
        "mode": "lines",
        "line": {"shape": "hvh", "color": grey, "width": 1.5},
        "hoverinfo": "skip",
    }


_BAR = {"hovertemplate": "point %{x}: %{y:.4g}<extra>%{fullData.name}</extra>"}


def _band(result: Result, name: str) -> dict[str, Any]:
    """The box [lower, upper] of every output as one closed outline."""
    lower, upper = result.bands[name]
    half = result.config.ring.every / 2
    edges = np.column_stack([result.targets - half, result.targets + half]).ravel()
    across = np.concatenate([edges, edges[::-1]])
    around: Array = np.concatenate([np.repeat(upper, 2), np.repeat(lower, 2)[::-1]])
    return {
        "type": "scatter",
        "x": across,
        "y": around,
        "mode": "lines",
        "line": {"width": 1, "color": GUIDE, "dash": "dot"},
        "fill": "toself",
        "fillcolor": see_through(GUIDE, 0.16),
        "name": "allowed by privacy",
        "hoverinfo": "skip",
    }


def _top(result: Result) -> float:
    """The highest bar: bounds above it would only squeeze the bars."""
    highest = max(float(result.mu.max()), *(float(nu.max()) for nu in result.outputs.values()), 0.0)
    bounds = [float(upper.max()) for _, upper in result.bands.values()]
    return max([highest, *(bound for bound in bounds if bound <= 1.6 * highest)])


def _title(result: Result) -> str:
    """Who moves the input least, in words."""
    name = order(result.config.ring.p)
    if not result.distances:
        return "The input; choose a mechanism to compare"
    ranked = sorted(result.distances, key=lambda key: result.distances[key])
    best = ranked[0]
    text = f"At ε = {result.config.epsilon:g} {MECHANISMS[best].label} moves the input by "
    text += f"{name} = {steps(result.distances[best])}"
    if len(ranked) > 1:
        last = ranked[-1]
        text += f", {MECHANISMS[last].label} by {steps(result.distances[last])}"
    return text
