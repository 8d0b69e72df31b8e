"""How Algorithm 1 approaches the exact projection."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from dpot_core.experiments.ring import Convergence
from dpot_core.figures.ring.words import order, steps
from dpot_core.figures.style import GUIDE, TEMPLATE, plain

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def convergence_figure(result: Convergence) -> go.Figure:
    """Left: distance by iteration for each weight. Right: where it ends, and what Proposition 4.1 allows."""
    name = order(result.ring.p)
    figure = make_subplots(
        rows=1,
        cols=2,
        column_widths=[0.6, 0.4],
        subplot_titles=["By iteration", "At the end"],
        horizontal_spacing=0.12,
    )
    shades = sample_colorscale("Viridis", np.linspace(0.15, 0.8, len(result.reg)))
    for place, reg in enumerate(result.reg):
        figure.add_scatter(
            x=result.iterations[place],
            y=result.distance[place],
            mode="lines+markers",
            name=f"λ = {reg:g}",
            line={"color": shades[place], "dash": _DASHES[place % len(_DASHES)], "width": 2},
            marker={"size": 5},
            hovertemplate="after %{x} iterations: %{y:.4g} steps<extra>%{fullData.name}</extra>",
            row=1,
            col=1,
        )
    figure.add_hline(y=result.exact, line={"color": GUIDE, "width": 1.5, "dash": "dash"})
    figure.add_scatter(
        x=result.reg,
        y=result.final,
        mode="markers",
        name="Algorithm 1",
        showlegend=False,
        marker={"color": shades, "size": 10},
        hovertemplate="λ = %{x:g}: %{y:.4g} steps<extra></extra>",
        row=1,
        col=2,
    )
    figure.add_scatter(
        x=result.reg,
        y=result.bound,
        mode="lines",
        name="bound (Prop. 4.1)",
        line={"color": "#D55E00", "width": 2},
        hovertemplate="λ = %{x:g}: at most %{y:.4g} steps<extra></extra>",
        row=1,
        col=2,
    )
    figure.update_layout(
        template=TEMPLATE,
        height=400,
        title_text=plain(_title(result)),
        margin={"t": 120},
    )
    figure.update_annotations(font_size=14)
    figure.update_xaxes(type="log", title_text="iterations", row=1, col=1)
    figure.update_xaxes(
        type="log", title_text="λ", tickvals=result.reg, ticktext=[f"{r:g}" for r in result.reg], row=1, col=2
    )
    figure.update_yaxes(title_text=f"{name} to the input (steps)", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(rangemode="tozero", row=1, col=2)
    return figure


def _title(result: Convergence) -> str:
    place = int(np.argmin(result.reg))
    excess = float(result.final[place] - result.exact)
    text = (
        f"The exact projection is {order(result.ring.p)} = {steps(result.exact)} away; "
        f"with λ = {result.reg[place]:g} Algorithm 1 ends {max(excess, 0.0):.2g} steps above it"
    )
    return (
        text
        if result.converged[place]
        else text + f", not yet converged after {result.iterations[place][-1]} iterations"
    )
