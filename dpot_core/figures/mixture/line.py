"""The input on the line, the outputs, the band that privacy allows, and draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.mixture import DOMAIN, Result
from dpot_core.figures.mixture.words import LOOKS, number
from dpot_core.figures.style import GUIDE, at_most, colour, new_figure, see_through


def line_figure(result: Result, worst: float, dark: bool = False) -> go.Figure:
    """Densities over the band of KPM; shaded columns where KPM is clipped; bars for draws.

    Args:
        result: from `run_line`.
        worst: the family's worst case R in KL.
        dark: whether the ground is dark.
    """
    data: list[dict[str, Any]] = []
    centres, heights = result.histogram
    if len(centres):
        bars = {"color": see_through(colour("kpm", dark), 0.3)}
        name = f"{result.config.draws:,} draws from KPM"
        data.append({"type": "bar", "x": centres, "y": heights, "name": name, "marker": bars, "hoverinfo": "skip"})
    data.append(_band(result))
    data.append(_curve(result, result.p, "input P", colour("input", dark), "solid", 2))
    for key, density in result.densities.items():
        label, thing, dash = LOOKS[key]
        name = f"{label} on {result.config.cells} cells" if key == "wpm" else label
        data.append(_curve(result, density, name, colour(thing, dark), dash, 2.5))
    top = max(float(result.p.max()), *(float(density.max()) for density in result.densities.values()), 0.0)
    shapes = [_column(ends, GUIDE) for ends in result.raised]
    shapes += [_column(ends, colour("kpm", dark)) for ends in result.cut]
    return new_figure(
        _title(result, worst),
        470,
        data,
        bargap=0.0,
        shapes=shapes,
        xaxis={"title": {"text": "x"}, "range": list(DOMAIN)},
        yaxis={"title": {"text": "density"}, "range": [0.0, 1.12 * top]},
    )


def _band(result: Result) -> dict[str, Any]:
    lower, upper = result.band
    return {
        "type": "scatter",
        "x": np.concatenate([result.x, result.x[::-1]]),
        "y": np.concatenate([upper, lower[::-1]]),
        "mode": "lines",
        "line": {"width": 1, "color": GUIDE, "dash": "dot"},
        "fill": "toself",
        "fillcolor": see_through(GUIDE, 0.16),
        "name": "allowed for KPM: b h to b e^ε′ h",
        "hoverinfo": "skip",
    }


def _curve(result: Result, density: Any, name: str, line: str, dash: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": result.x,
        "y": density,
        "mode": "lines",
        "name": name,
        "line": {"color": line, "dash": dash, "width": width},
        "hovertemplate": "x = %{x:.2f}: %{y:.4g}<extra>%{fullData.name}</extra>",
    }


def _column(ends: tuple[float, float], fill: str) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": ends[0],
        "x1": ends[1],
        "yref": "y domain",
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": see_through(fill, 0.09),
    }


def _title(result: Result, worst: float) -> str:
    epsilon = f"At ε = {result.config.epsilon:g}"
    if result.trivial:
        return f"{epsilon} the input itself may be drawn from: nothing has to be hidden"
    own = result.numbers["kpm"].divergences["kl"]
    text = f"{epsilon} KPM costs this input a KL of {number(own)}"
    others = [(entry.divergences["kl"], name) for name, entry in result.numbers.items() if name != "kpm"]
    if others:
        value, name = max(others)
        text += f", {LOOKS[name][0]} {number(value)}"
    return text + f"; for no member of the family does KPM cost more than {at_most(worst)}"
