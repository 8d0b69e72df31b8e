"""How Algorithm 1 approaches the exact projection."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from dpot_core.experiments.ring import Convergence
from dpot_core.figures.panels import axes, guide, panels
from dpot_core.figures.ring.words import order, steps
from dpot_core.figures.style import GUIDE, TITLE_HEIGHT, new_figure

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def convergence_figure(result: Convergence) -> go.Figure:
    """Left: distance by iteration for each weight. Right: where it ends, and what Proposition 4.1 allows."""
    shades = sample_colorscale("Viridis", np.linspace(0.15, 0.8, len(result.reg)))
    last = max(int(run.iterations[-1]) for run in result.runs)
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            # What has converged stays where it is, so its line goes on to the right.
            "x": [*run.iterations, last],
            "y": [*run.distance, run.distance[-1]],
            "mode": "lines+markers",
            "name": f"λ = {run.reg:g}",
            "line": {"color": shades[place], "dash": _DASHES[place % len(_DASHES)], "width": 2},
            "marker": {"size": 5},
            "hovertemplate": "after %{x} iterations: %{y:.4g} steps<extra>%{fullData.name}</extra>",
            **axes(0),
        }
        for place, run in enumerate(result.runs)
    ]
    limits = {
        "type": "scatter",
        "x": result.reg,
        "y": result.final,
        "mode": "markers",
        "showlegend": False,
        "marker": {
            "color": shades,
            "size": 10,
            "symbol": ["circle" if run.converged else "circle-open" for run in result.runs],
            "line": {"width": 2, "color": shades},
        },
        "hovertemplate": "λ = %{x:g}: %{y:.4g} steps<extra></extra>",
    }
    bound = {
        "type": "scatter",
        "x": result.reg,
        "y": result.bound,
        "mode": "lines",
        "name": "bound (Prop. 4.1)",
        "line": {"color": GUIDE, "width": 2},
        "hovertemplate": "λ = %{x:g}: at most %{y:.4g} steps<extra></extra>",
    }
    layout = panels(
        ["By iteration", "At the end"],
        2,
        x={"type": "log"},
        y={"nticks": 6, "tickformat": "~g", "title_text": f"{order(result.ring.p)} to the input (steps)"},
        share_y=False,
        gap=(0.12, 0.0),
        widths=(0.6, 0.4),
    )
    layout["xaxis"] |= {"dtick": 1, "title": {"text": "iterations"}}
    layout["xaxis2"] |= {
        "tickvals": result.reg,
        "ticktext": [f"{reg:g}" for reg in result.reg],
        "title": {"text": "λ"},
    }
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["yaxis2"] |= {"type": "log"}
    return new_figure(
        _title(result),
        460,
        [*data, limits | axes(1), bound | axes(1)],
        shapes=[guide(panel, y=result.exact, dash="dash") for panel in (0, 1)],
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def _title(result: Convergence) -> str:
    run = min(result.runs, key=lambda run: run.reg)
    excess = max(float(run.distance[-1]) - result.exact, 0.0)
    above = "there too" if excess <= 1e-9 * (1.0 + result.exact) else f"{excess:.2g} steps above it"
    text = (
        f"The exact projection is {order(result.ring.p)} = {steps(result.exact)} away; "
        f"with λ = {run.reg:g} Algorithm 1 ends {above}"
    )
    return text if run.converged else text + f", not yet converged after {run.iterations[-1]} iterations"
