"""The input on the line, the outputs, the band that privacy allows, and draws; worst cases of the family."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.divergences import DIVERGENCES
from dpot_core.figures.panels import guide, panels
from dpot_core.figures.style import (
    EPSILON_TICKS,
    EPSILON_TITLE,
    GUIDE,
    MARKERS,
    TITLE_HEIGHT,
    at_most,
    colour,
    new_figure,
    see_through,
)
from dpot_core.figures.traces import Trace, bars, line, marks
from dpot_core.studies.mixture.line.results import Result
from dpot_core.studies.mixture.looks import LOOKS, number
from dpot_core.studies.mixture.settings import DOMAIN
from dpot_core.studies.mixture.worst_case import WorstCases, WorstNow


def line_figure(result: Result, worst: WorstNow) -> go.Figure:
    """Densities over the band of KPM; shaded columns where KPM is clipped; bars for draws."""
    data: list[Trace] = []
    centres, heights = result.histogram
    if len(centres):
        name = f"{result.config.draws:,} draws from KPM"
        data.append(bars(centres, heights, name, colour=see_through(colour("kpm"), 0.3)))
    lower, upper = result.band
    around, ends = np.concatenate([result.x, result.x[::-1]]), np.concatenate([upper, lower[::-1]])
    band = {"colour": GUIDE, "dash": "dot", "width": 1, "fill": "toself", "fillcolor": see_through(GUIDE, 0.16)}
    data.append(line(around, ends, "allowed for KPM: b h to b e^ε′ h", **band))
    hover = "x = %{x:.2f}: %{y:.4g}"
    data.append(line(result.x, result.p, "input P", colour=colour("input"), hover=hover))
    for key, density in result.densities.items():
        label, thing, dash = LOOKS[key]
        name = f"{label} on {result.config.cells} cells" if key == "wpm" else label
        data.append(line(result.x, density, name, colour=colour(thing), dash=dash, width=2.5, hover=hover))
    top = max(float(values.max()) for values in (result.p, *result.densities.values()))
    shapes = [_column(ends, GUIDE) for ends in result.raised] + [_column(ends, colour("kpm")) for ends in result.cut]
    return new_figure(
        _title(result, worst.divergences["kl"]),
        470,
        data,
        bargap=0.0,
        shapes=shapes,
        xaxis={"title": {"text": "x"}, "range": list(DOMAIN)},
        yaxis={"title": {"text": "density"}, "range": [0.0, 1.12 * top]},
    )


def _column(ends: tuple[float, float], fill: str) -> dict[str, Any]:
    place = {"type": "rect", "x0": ends[0], "x1": ends[1], "yref": "y domain", "y0": 0, "y1": 1, "layer": "below"}
    return place | {"line": {"width": 0}, "fillcolor": see_through(fill, 0.09)}


def _title(result: Result, worst: float) -> str:
    epsilon = f"At ε = {result.config.epsilon:g}"
    if result.trivial:
        return f"{epsilon} the input itself may be drawn from: nothing has to be hidden"
    own = result.numbers["kpm"].divergences["kl"]
    text = f"{epsilon} KPM costs this input a KL of {number(own)}"
    others = [(entry.divergences["kl"], name) for name, entry in result.numbers.items() if name != "kpm"]
    if others:
        value, name = max(others)
        text += f", {LOOKS[name].label} {number(value)}"
    return text + f"; for no member of the family does KPM cost more than {at_most(worst)}"


def bound_line(worst: WorstCases, divergence: str, panel: int) -> Trace:
    """R against epsilon; named in the first panel's legend."""
    name, hover = "R: worst case of KPM over the whole family", "ε = %{x:.3g}: %{y:.4g}<extra>R</extra>"
    curve = line(worst.epsilon, worst.divergences[divergence], name, colour=colour("kpm"), panel=panel)
    del curve["hoverinfo"]
    return curve | {"hovertemplate": hover, "showlegend": panel == 0}


def worst_case_figure(result: Result, worst: WorstCases, now: WorstNow) -> go.Figure:
    """R for each divergence against epsilon, with the current input's divergences as points."""
    data: list[Trace] = []
    for panel, name in enumerate(DIVERGENCES):
        data.append(bound_line(worst, name, panel))
        for key, entry in result.numbers.items():
            label, thing, _ = LOOKS[key]
            look: dict[str, Any] = {"color": colour(thing), "symbol": MARKERS[thing], "size": 10}
            point = marks(
                [now.epsilon],
                [entry.divergences[name]],
                f"{label}, this input",
                hover="ε = %{x:.3g}: %{y:.4g}",
                panel=panel,
                **look,
            )
            data.append(point | {"showlegend": panel == 0, "legendgroup": key})
    reached = f"a KL of {at_most(now.divergences['kl'])} at ε = {now.epsilon:g}; KPM reaches it"
    return new_figure(
        f"No ε-LDP mechanism has a worst case below R: {reached}",
        560,
        data,
        shapes=[guide(panel, x=now.epsilon) for panel in range(len(DIVERGENCES))],
        margin={"t": TITLE_HEIGHT + 28},
        **panels(
            [row.axis for row in DIVERGENCES.values()],
            2,
            x={**EPSILON_TICKS, "title_text": EPSILON_TITLE},
            y={"rangemode": "tozero", "nticks": 5},
            share_y=False,
            gap=(0.1, 0.12),
        ),
    )
