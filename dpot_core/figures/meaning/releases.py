"""Beliefs against distance, and promises of several releases."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.meaning import OverDistance, Releases, Rounds
from dpot_core.figures.meaning.words import of_people, share
from dpot_core.figures.panels import guide
from dpot_core.figures.style import TITLE_HEIGHT, at_most, colour, counted, new_figure, see_through

_PER_CENT = {"tickformat": ".0%", "range": [0, 1.02]}


def distance_figure(result: OverDistance, dark: bool = False) -> go.Figure:
    """Largest and smallest belief after a release against the distance of the two inputs.

    Args:
        result: of `dpot_core.experiments.meaning.over_distance`.
        dark: whether the ground is dark.
    """
    config, here, grey = result.config, result.here, colour("input", dark)
    hover = "%{x:.3g} km: %{y:.1%}<extra>%{fullData.name}</extra>"
    line = {"type": "scatter", "x": result.distance, "mode": "lines", "hovertemplate": hover}
    data: list[dict[str, Any]] = [
        {**line, "y": result.most, "name": "most after any output", "line": {"color": grey, "width": 2.5}},
        {
            **line,
            "y": result.least,
            "name": "least after any output",
            "line": {"color": grey, "width": 2.5, "dash": "dash"},
            "fill": "tonexty",
            "fillcolor": see_through(grey, 0.12),
        },
        {
            "type": "scatter",
            "x": [config.distance] * 2,
            "y": [here.most, here.least],
            "mode": "markers",
            "name": "at this distance",
            "marker": {"symbol": "diamond", "size": 11, "color": grey},
            "hovertemplate": hover,
        },
    ]
    return new_figure(
        f"At {config.distance:g} km, α = {config.alpha:g} per km means ε = {config.alpha * config.distance:.4g}: a "
        f"belief of {of_people(config.prior)} becomes at most {of_people(here.most)}",
        400,
        data,
        xaxis={"title": {"text": "distance between the two inputs (km)"}, "range": [0, config.farthest]},
        yaxis={"title": {"text": "belief after the release"}, **_PER_CENT},
        shapes=[guide(0, x=config.distance)],
    )


def releases_figure(result: Releases, dark: bool = False) -> go.Figure:
    """Largest belief after each of several local releases.

    Args:
        result: of `dpot_core.experiments.meaning.releases`.
        dark: whether the ground is dark.
    """
    config, grey = result.config, colour("input", dark)
    count = np.arange(len(result.sums) + 1)
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": count,
            "y": [config.prior, *result.most],
            "mode": "lines+markers",
            "line": {"shape": "hv", "color": grey, "width": 2.5},
            "marker": {"symbol": "square", "size": 9, "color": grey},
            "hovertemplate": "after %{x}: %{y:.2%}<extra></extra>",
        }
    ]
    return new_figure(
        f"After {counted(len(result.sums), 'release', 'releases')} with ε = {_exact(result)} in all, a belief of "
        f"{share(config.prior)} is at most {share(float(result.most[-1]))}",
        380,
        data,
        xaxis={"title": {"text": "releases about one person"}, "dtick": 1 + len(result.sums) // 12, "tick0": 0},
        yaxis={"title": {"text": "largest belief"}, **_PER_CENT},
        showlegend=False,
    )


def rounds_figure(result: Rounds, dark: bool = False) -> go.Figure:
    """Epsilon of many Gaussian releases: added up, and exact.

    Args:
        result: of `dpot_core.experiments.meaning.rounds`.
        dark: whether the ground is dark.
    """
    config, grey = result.config, colour("input", dark)
    line = {
        "type": "scatter",
        "x": result.count,
        "mode": "lines+markers" if len(result.count) <= 40 else "lines",
        "hovertemplate": "%{x} releases: ε = %{y:.4g}<extra>%{fullData.name}</extra>",
    }
    look = {"color": grey, "width": 2.5}
    data: list[dict[str, Any]] = [
        {**line, "y": result.basic, "name": "added up", "line": {**look, "dash": "dash"}, "marker": {"symbol": "x"}},
        {**line, "y": result.exact, "name": "exact for Gaussian noise", "line": look, "marker": {"symbol": "circle"}},
    ]
    for trace in data:
        trace["marker"] |= {"size": 6, "color": grey}
    return new_figure(
        f"{counted(config.rounds, 'Gaussian release', 'Gaussian releases')} at ε = {config.epsilon:g} each: "
        f"ε = {at_most(float(result.exact[-1]))} in all, not {result.basic[-1]:.4g}, "
        f"both at δ = {config.total_delta:.1e}",
        400,
        data,
        xaxis={"title": {"text": "releases from the same data"}, "rangemode": "tozero"},
        yaxis={"title": {"text": "ε of all together"}, "rangemode": "tozero"},
        margin={"t": TITLE_HEIGHT + 16},
    )


def _exact(result: Releases) -> str:
    total = result.sums[-1]
    decimal = f"{float(total):.6g}"
    return decimal if total.denominator == 1 else f"{total} ({decimal})"
