"""Utility against epsilon, the target across it, and where each mechanism reaches it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.needs import Answer, Found
from dpot_core.figures.panels import axes, guide, panels
from dpot_core.figures.style import EPSILON_TICKS, EPSILON_TITLE, MARKERS, TITLE_HEIGHT, colour, new_figure

SIDES = {"worst": "Worst case", "data": "Data at hand"}
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def needs_figure(answer: Answer, dark: bool = False) -> go.Figure:
    """One panel for each side: every evaluation, the target as a line, a star where it is first reached.

    Args:
        answer: of `dpot_core.experiments.needs.run`.
        dark: whether the ground is dark.
    """
    sides = list(answer.sides)
    data: list[dict[str, Any]] = []
    named: set[str] = set()
    for panel, side in enumerate(sides):
        for place, trace in enumerate(_traces(answer, answer.sides[side], panel, dark)):
            trace["showlegend"] = place % 2 == 0 and trace["name"] not in named
            named.add(trace["name"])
            data.append(trace)
    # Short, because two panels share the width of a telephone.
    titles = ["Simulated data" if answer.sides[side].side.simulated else SIDES[side] for side in sides]
    # Below the usual values the usual ticks would leave an axis without numbers.
    ticks = EPSILON_TICKS if _least(answer) >= 0.05 else {"type": "log", "dtick": 1}
    layout = panels(
        titles,
        len(sides),
        x={**ticks, "title_text": EPSILON_TITLE, "range": [math.log10(0.9 * _least(answer)), math.log10(22)]},
        y={"rangemode": "tozero", "nticks": 6, "title_text": answer.need.unit},
        share_y=False,
        gap=(0.13, 0.1),
    )
    return new_figure(
        title(answer),
        430,
        data,
        shapes=[guide(panel, y=answer.config.target, dash="dash") for panel in range(len(sides))],
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def _least(answer: Answer) -> float:
    """The smallest epsilon that is worth a place on the axis: 0.1, or an answer below it."""
    found = [search.found for side in answer.sides.values() for search in side.searches.values()]
    return min([0.1, *(0.7 * epsilon for epsilon in found if epsilon is not None)])


def title(answer: Answer) -> str:
    """What the answer is, in words.

    Args:
        answer: of `dpot_core.experiments.needs.run`.
    """
    parts = []
    for side, found in answer.sides.items():
        where = {"worst": "in the worst case", "data": "for the data at hand"}[side]
        if found.best is None:
            parts.append(f"not reached {where}")
        else:
            name, epsilon = found.best
            relation = "=" if found.searches[name].low is not None else "≤"
            back = ", missed again at some larger ε" if found.searches[name].steady != epsilon else ""
            parts.append(f"ε {relation} {epsilon_text(epsilon)} {where} ({found.side.labels[name]}{back})")
    need = answer.need
    relation = "at least" if need.at_least else "at most"
    return f"{relation.capitalize()} {need.write(answer.config.target)}: {', '.join(parts)}"


def epsilon_text(epsilon: float) -> str:
    """An epsilon that reaches a target, rounded up so that it still does.

    >>> epsilon_text(7.41889977), epsilon_text(4.0), epsilon_text(0.01)
    ('7.419', '4', '0.01')

    Args:
        epsilon: nats.
    """
    return f"{math.ceil(round(epsilon * 1000, 6)) / 1000:g}"


def _traces(answer: Answer, found: Found, panel: int, dark: bool) -> list[dict[str, Any]]:
    traces: list[dict[str, Any]] = []
    for place, (name, search) in enumerate(found.searches.items()):
        thing = found.side.colours[name]
        points = np.array(search.points)
        there = points[:, 0] >= 0.9 * _least(answer)
        shown = points[there] if there.any() else points
        look = {"color": colour(thing, dark), "symbol": MARKERS[thing], "size": 5}
        # Both sides of a mechanism have one name in the legend.
        label = found.side.labels[name]
        traces.append(
            {
                "type": "scatter",
                "x": shown[:, 0],
                "y": shown[:, 1],
                "mode": "lines" if search.method == "bisection" else "lines+markers",
                "name": label,
                "legendgroup": label,
                "line": {"color": colour(thing, dark), "width": 2.2, "dash": _DASHES[place % len(_DASHES)]},
                "marker": look,
                "hovertemplate": "ε = %{x:.4g}: %{y:.4g}<extra>%{fullData.name}</extra>",
                **axes(panel),
            }
        )
        star = [search.high] if search.high is not None else []
        traces.append(
            {
                "type": "scatter",
                "x": [epsilon for epsilon, _ in star],
                "y": [value for _, value in star],
                "mode": "markers",
                "name": f"{label}: first reached",
                "legendgroup": label,
                "marker": {**look, "size": 14, "symbol": "star", "line": {"width": 1, "color": "white"}},
                "hovertemplate": "reached at ε = %{x:.4f}: %{y:.4g}<extra>" + label + "</extra>",
                **axes(panel),
            }
        )
    return traces
