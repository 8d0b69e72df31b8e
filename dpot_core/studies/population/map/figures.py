"""The map: people as cells on the outline of the states, atoms of a barycenter, and lines from where they were."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.population import BARYCENTERS, Ground, MapResult
from dpot_core.figures.population.words import far
from dpot_core.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, colour, new_figure, simulated

#: Grey that grows with the logarithm of the number of people; see-through, for both themes.
CELLS = [[0.0, "rgba(127,127,127,0.10)"], [1.0, "rgba(127,127,127,0.85)"]]


def release_map(result: MapResult, mechanism: str, dark: bool = False, height: int = 370) -> go.Figure:
    """One private barycenter beside the non-private one.

    Args:
        result: what to draw; with several draws the later ones become small marks.
        mechanism: a key of `MECHANISMS`.
        dark: whether the ground is dark.
        height: pixels, with title.
    """
    draws = result.draws[mechanism]
    shown, ground, hue = draws[0], result.ground, colour(mechanism, dark)
    truth = result.reference.atoms
    lines = np.full((3 * len(truth), 2), np.nan)
    lines[0::3], lines[1::3] = truth, shown.matched
    data = [*ground_traces(ground)]
    if len(draws) > 1:
        others = np.concatenate([draw.atoms for draw in draws[1:]])
        look = {"symbol": MARKERS[mechanism], "size": 7, "color": hue, "opacity": 0.6}
        data.append(_points(others, f"{len(draws) - 1} other possible releases", look, "%{x:.2f}, %{y:.2f}"))
    data += [
        {**_line(lines, hue, 1.5), "name": "moved by", "showlegend": False},
        atoms_trace(truth, "non-private", dark),
        atoms_trace(shown.matched, mechanism, dark),
    ]
    text = f"{BARYCENTERS[mechanism]}: {far(shown.distance, shown.distance_km, ground.geographic)} from the truth"
    if len(draws) > 1:
        mean = float(np.mean([draw.distance for draw in draws]))
        km = None if shown.distance_km is None else float(np.mean([draw.distance_km for draw in draws]))
        text = f"{BARYCENTERS[mechanism]}: {len(draws)} releases, on average {far(mean, km, ground.geographic)} off"
    return new_figure(
        text + simulated(ground.simulated),
        height,
        data,
        **map_axes(ground, [truth, shown.matched]),
        margin={"t": TITLE_HEIGHT + 4, "l": 8, "r": 8, "b": 56},
    )


def atoms_trace(atoms: Array, name: str, dark: bool) -> dict[str, Any]:
    """The atoms of a barycenter, (m, 2)."""
    if name == "non-private":
        look = {"symbol": "circle-open", "size": 10, "color": colour("input", dark), "line": {"width": 2}}
    else:
        look = {"symbol": MARKERS[name], "size": 10, "color": colour(name, dark)}
    return _points(atoms, BARYCENTERS[name], look, "atom %{pointNumber}: %{x:.2f}, %{y:.2f}")


def ground_traces(ground: Ground) -> list[dict[str, Any]]:
    """People as cells and the outlines."""
    with np.errstate(divide="ignore"):
        logs = np.where(ground.people > 0, np.log10(ground.people), np.nan)
    heat = {
        "type": "heatmap",
        "x": ground.x,
        "y": ground.y,
        "z": logs,
        "customdata": ground.people,
        "colorscale": CELLS,
        "showscale": False,
        "hoverongaps": False,
        "hovertemplate": "%{customdata:,.0f} of the people drawn<extra></extra>",
    }
    gap = np.full((1, 2), np.nan)
    outline = np.concatenate([part for _, ring in ground.lines for part in (ring, gap)])
    return [heat, {**_line(outline, GUIDE, 0.7), "showlegend": False}]


def map_axes(ground: Ground, points: list[Array]) -> dict[str, Any]:
    """Axes on which a kilometre is as long to the east as to the north, around the region and all points."""
    west, south, east, north = ground.bounds
    both = np.concatenate([*points, np.array([[west, south]])])
    x = [min(west, float(both[:, 0].min())), max(east, float(both[:, 0].max()))]
    y = [min(south, float(both[:, 1].min())), max(north, float(both[:, 1].max()))]
    ratio = 1.0 / math.cos(math.radians((south + north) / 2)) if ground.geographic else 1.0
    names = ("degrees east", "degrees north") if ground.geographic else ("x", "y")
    plain = {"showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 7}
    across, up = ([low - 0.02 * (high - low), high + 0.02 * (high - low)] for low, high in (x, y))
    return {
        "xaxis": {"title": {"text": names[0]}, "range": across, **plain},
        "yaxis": {
            "title": {"text": names[1]},
            "range": up,
            "scaleanchor": "x",
            "scaleratio": ratio,
            "constraintoward": "top",
            **plain,
        },
    }


def _points(points: Array, name: str, marker: dict[str, Any], hover: str) -> dict[str, Any]:
    place = {"type": "scatter", "mode": "markers", "x": points[:, 0], "y": points[:, 1]}
    return {**place, "name": name, "marker": marker, "hovertemplate": hover + "<extra>%{fullData.name}</extra>"}


def _line(points: Array, hue: str, width: float) -> dict[str, Any]:
    place = {"type": "scatter", "mode": "lines", "x": points[:, 0], "y": points[:, 1]}
    return {**place, "line": {"color": hue, "width": width}, "hoverinfo": "skip"}
