"""Plans as arrows: from each cell of the first set to where its mass goes on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.sinkhorn import ROUTES, Ground, Result
from dpot_core.experiments.sinkhorn.advice import percent
from dpot_core.figures.sinkhorn.words import axis, cost_text, hue, route
from dpot_core.figures.style import colour, new_figure, see_through, simulated

#: Rows with less of the mass than this get no arrow.
_LEAST = 0.002
_WIDTHS = ((0.0, 1.0), (0.01, 2.0), (0.03, 3.5))


def plan_figure(result: Result, name: str, dark: bool = False) -> go.Figure:
    """One plan: "exact" and "entropic", which nobody may see, "sinkhorn" and "histograms", which are released.

    Args:
        result: the release on screen.
        name: of the plan.
        dark: whether the ground is dark.
    """
    ground = result.ground
    if name in ROUTES:
        plan, title = result.plans[name], f"{route(result, name)}: {percent(result.elsewhere[name])} elsewhere"
    else:
        plan = ground.exact_plan if name == "exact" else result.entropic
        label = "Exact" if name == "exact" else f"Entropic, η = {result.config.eta:g} |c|"
        title = f"{label}, not private: cost {cost_text(result.plan_costs[name], ground)}"
    width, height = ground.pair.extent
    common = {"showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 4, "constraintoward": "top"}
    return new_figure(
        title + simulated(ground.simulated),
        300,
        _traces(ground, plan, colour(hue(result, name), dark)),
        showlegend=False,
        xaxis={**common, "constraintoward": "center", "range": [0, width], "title": {"text": axis("x", ground)}},
        yaxis={**common, "range": [0, height], "title": {"text": axis("y", ground)}, "scaleanchor": "x"},
    )


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
                    "line": {"width": 0},
                },
                "text": np.repeat([f"{mass:.2%} of the mass" for mass in rows[kept[chosen]]], 3),
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return traces
