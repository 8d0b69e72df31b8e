"""Hit rates against epsilon: for one user, and for everyone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.movies import CURVES, MECHANISMS, REFERENCES, Everyone, LikedCurve
from dpot_core.experiments.movies.scores import mean_and_error
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import EPSILON_AXIS, MARKERS, TITLE_HEIGHT, colour, new_figure, simulated

#: Line style of each reference; what is close together must not look alike.
_DASHES = {"nearest": "solid", "popular": "dash", "uniform": "dot"}
_RANGE = [-1.05, 1.05]


def liked_curve_figure(curve: LikedCurve, epsilon: float, dark: bool = False) -> go.Figure:
    """Probability of a liked film against epsilon for one user: exact, nothing is drawn."""
    data = [
        {
            "type": "scatter",
            "x": curve.epsilon,
            "y": hits,
            "mode": "lines+markers",
            "line": {"width": 2, "color": colour(name, dark)},
            "marker": {"symbol": MARKERS[name], "size": 7},
            "name": MECHANISMS[name],
            "hovertemplate": "ε = %{x:g}: %{y:.1%}<extra>%{fullData.name}</extra>",
        }
        for name, hits in curve.hits.items()
    ]
    # The two others are 0 or 1 for one user: the page says which in words.
    ends = [float(curve.epsilon[0]), float(curve.epsilon[-1])]
    data += _references({"uniform": curve.references["uniform"]}, ends, dark)
    floor = curve.references["uniform"]
    above = curve.epsilon[curve.hits["wpm"] >= 2 * floor]
    if floor == 0:
        title = "This user likes no film that can be released"
    elif above.size:
        title = f"WPM releases a liked film twice as often as chance from ε = {above[0]:g} on"
    else:
        title = "WPM never releases a liked film twice as often as chance"
    return _figure(title + simulated(curve.simulated), data, "probability of a liked film", epsilon, 400)


def everyone_figure(result: Everyone, epsilon: float, dark: bool = False) -> go.Figure:
    """Hit Rate@1 against epsilon: mean over the test users, error bars of one standard error."""
    at = np.array([point.epsilon for point in result.points])
    data: list[dict[str, Any]] = []
    for shift, (name, label) in enumerate(CURVES.items()):
        scores = np.array([mean_and_error(point.hits[name]) for point in result.points])
        thing, variant = name.split("-")[0], name.partition("-")[2]
        hue = colour(thing, dark)
        symbol, dash = _VARIANTS.get(variant, (MARKERS[thing], "dot"))
        data.append(
            {
                "type": "scatter",
                "x": at * 1.012 ** (shift - 2.5),  # side by side, or they would cover each other
                "y": scores[:, 0],
                "customdata": np.column_stack([at, scores[:, 1]]),
                "error_y": {"array": scores[:, 1], "color": hue, "thickness": 1.5, "width": 3},
                "mode": "lines+markers",
                "line": {"width": 1, "dash": dash, "color": hue},
                "marker": {"symbol": symbol, "size": 9, "color": hue},
                "name": label,
                "hovertemplate": "ε = %{customdata[0]:g}: %{y:.4f} ± %{customdata[1]:.4f}"
                "<extra>%{fullData.name}</extra>",
            }
        )
    means = {name: float(hits.mean()) for name, hits in result.references.items()}
    data += _references(means, [float(at.min()), float(at.max())], dark)
    users = len(result.references["uniform"])
    axis = f"Hit Rate@1, mean ± standard error, {users} users"
    title = _finding(result) + simulated(result.simulated)
    edges = np.log10([at.min() / 1.15, at.max() * 1.15])
    figure = _figure(title, data, axis, epsilon, 500, edges.tolist())
    figure.layout.xaxis.update(tickvals=at, ticktext=[f"{epsilon:g}" for epsilon in at])
    if min(float(np.min(trace["y"])) for trace in data) > 0:
        # The private releases are close together and far from the references.
        ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0]
        figure.layout.yaxis.update(type="log", tickvals=ticks, rangemode="normal")
    return figure


#: Other base measures of WPM share its colour: marker and dash tell them apart.
_VARIANTS = {"prior": ("circle-open", "dashdot"), "minimax": ("square-open", "longdash")}


def _references(values: Mapping[str, float], x: list[float], dark: bool) -> list[dict[str, Any]]:
    return [
        {
            "type": "scatter",
            "x": x,
            "y": [values[name]] * 2,
            "mode": "lines",
            "line": {"width": 2, "dash": _DASHES[name], "color": colour("non-private", dark)},
            "name": label,
            "hovertemplate": "%{y:.1%}<extra>%{fullData.name}</extra>",
        }
        for name, label in REFERENCES.items()
        if name in values
    ]


def _finding(result: Everyone) -> str:
    """From which epsilon WPM beats genre KPM and EM clearly, and whether showing everybody one film beats it."""
    clear = []
    for point in result.points:
        ahead = [point.hits["wpm"] - point.hits[other] for other in ("kpm", "em")]
        clear.append(all(mean > 2 * error for mean, error in map(mean_and_error, ahead)))
    first = len(clear) - (clear[::-1].index(False) if False in clear else len(clear))
    if first < len(clear):
        text = f"WPM beats genre KPM and EM by more than 2 s.e. from ε = {result.points[first].epsilon:g} on"
    else:
        text = "WPM does not beat genre KPM and EM clearly"
    popular = float(result.references["popular"].mean())
    worse = [point.epsilon for point in result.points if popular > point.hits["wpm"].mean()]
    if worse:
        text += f"; one film for all (ε = 0) is liked more often up to ε = {max(worse):g}"
    return text


def _figure(
    title: str, data: list[dict[str, Any]], y: str, epsilon: float, height: int, x: list[float] | None = None
) -> go.Figure:
    return new_figure(
        title,
        height,
        data,
        xaxis={**EPSILON_AXIS, "range": x or _RANGE},
        yaxis={"title": {"text": y}, "rangemode": "tozero", "tickformat": ".0%"},
        shapes=[guide(0, x=epsilon)],
        annotations=[guide_label(0, epsilon, f"ε = {epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )
