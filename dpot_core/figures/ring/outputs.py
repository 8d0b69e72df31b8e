"""The input and each mechanism's output along the ring, with the polytope's band."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpot_core.checks import Array
from dpot_core.experiments.ring import Result
from dpot_core.figures.ring.words import order, steps
from dpot_core.figures.style import GUIDE, TEMPLATE, colour, plain, see_through
from dpot_core.mechanisms import MECHANISMS

_ROW = 190


def outputs_figure(result: Result, dark: bool = False) -> go.Figure:
    """Small panels on the same axes: the input alone, then each output over the input's outline."""
    names = list(result.outputs)
    panels = ["Input", *(f"{MECHANISMS[name].label}: {steps(result.distances[name])}" for name in names)]
    rows = (len(panels) + 1) // 2
    figure = make_subplots(
        rows=rows,
        cols=2,
        shared_xaxes=True,
        shared_yaxes=True,
        subplot_titles=[plain(panel) for panel in panels],
        horizontal_spacing=0.03,
        vertical_spacing=0.22 / rows,
    )
    points = np.arange(len(result.mu))
    figure.add_bar(
        x=points,
        y=result.mu,
        name="input",
        marker_color=colour("input", dark),
        row=1,
        col=1,
        hovertemplate=_HOVER,
    )
    for place, name in enumerate(names, start=1):
        where = {"row": place // 2 + 1, "col": place % 2 + 1}
        if name in result.bands:
            figure.add_scatter(**_band(result, name), **where)
        figure.add_bar(
            x=result.targets,
            y=result.outputs[name],
            width=0.72 * result.config.ring.every,
            name=MECHANISMS[name].label,
            marker_color=colour(name, dark),
            hovertemplate=_HOVER,
            **where,
        )
        figure.add_scatter(
            x=points,
            y=result.mu,
            mode="lines",
            line={"shape": "hvh", "color": colour("input", dark), "width": 1.5},
            name="input",
            hoverinfo="skip",
            **where,
        )
    figure.update_layout(
        template=TEMPLATE,
        height=_ROW * rows + 60,
        title_text=plain(_title(result)),
        showlegend=False,
        barmode="overlay",
        bargap=0.2,
        margin={"t": 70},
    )
    figure.update_annotations(font_size=14)
    figure.update_xaxes(range=[-0.7, len(points) - 0.3], nticks=8, showgrid=False)
    figure.update_xaxes(title_text="point on the ring", row=rows)
    if len(panels) % 2 == 1:
        figure.update_xaxes(showticklabels=True, title_text="point on the ring", row=rows - 1, col=2)
    figure.update_yaxes(range=[0, 1.06 * _top(result)], nticks=5, tickformat="~g")
    figure.update_yaxes(title_text="probability", col=1)
    return figure


_HOVER = "point %{x}: %{y:.4g}<extra>%{fullData.name}</extra>"


def _band(result: Result, name: str) -> dict[str, object]:
    """The box [lower, upper] of every output as one closed outline."""
    lower, upper = result.bands[name]
    half = result.config.ring.every / 2
    edges = np.column_stack([result.targets - half, result.targets + half]).ravel()
    across = np.concatenate([edges, edges[::-1]])
    around: Array = np.concatenate([np.repeat(upper, 2), np.repeat(lower, 2)[::-1]])
    return {
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
