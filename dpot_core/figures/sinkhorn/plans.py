"""Plans as arrows: from each cell of the first set to where its mass goes on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.sinkhorn import ROUTES, Ground, Result
from dpot_core.figures.panels import axes, panels
from dpot_core.figures.sinkhorn.words import COLOUR, axis, cost_text, share, simulated
from dpot_core.figures.style import TITLE_HEIGHT, colour, new_figure, see_through

#: Rows with less of the mass than this get no arrow.
_LEAST = 0.002
_WIDTHS = ((0.0, 1.0), (0.01, 2.0), (0.03, 3.5))


def reference_figure(result: Result, dark: bool = False) -> go.Figure:
    """The exact plan and the entropic one: nobody may see these.

    Args:
        result: the release on screen.
        dark: whether the ground is dark.
    """
    costs = result.plan_costs
    title = f"Not private: the plan of least cost, and with entropy η = {result.config.eta:g} |c|"
    shown = {
        f"Exact: cost {cost_text(costs['exact'], result.ground)}": ("exact", result.ground.exact_plan),
        f"Entropic: cost {cost_text(costs['entropic'], result.ground)}": ("entropic", result.entropic),
    }
    return _figure(result.ground, shown, title + simulated(result.ground), dark)


def private_figure(result: Result, dark: bool = False) -> go.Figure:
    """What is released: noisy Sinkhorn's plan, and that of private histograms.

    Args:
        result: the release on screen.
        dark: whether the ground is dark.
    """
    claimed = "claimed" if result.config.guarantee == "paper" else "proven"
    title = (
        f"Released at ε = {result.config.epsilon:g} ({claimed}): noisy Sinkhorn puts "
        f"{share(result.elsewhere['sinkhorn'])} of the mass elsewhere than the entropic plan"
    )
    shown = {
        f"{ROUTES[name]}: {share(result.elsewhere[name])} elsewhere": (name, result.plans[name]) for name in ROUTES
    }
    return _figure(result.ground, shown, title + simulated(result.ground), dark)


def _figure(ground: Ground, shown: dict[str, tuple[str, Array]], title: str, dark: bool) -> go.Figure:
    data: list[dict[str, Any]] = []
    for panel, (name, plan) in enumerate(shown.values()):
        data += [{**trace, **axes(panel)} for trace in _traces(ground, plan, colour(COLOUR[name], dark))]
    width, height = ground.pair.extent
    layout = panels(
        list(shown),
        len(shown),
        x={"range": [0, width], "title_text": axis("x", ground), "showgrid": False, "zeroline": False},
        y={"range": [0, height], "title_text": axis("y", ground), "showgrid": False, "zeroline": False},
        gap=(0.05, 0.0),
    )
    for panel in range(len(shown)):
        number = "" if panel == 0 else str(panel + 1)
        layout[f"xaxis{number}"] |= {"constrain": "domain"}
        layout[f"yaxis{number}"] |= {"scaleanchor": f"x{number}", "constrain": "domain"}
        layout[f"yaxis{number}"].pop("matches", None)
    return new_figure(title, 400, data, showlegend=False, margin={"t": TITLE_HEIGHT + 26}, **layout)


def _traces(ground: Ground, plan: Array, hue: str) -> Sequence[dict[str, Any]]:
    points, side = ground.space.points, ground.data.cells
    columns, rows = plan.sum(axis=0), plan.sum(axis=1)
    where = points.reshape(side, side, 2)
    heat = {
        "type": "heatmap",
        "x": where[0, :, 0],
        "y": where[:, 0, 1],
        "z": columns.reshape(side, side),
        "colorscale": [[0, see_through("#7F7F7F", 0.0)], [1, see_through("#7F7F7F", 0.75)]],
        "zmin": 0,
        "showscale": False,
        "hovertemplate": "second set: %{z:.2%} of the mass<extra></extra>",
    }
    traces: list[dict[str, Any]] = [heat]
    kept = np.flatnonzero(rows > _LEAST)
    targets = plan[kept] @ points / rows[kept, None]
    edges = [low for low, _ in _WIDTHS[1:]]
    classes = np.digitize(rows[kept], edges)
    for level, (_, thickness) in enumerate(_WIDTHS):
        chosen = classes == level
        start, end = points[kept[chosen]], targets[chosen]
        line = np.full((int(chosen.sum()), 3, 2), np.nan)
        line[:, 0], line[:, 1] = start, end
        flat = line.reshape(-1, 2)
        traces.append(
            {
                "type": "scatter",
                "x": flat[:, 0],
                "y": flat[:, 1],
                "mode": "lines+markers",
                "line": {"width": thickness, "color": hue},
                "marker": {
                    "symbol": "arrow",
                    "angleref": "previous",
                    "size": np.tile([0, 7 + 2 * level, 0], int(chosen.sum())),
                    "color": hue,
                },
                "text": np.repeat([f"{mass:.2%} of the mass" for mass in rows[kept[chosen]]], 3),
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return traces
