"""A ring seen from above: where a release lands when the truth is one point, for two mechanisms side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.ring import Result
from dpot_core.figures.ring.words import steps
from dpot_core.figures.style import GUIDE, TITLE_HEIGHT, colour, new_figure, plain, see_through
from dpot_core.mechanisms import MECHANISMS

#: Room in the middle of the ring, as a share of its radius.
_HOLE = 0.45


def miniature_figure(result: Result, dark: bool = False) -> go.Figure:
    """One dial for each mechanism of a result whose input is one point: bars outwards are probabilities.

    Args:
        result: of `dpot_core.experiments.ring.run` with a point mass as input and p = 1.
        dark: whether the ground is dark.
    """
    names = list(result.outputs)
    top = 1.05 * max(float(nu.max()) for nu in result.outputs.values())
    turn = 360.0 / len(result.mu)
    truth = int(np.argmax(result.mu))
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": []}
    for place, name in enumerate(names):
        dial = "polar" if place == 0 else f"polar{place + 1}"
        left, right = place / len(names), (place + 1) / len(names)
        data.append(
            {
                "type": "barpolar",
                "subplot": dial,
                "r": result.outputs[name],
                "theta": turn * result.targets,
                "width": 0.85 * turn,
                "marker": {"color": colour(name, dark)},
                "name": MECHANISMS[name].label,
                "customdata": result.targets,
                "hovertemplate": "point %{customdata}: %{r:.3g}<extra>%{fullData.name}</extra>",
            }
        )
        # A short spoke inside the ring, at the truth.
        data.append(
            {
                "type": "scatterpolar",
                "subplot": dial,
                "r": [-0.32 * top],
                "theta": [turn * truth],
                "mode": "markers",
                "marker": {"symbol": "diamond", "size": 10, "color": colour("input", dark)},
                "cliponaxis": False,
                "hovertemplate": "the truth<extra></extra>",
                "name": "the truth",
            }
        )
        layout[dial] = {
            "domain": {"x": [left + 0.01, right - 0.01], "y": [0.0, 1.0]},
            "bgcolor": "rgba(0,0,0,0)",
            "radialaxis": {"range": [-_HOLE / (1 - _HOLE) * top, top], "visible": False},
            "angularaxis": {
                "direction": "clockwise",
                "rotation": 90,
                "showticklabels": False,
                "ticks": "",
                "showgrid": False,
                "linecolor": see_through(GUIDE, 0.4),
            },
        }
        layout["annotations"].append(_name(MECHANISMS[name].label, (left + right) / 2))
    return new_figure(
        _title(result), 300 + TITLE_HEIGHT, data, showlegend=False, margin={"t": TITLE_HEIGHT + 4}, **layout
    )


def _name(label: str, x: float) -> dict[str, Any]:
    """The mechanism's name in the middle of its dial."""
    where = {"x": x, "y": 0.5, "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "middle"}
    return {"text": f"<b>{plain(label)}</b>", **where, "showarrow": False, "font": {"size": 14}}


def _title(result: Result) -> str:
    """Which mechanism stays nearer, in words."""
    ranked = sorted(result.distances, key=lambda name: result.distances[name])
    near, far = ranked[0], ranked[-1]
    return (
        f"At ε = {result.config.epsilon:g} {MECHANISMS[near].label} reports a place "
        f"{steps(result.distances[near])} from the truth on average, {MECHANISMS[far].label} "
        f"{steps(result.distances[far])}"
    )
