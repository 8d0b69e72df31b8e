"""Densities in the plane on one colour scale, and how one output differs from the input."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.mixture import Plane
from dpot_core.figures.mixture.words import LOOKS, number
from dpot_core.figures.panels import axes, panels
from dpot_core.figures.style import DIVERGING, SEQUENTIAL, TITLE_HEIGHT, at_most, new_figure


def plane_figure(result: Plane) -> go.Figure:
    """Heat maps of the input and of every output, the same scale; lines where KPM is clipped."""
    names = list(result.densities)
    shown = [result.p, *(result.densities[name] for name in names)]
    titles = ["Input P", *(_label(result, name) for name in names)]
    data: list[dict[str, Any]] = []
    for panel, values in enumerate(shown):
        data.append(_heat(result, values, titles[panel]) | {"coloraxis": "coloraxis"} | axes(panel))
        if panel > 0 and names[panel - 1] == "kpm":
            data.append(_clips(result) | axes(panel))
    rows = (len(titles) + 1) // 2
    layout = _square(panels(titles, 2, x=_axis("x"), y=_axis("y"), share_y=False, gap=(0.04, 0.1)), len(titles))
    own = result.numbers["kpm"].divergences["kl"]
    return new_figure(
        f"At ε = {result.config.epsilon:g} KPM costs this input a KL of {number(own)}; "
        f"for no member of the family does it cost more than {at_most(result.worst['kl'])}",
        225 * rows + TITLE_HEIGHT + 90,
        data,
        coloraxis={
            "colorscale": SEQUENTIAL,
            "cmin": 0.0,
            "cmax": max(float(values.max()) for values in shown),
            # Under the maps: beside them it would take a third of a phone's width.
            "colorbar": {
                "title": {"text": "density"},
                "thickness": 10,
                "orientation": "h",
                "y": -0.14,
                "yanchor": "top",
            },
        },
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def difference_figure(result: Plane, name: str) -> go.Figure:
    """Output minus input on a scale centred at 0."""
    difference = result.densities[name] - result.p
    most = float(np.abs(difference).max()) or 1.0
    heat = _heat(result, difference, "difference") | {
        "colorscale": DIVERGING,
        "reversescale": True,
        "zmin": -most,
        "zmax": most,
        "colorbar": {"title": {"text": "density"}, "thickness": 10},
    }
    tv = result.numbers[name].divergences["tv"]
    return new_figure(
        f"{LOOKS[name][0]} moves {100 * tv:.3g} % of the mass: from blue to red",
        400,
        [heat],
        xaxis={"title": {"text": "x"}, "showgrid": False},
        yaxis={"title": {"text": "y"}, "showgrid": False, "scaleanchor": "x", "constrain": "domain"},
    )


def _label(result: Plane, name: str) -> str:
    label = LOOKS[name][0]
    return f"{label}, {result.config.cells} × {result.config.cells} cells" if name == "wpm" else label


def _heat(result: Plane, values: Any, label: str) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "x": result.axis,
        "y": result.axis,
        # Six digits: what nobody can see need not travel to the browser.
        "z": np.round(values, 6),
        "name": label,
        "hovertemplate": "(%{x:.2f}, %{y:.2f}): %{z:.4g}<extra>%{fullData.name}</extra>",
    }


def _clips(result: Plane) -> dict[str, Any]:
    """Borders of where KPM clips."""
    return {
        "type": "contour",
        "x": result.axis,
        "y": result.axis,
        "z": result.clipped,
        "contours": {"start": -0.5, "end": 0.5, "size": 1.0, "coloring": "none"},
        "line": {"color": "#FFFFFF", "width": 1.5, "dash": "dot"},
        "showscale": False,
        "hoverinfo": "skip",
    }


def _axis(title: str) -> dict[str, Any]:
    return {"title_text": title, "showgrid": False, "zeroline": False, "nticks": 7}


def _square(layout: dict[str, Any], count: int) -> dict[str, Any]:
    """The same length on both axes of every panel."""
    for panel in range(count):
        names = axes(panel)
        key = "yaxis" + names["yaxis"][1:]
        layout[key] |= {"scaleanchor": names["xaxis"], "constrain": "domain", "constraintoward": "top"}
        layout[key]["showticklabels"] = panel % 2 == 0
        layout["xaxis" + names["xaxis"][1:]] |= {"constrain": "domain"}
    return layout
