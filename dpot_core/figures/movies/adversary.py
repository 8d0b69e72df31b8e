"""How much more likely each released film is for one user than for another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.movies import MECHANISMS, LargestRatio, TwoUsers
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import (
    EPSILON_AXIS,
    GUIDE,
    MARKERS,
    TITLE_HEIGHT,
    at_most,
    colour,
    new_figure,
    plain,
    simulated,
)


def ratio_figure(result: TwoUsers, dark: bool = False) -> go.Figure:
    """The log-likelihood ratio of every film that can be released, sorted for each mechanism."""
    ratings, epsilon = result.films.ratings, result.config.epsilon
    data: list[dict[str, Any]] = []
    for name, ratio in result.ratios.items():
        order = np.argsort(-ratio, kind="stable")
        data.append(
            {
                "type": "scatter",
                "x": np.arange(1, len(order) + 1),
                "y": ratio[order],
                "mode": "lines+markers",
                "line": {"width": 1, "color": colour(name, dark)},
                "marker": {"symbol": MARKERS[name], "size": 5},
                "name": MECHANISMS[name],
                "text": [plain(ratings.films[i]) for i in result.films.candidates[order]],
                "hovertemplate": "%{text}: %{y:.3f}<extra>%{fullData.name}</extra>",
            }
        )
    odds = math.exp(result.largest()["wpm"])
    return new_figure(
        f"With WPM the most telling film shifts the odds between these two by up to {at_most(odds)}; "
        f"at most {at_most(math.exp(epsilon))} is possible{simulated(result.films.simulated)}",
        430,
        data,
        xaxis={"title": {"text": "films, sorted for each mechanism"}},
        yaxis={"title": {"text": "log-likelihood ratio (nats)"}, "range": [-1.15 * epsilon, 1.15 * epsilon]},
        shapes=[guide(0, y=epsilon), guide(0, y=-epsilon)],
        annotations=[
            {
                "text": f"{sign}ε",
                "x": 1,
                "xref": "x domain",
                "xanchor": "right",
                "y": value,
                "yanchor": "bottom",
                "showarrow": False,
            }
            for sign, value in (("", epsilon), ("-", -epsilon))
        ],
    )


def largest_figure(result: LargestRatio, epsilon: float, dark: bool = False) -> go.Figure:
    """The largest ratio between the two users against epsilon, under the line that the guarantee allows."""
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": result.epsilon,
            "y": values,
            "mode": "lines+markers",
            "line": {"width": 2, "color": colour(name, dark)},
            "marker": {"symbol": MARKERS[name], "size": 7},
            "name": MECHANISMS[name],
            "hovertemplate": "ε = %{x:g}: %{y:.3f}<extra>%{fullData.name}</extra>",
        }
        for name, values in result.largest.items()
    ]
    data.append(
        {
            "type": "scatter",
            "x": result.epsilon,
            "y": result.epsilon,
            "mode": "lines",
            "line": {"width": 1.5, "dash": "dot", "color": GUIDE},
            "name": "what ε allows",
        }
    )
    shares = {name: float((values / result.epsilon).max()) for name, values in result.largest.items()}
    least = min(shares, key=lambda name: shares[name])
    return new_figure(
        f"At the values of ε shown, {MECHANISMS[least]} uses up to {math.ceil(round(100 * shares[least], 6))}% of ε "
        f"for these two, WPM up to {math.ceil(round(100 * shares['wpm'], 6))}%{simulated(result.simulated)}",
        430,
        data,
        xaxis={**EPSILON_AXIS, "range": [-1.05, 1.05]},
        yaxis={
            "type": "log",
            "title": {"text": "largest |log-likelihood ratio| (nats)"},
            "range": [-3, 1.1],
            "tickvals": [0.001, 0.01, 0.1, 1, 10],
            "ticktext": ["0.001", "0.01", "0.1", "1", "10"],
        },
        shapes=[guide(0, x=epsilon)],
        annotations=[guide_label(0, epsilon, f"ε = {epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )
