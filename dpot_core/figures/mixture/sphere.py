"""The cap mechanism on the sphere: density against angle, pictures of S^1 and S^2, and curves against epsilon."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from dpot_core.experiments.mixture import Sphere
from dpot_core.figures.panels import axes, guide, panels
from dpot_core.figures.style import EPSILON_TICKS, EPSILON_TITLE, GUIDE, TITLE_HEIGHT, colour, new_figure, see_through

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def caps_figure(sphere: Sphere, dark: bool = False) -> go.Figure:
    """Left: density with respect to the uniform distribution. Right: density of the angle itself."""
    config = sphere.config
    data: list[dict[str, Any]] = []
    for panel, column in enumerate(("density", "per degree")):
        for place, p in enumerate(config.orders):
            rows = sphere.profile[sphere.profile["p"] == p]
            look = _look(p, place, len(config.orders), dark)
            data.append(_curve(rows["angle"], rows[column], look, panel, "angle %{x:.4g}°"))
    first = next(iter(sphere.best.values()), None)
    title = "Choose an order p"
    if first is not None:
        title = (
            f"At ε = {config.epsilon:g} the best release for p = {first.p:g} stays within "
            f"{np.degrees(first.angle):.3g}° in {100 * first.cap_mass:.3g} % of cases; "
            f"worst-case distance {first.value:.3g}"
        )
    layout = panels(
        ["Density (uniform: 1)", "Outputs per degree"],
        2,
        x={"title_text": "angle to the input (°)", "tickvals": [0, 45, 90, 135, 180]},
        y={"rangemode": "tozero", "nticks": 6},
        share_y=False,
        gap=(0.1, 0.0),
    )
    edge = float(np.degrees(sphere.privunit.angle))
    return new_figure(
        title, 430, data, shapes=[guide(0, x=edge), guide(1, x=edge)], margin={"t": TITLE_HEIGHT + 28}, **layout
    )


def against_epsilon_figure(sphere: Sphere, dark: bool = False) -> go.Figure:
    """a* and the worst case against epsilon, for every order."""
    config = sphere.config
    data = []
    for panel, column in enumerate(("scale", "worst case")):
        for place, p in enumerate(config.orders):
            rows = sphere.curves[sphere.curves["p"] == p]
            look = _look(p, place, len(config.orders), dark)
            data.append(_curve(rows["epsilon"], rows[column], look, panel, "ε = %{x:.3g}"))
    title = "Choose an order p"
    if sphere.best:
        low, high = min(sphere.best), max(sphere.best)
        one, other = sphere.best[low], sphere.best[high]
        title = f"The mass of the best base measure is {one.scale:.3g} for p = {low:g}"
        if high > low:
            title += f" and falls to {other.scale:.3g} for p = {high:g}"
    return new_figure(
        title,
        400,
        data,
        shapes=[guide(panel, x=config.epsilon) for panel in (0, 1)],
        margin={"t": TITLE_HEIGHT + 28},
        **panels(
            ["Mass a*", "Worst-case distance"],
            2,
            x={**EPSILON_TICKS, "tickangle": 0, "title_text": EPSILON_TITLE},
            y={"nticks": 6},
            share_y=False,
            gap=(0.1, 0.0),
        ),
    )


def picture_figure(sphere: Sphere, dark: bool = False) -> go.Figure:
    """The circle or the sphere with the cap of the first order and draws; only for d = 1 and d = 2."""
    first = next(iter(sphere.best.values()))
    title = f"{sphere.config.draws} releases for one input, p = {first.p:g}; the cap is in colour"
    if sphere.config.d == 1:
        return new_figure(title, 430, _circle(sphere, dark), **_plain_axes())
    scene: dict[str, Any] = {axis: {"visible": False} for axis in ("xaxis", "yaxis", "zaxis")}
    scene |= {"aspectmode": "data", "camera": {"eye": {"x": 1.15, "y": 1.15, "z": 0.95}}}
    return new_figure(title, 430, _ball(sphere, dark), scene=scene, margin={"l": 0, "r": 0, "t": TITLE_HEIGHT, "b": 0})


def _look(p: float, place: int, count: int, dark: bool) -> dict[str, Any]:
    """Name, shade and dash of an order; lighter shades on a dark ground."""
    start = 0.35 if dark else 0.15
    shade = sample_colorscale("Viridis", [start + 0.6 * place / max(count - 1, 1)])[0]
    return {"name": f"p = {p:g}", "line": {"color": shade, "dash": _DASHES[place % len(_DASHES)], "width": 2.5}}


def _curve(x: Any, y: Any, look: dict[str, Any], panel: int, where: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x.to_numpy(),
        "y": y.to_numpy(),
        "mode": "lines",
        "showlegend": panel == 0,
        **look,
        "hovertemplate": where + ": %{y:.4g}<extra>%{fullData.name}</extra>",
        **axes(panel),
    }


def _circle(sphere: Sphere, dark: bool) -> list[dict[str, Any]]:
    first = next(iter(sphere.best.values()))
    whole, cap = np.linspace(0, 2 * np.pi, 361), np.linspace(-first.angle, first.angle, 181)
    line = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    # Each a little farther out than the one before, so that places on top of each other can be told apart.
    points = sphere.outputs * np.linspace(1.02, 1.14, len(sphere.outputs))[:, None]
    return [
        {**line, "x": np.cos(whole), "y": np.sin(whole), "name": "circle", "line": {"color": GUIDE, "width": 2}},
        {**line, "x": np.cos(cap), "y": np.sin(cap), "name": "cap", "line": {"color": colour("wpm", dark), "width": 6}},
        {
            "type": "scatter",
            "mode": "markers",
            "x": points[:, 0],
            "y": points[:, 1],
            "name": "releases (spread outwards)",
            "marker": {"color": see_through(colour("wpm", dark), 0.5), "size": 5},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": sphere.x[:1],
            "y": sphere.x[1:],
            "name": "input",
            "marker": {"color": colour("input", dark), "symbol": "square", "size": 12},
            "hoverinfo": "skip",
        },
    ]


def _plain_axes() -> dict[str, Any]:
    axis = {"visible": False, "range": [-1.2, 1.2]}
    return {"xaxis": axis, "yaxis": {**axis, "scaleanchor": "x"}}


def _ball(sphere: Sphere, dark: bool) -> list[dict[str, Any]]:
    first = next(iter(sphere.best.values()))
    # The cap's edge stands twice, a hair apart, so that colours do not run into each other.
    polar = np.sort(np.concatenate([np.linspace(0.0, np.pi, 46), [first.angle, first.angle + 1e-4]]))
    around = np.linspace(0, 2 * np.pi, 73)
    theta, phi = np.meshgrid(polar, around, indexing="ij")
    points = 1.03 * sphere.outputs
    return [
        {
            "type": "surface",
            "x": np.sin(theta) * np.cos(phi),
            "y": np.sin(theta) * np.sin(phi),
            "z": np.cos(theta),
            "surfacecolor": (theta <= first.angle + 1e-9).astype(float),
            "colorscale": [[0, "#BBBBBB"], [1, colour("wpm", dark)]],
            "showscale": False,
            "hoverinfo": "skip",
            "lighting": {"ambient": 0.75, "diffuse": 0.4, "specular": 0.05},
        },
        {
            "type": "scatter3d",
            "mode": "markers",
            "x": points[:, 0],
            "y": points[:, 1],
            "z": points[:, 2],
            "name": "releases",
            "marker": {"color": colour("kpm", dark), "size": 3},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter3d",
            "mode": "markers",
            "x": 1.05 * sphere.x[:1],
            "y": 1.05 * sphere.x[1:2],
            "z": 1.05 * sphere.x[2:],
            "name": "input",
            "marker": {"color": colour("input", dark), "symbol": "square", "size": 6},
            "hoverinfo": "skip",
        },
    ]
