"""The base measure in use, the best possible one, and the certificate."""

from __future__ import annotations

import plotly.graph_objects as go

from dpot_core.experiments.ring import BaseReport
from dpot_core.figures.ring.words import order, steps
from dpot_core.figures.style import GUIDE, colour, new_figure


def base_figure(report: BaseReport, dark: bool = False) -> go.Figure:
    """Bars: the base measure in use; line: the minimax one."""
    worst, best = report.worst["yours"], report.worst["minimax"]
    if worst <= best * (1 + 1e-5):
        tail = "no base measure does better"
    else:
        tail = f"the best possible is {steps(best)}, {100 * (worst / best - 1):.2g} % less"
    figure = new_figure(f"Worst-case {order(report.ring.p)} with this base measure: {steps(worst)}; {tail}", 340)
    figure.add_bar(
        x=report.targets,
        y=report.base,
        name="in use",
        marker_color=colour("wpm", dark),
        width=0.72 * report.ring.every,
        hovertemplate="point %{x}: %{y:.4g}<extra>in use</extra>",
    )
    figure.add_scatter(
        x=report.targets,
        y=report.minimax,
        name="minimax",
        mode="lines+markers",
        line={"shape": "hvh", "color": colour("kpm", dark), "width": 1.5},
        marker={"size": 5, "symbol": "diamond"},
        hovertemplate="point %{x}: %{y:.4g}<extra>minimax</extra>",
    )
    figure.add_vline(x=report.worst_input, line={"color": GUIDE, "dash": "dot", "width": 1.5})
    figure.update_xaxes(title_text="output point", range=[-0.7, report.ring.k - 0.3])
    figure.update_yaxes(title_text="base measure", rangemode="tozero")
    figure.update_layout(margin={"t": 90})
    return figure
