"""Worst cases against epsilon."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpot_core.experiments.ring import WorstCases
from dpot_core.figures.ring.words import order, steps
from dpot_core.figures.style import COLOURS, TEMPLATE, colour, mark_value, new_figure, plain

_LINES = {
    "wpm": ("WPM, best uniform base", "wpm", "solid"),
    "wpm-uniform": ("WPM, uniform base of mass 1", "wpm", "dot"),
    "kpm": ("KPM*", "kpm", "dash"),
    "em": ("EM*", "em", "dashdot"),
    "krr": ("k-RR", "krr", "longdash"),
}
_DIVERGENCES = {"kl": "KL (nats)", "tv": "Total variation", "hellinger": "Squared Hellinger", "chi2": "χ²"}


def worst_case_figure(worst: WorstCases, epsilon: float, current: float | None = None, dark: bool = False) -> go.Figure:
    """W_p in the worst case against epsilon.

    Args:
        worst: the curves.
        epsilon: current value, marked.
        current: worst case of WPM with the base measure in use, drawn as a point.
        dark: whether the ground is dark.
    """
    ring = worst.ring
    value = float(np.interp(np.log(epsilon), np.log(worst.epsilon), worst.wasserstein["wpm"]))
    other = float(np.interp(np.log(epsilon), np.log(worst.epsilon), worst.wasserstein["krr"]))
    figure = new_figure(
        f"Whatever the input, WPM moves it by {order(ring.p)} ≤ {steps(value)} at ε = {epsilon:g}, "
        f"randomized response by up to {steps(other)}",
        400,
    )
    for column, (label, thing, dash) in _LINES.items():
        figure.add_scatter(
            x=worst.epsilon,
            y=worst.wasserstein[column],
            mode="lines",
            name=label,
            line={"color": colour(thing, dark), "dash": dash, "width": 2.5},
            hovertemplate="ε = %{x:.3g}: %{y:.3g} steps<extra>%{fullData.name}</extra>",
        )
    if current is not None:
        figure.add_scatter(
            x=[epsilon],
            y=[current],
            mode="markers",
            name="WPM, your base",
            marker={
                "symbol": "star",
                "size": 14,
                "color": COLOURS["wpm"],
                "line": {"width": 1, "color": "white"},
            },
            hovertemplate="ε = %{x:.3g}: %{y:.3g} steps<extra>%{fullData.name}</extra>",
        )
    _epsilon_axis(figure)
    figure.update_yaxes(title_text=f"worst-case {order(ring.p)} (steps)", rangemode="tozero")
    mark_value(figure, epsilon, "now")
    figure.update_layout(margin={"t": 110})
    return figure


def divergences_figure(worst: WorstCases, epsilon: float, dark: bool = False) -> go.Figure:
    """Worst-case f-divergences against epsilon: the optimal mechanism and the relative mollifier."""
    kl = worst.divergences["kl"]
    at = np.log(worst.epsilon)
    best, baseline = (float(np.interp(np.log(epsilon), at, kl[name])) for name in ("minimax", "mollifier"))
    figure = make_subplots(
        rows=2,
        cols=2,
        shared_xaxes=True,
        subplot_titles=[plain(title) for title in _DIVERGENCES.values()],
        horizontal_spacing=0.1,
        vertical_spacing=0.14,
    )
    for place, name in enumerate(_DIVERGENCES):
        where = {"row": place // 2 + 1, "col": place % 2 + 1}
        for column, label, thing, dash in (
            ("minimax", "KPM with its best base: no mechanism does better", "kpm", "solid"),
            ("mollifier", "relative mollifier", "mollifier", "dash"),
        ):
            figure.add_scatter(
                x=worst.epsilon,
                y=worst.divergences[name][column],
                mode="lines",
                name=label,
                showlegend=place == 0,
                line={"color": colour(thing, dark), "dash": dash, "width": 2.5},
                hovertemplate="ε = %{x:.3g}: %{y:.4g}<extra>%{fullData.name}</extra>",
                **where,
            )
        mark_value(figure, epsilon, "", **where)
    figure.update_layout(
        template=TEMPLATE,
        height=520,
        title_text=plain(
            f"In f-divergence nothing beats KPM: worst-case KL {best:.3g} at ε = {epsilon:g}, "
            f"relative mollifier {baseline:.3g}"
        ),
        margin={"t": 110},
    )
    figure.update_annotations(font_size=14)
    _epsilon_axis(figure, row=2)
    figure.update_xaxes(type="log")
    figure.update_yaxes(rangemode="tozero", nticks=5)
    return figure


def _epsilon_axis(figure: go.Figure, **where: int) -> None:
    figure.update_xaxes(
        type="log",
        title_text="privacy parameter ε",
        tickvals=[0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
        ticktext=["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"],
        **where,
    )
