"""What every change of a history costs: a map over fraction and distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.figures.map_scales import flat_bar
from dpot_core.figures.style import SEQUENTIAL, TITLE_HEIGHT, colour, new_figure
from dpot_core.figures.traces import Trace, line, marks
from dpot_core.studies.metric.protect.results import Protect
from dpot_core.studies.metric.settings import SHARES
from dpot_core.studies.metric.units import distance, epsilon_text

_TICKS = (0.02, 0.1, 0.5, 2, 10, 50, 200, 1000, 5000)
# Pixels under the map, for numbers and name of the axis and for the colour bar.
_UNDER = 96


def protection_figure(result: Protect) -> go.Figure:
    """epsilon of a change of a fraction tau by a distance, with the protected changes marked."""
    # tau q = epsilon/alpha: straight on logarithmic axes.
    reach = result.epsilon / result.alpha
    at = np.geomspace(max(reach, 1e-3), 1.0, 40)
    limit = [
        line(at * result.largest, reach / at, colour=hue, width=width)
        for hue, width in (("#FFFFFF", 5), (colour("metric"), 3))
    ]
    nearest = result.largest * 1e-3
    ticks = [tick for tick in _TICKS if nearest <= tick <= result.largest]
    return new_figure(
        f"α = {result.alpha:.4g}: up to the line a change costs at most ε = {epsilon_text(result.epsilon)}; "
        f"all of the data, {distance(result.largest)} {result.unit} away, costs {epsilon_text(result.alpha)}",
        480,
        [_surface(result), *limit, _changes(result)],
        xaxis={
            "type": "log",
            "title": {"text": f"moved by so many {result.unit}"},
            "range": [float(np.log10(nearest)), float(np.log10(result.largest))],
            "tickvals": ticks,
            "ticktext": [f"{tick:,g}" for tick in ticks],
        },
        yaxis={
            "type": "log",
            "title": {"text": "so much of one person's data"},
            "range": [float(np.log10(min(SHARES))), 0.03],
            "tickvals": list(SHARES),
            "ticktext": list(SHARES.values()),
        },
        margin={"t": TITLE_HEIGHT + 12, "r": 12, "b": _UNDER},
    )


def _surface(result: Protect) -> Trace:
    level = np.log10(result.surface)
    ticks = [power for power in range(-9, 10, 2) if level.min() <= power <= level.max()]
    return {
        "type": "heatmap",
        "x": result.distances,
        "y": result.taus,
        "z": level,
        "customdata": result.surface,
        "colorscale": SEQUENTIAL,
        "reversescale": True,
        "opacity": 0.85,
        "hovertemplate": f"%{{y:.2%}} of the data by %{{x:.3g}} {result.unit}: ε = %{{customdata:.3g}}<extra></extra>",
        "colorbar": {
            **flat_bar("ε of the change"),
            "tickvals": ticks,
            "ticktext": [f"{10.0**power:g}" for power in ticks],
        },
    }


def _changes(result: Protect) -> Trace:
    tau, q = np.array(result.changes).T
    edge = {"width": 1.5, "color": "#FFFFFF"}
    look: dict[str, Any] = {"symbol": "star", "size": 17, "color": colour("metric"), "line": edge}
    hover = "%{hovertext}: ε = %{customdata:.3g}"
    return marks(q * result.largest, tau, "protected", hover=hover, mode="markers+text", **look) | {
        "text": [f"<b>ε = {epsilon_text(cost)}</b>" for cost in result.costs],
        "textposition": ["middle left" if far > 0.005 else "middle right" for far in q],
        "textfont": {"color": "#FFFFFF", "size": 13, "shadow": "0 0 3px #000000, 0 0 3px #000000"},
        "hovertext": result.words,
        "customdata": result.costs,
        "showlegend": False,
        "cliponaxis": False,
    }
