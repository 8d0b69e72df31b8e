"""The base measure in use, the best possible one, and the certificate."""

from __future__ import annotations

import plotly.graph_objects as go

from dpot_core.experiments.ring import BaseReport
from dpot_core.figures.panels import guide
from dpot_core.figures.ring.words import bar_width, order, steps
from dpot_core.figures.style import colour, new_figure


def base_figure(report: BaseReport, dark: bool = False) -> go.Figure:
    """Bars: the base measure in use; line: the minimax one."""
    worst, best = report.worst["yours"], report.worst["minimax"]
    if worst <= best * (1 + 1e-5):
        tail = "no base measure does better"
    else:
        tail = f"the best possible is {steps(best)}, {100 * (1 - best / worst):.2g} % less"
    bars = {
        "type": "bar",
        "x": report.targets,
        "y": report.base,
        "name": "in use",
        "marker": {"color": colour("wpm", dark)},
        "width": bar_width(report.ring.every),
        "hovertemplate": "point %{x}: %{y:.4g}<extra>in use</extra>",
    }
    line = {
        "type": "scatter",
        "x": report.targets,
        "y": report.minimax,
        "name": "minimax",
        "mode": "lines+markers",
        "line": {"shape": "hvh", "color": colour("kpm", dark), "width": 1.5},
        "marker": {"size": 5, "symbol": "diamond"},
        "hovertemplate": "point %{x}: %{y:.4g}<extra>minimax</extra>",
    }
    return new_figure(
        f"Worst-case {order(report.ring.p)} with this base measure: {steps(worst)}; {tail}",
        360,
        [bars, line],
        xaxis={"title": {"text": "output point"}, "range": [-0.7, report.ring.k - 0.3], "showgrid": False},
        yaxis={"title": {"text": "base measure"}, "rangemode": "tozero"},
        shapes=[guide(0, x=report.worst_input)],
    )
