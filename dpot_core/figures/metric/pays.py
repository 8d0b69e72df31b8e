"""When does it pay? Error of frequency estimates against alpha/epsilon and against the number of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.metric.frequency_errors import BY_DISTANCE, Point
from dpot_core.experiments.metric.pays import Pays
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import MARKERS, TITLE_HEIGHT, colour, new_figure, see_through

_HEIGHT = 480
# First, second and third of a kind differ in marker and dash: colour says which promise.
_SYMBOLS = {
    "metric": (MARKERS["metric"], MARKERS["metric"] + "-open", "star"),
    "user-level": (MARKERS["user-level"], MARKERS["user-level"] + "-open", "diamond"),
}
_DASHES = ("dot", "dash", "dashdot")
_MODEL = {"local": "nobody trusted", "central": "one party trusted"}


def pays_figure(pays: Pays, dark: bool = False) -> go.Figure:
    """Error against alpha/epsilon, with the value from which a release by distance is better.

    Args:
        pays: errors over alpha/epsilon.
        dark: whether the ground is dark.
    """
    config, crossover = pays.config, pays.crossover
    edges = (pays.over_ratio[0].ratio, pays.over_ratio[-1].ratio)
    shapes = [guide(0, x=1.0 / config.r, dash="dash")] if edges[0] <= 1.0 / config.r <= edges[1] else []
    notes: list[dict[str, Any]] = []
    if shapes:
        label = guide_label(0, 1.0 / config.r, "1/r: the same inside clusters")
        notes.append(label | {"y": 0.0, "yanchor": "bottom", "xanchor": "left", "xshift": 4})
    if crossover is not None and crossover > edges[0]:
        shapes.append(guide(0, x=crossover))
        notes.append(guide_label(0, crossover, f"pays from {crossover:.3g}"))
    return _figure(
        _finding(pays),
        pays,
        pays.over_ratio,
        [point.ratio for point in pays.over_ratio],
        {
            "title": {"text": "α/ε (nats per distance between clusters, over nats)"},
            "type": "log",
            "tickvals": [1, 10, 100, 1000],
        },
        shapes,
        notes,
        dark,
    )


def pays_over_k_figure(pays: Pays, dark: bool = False) -> go.Figure:
    """Error against the number of points at the chosen alpha/epsilon.

    Args:
        pays: errors over k.
        dark: whether the ground is dark.
    """
    ks = [point.k for point in pays.over_k]
    gains = [pays.gain(point) for point in pays.over_k]
    wins = [gain > 0.0 for gain in gains]
    ratio = f"α/ε = {pays.config.ratio:g}"
    if not any(gains):
        text = f"At {ratio} both promises have the same error at every k shown"
    elif all(wins):
        text = f"At {ratio} a release by distance is better at every k shown"
    elif not any(wins):
        text = f"At {ratio} a release by distance is better at no k shown"
    elif all(wins[wins.index(True) :]):
        text = f"At {ratio} a release by distance is better from k = {ks[wins.index(True)]:,} on"
    else:
        text = f"At {ratio} a release by distance is better at {sum(wins)} of {len(wins)} values of k"
    axis = {"title": {"text": "number of points k"}, "type": "log", "tickvals": ks}
    shapes = [guide(0, x=len(pays.config.space))]
    return _figure(text + " (simulated)", pays, pays.over_k, ks, axis, shapes, [], dark)


def _figure(
    title: str,
    pays: Pays,
    points: tuple[Point, ...],
    at: list[Any],
    axis: dict[str, Any],
    shapes: list[dict[str, Any]],
    notes: list[dict[str, Any]],
    dark: bool,
) -> go.Figure:
    data: list[dict[str, Any]] = []
    places = {"metric": 0, "user-level": 0}
    for name, label in pays.names.items():
        thing = "metric" if name in BY_DISTANCE[pays.config.model] else "user-level"
        data += _series(points, at, name, label, thing, places[thing], dark)
        places[thing] += 1
    lowest = min(float(np.quantile(point.errors[name], 0.05)) for point in points for name in pays.names)
    highest = max(point.mean(name) for point in points for name in pays.names)
    low, high = math.log10(max(lowest, 1e-7) * 0.8), math.log10(min(max(highest, 1e-6) * 8, 1.3))
    edge = 0.03 * (math.log10(at[-1]) - math.log10(at[0]))
    reach = [math.log10(at[0]) - edge, math.log10(at[-1]) + edge]
    return new_figure(
        title,
        _HEIGHT,
        data,
        xaxis={**axis, "range": reach, "zeroline": False},
        yaxis={
            "title": {"text": "error (d_EM; 1 = between clusters)"},
            "type": "log",
            "range": [low, high],
            "dtick": 1,
            "exponentformat": "power",
            "zeroline": False,
        },
        shapes=shapes,
        annotations=notes,
        margin={"t": TITLE_HEIGHT + 28},
    )


def _series(
    points: tuple[Point, ...], at: list[Any], name: str, label: str, thing: str, place: int, dark: bool
) -> list[dict[str, Any]]:
    hue = colour(thing, dark)
    low, mean, high = (
        np.array([function(point.errors[name]) for point in points])
        for function in (_quantile(0.05), np.mean, _quantile(0.95))
    )
    promise = "α" if thing == "metric" else "ε"
    group = {"legendgroup": name, "type": "scatter"}
    band = {"x": [*at, *at[::-1]], "y": [*low, *high[::-1]], "fill": "toself", "line": {"width": 0}, "mode": "lines"}
    # A distance is at most 1: a bound above that is none.
    proven = [point.bounds[name] if point.bounds[name] <= 1.0 else None for point in points]
    bound = {"x": at, "y": proven, "mode": "lines", "hoverinfo": "skip"}
    return [
        group | band | {"fillcolor": see_through(hue, 0.15), "hoverinfo": "skip", "showlegend": False},
        group | bound | {"line": {"width": 1, "color": see_through(hue, 0.75)}, "showlegend": False},
        group
        | {
            "x": at,
            "y": mean,
            "mode": "lines+markers",
            "line": {"width": 1, "dash": _DASHES[place], "color": hue},
            "marker": {"symbol": _SYMBOLS[thing][place], "size": 9, "color": hue},
            "name": f"{promise}: {label}",
            "hovertemplate": "%{x:.4g}: %{y:.3g}<extra>%{fullData.name}</extra>",
        },
    ]


def _quantile(share: float) -> Any:
    return lambda values: float(np.quantile(values, share))


def _finding(pays: Pays) -> str:
    config, crossover = pays.config, pays.crossover
    setting = f"{_MODEL[config.model]}, k = {len(config.space)}, simulated"
    if crossover is None:
        return f"Privacy by distance does not pay up to α/ε = {pays.over_ratio[-1].ratio:,.4g} ({setting})"
    if crossover <= pays.over_ratio[0].ratio:
        return f"Privacy by distance pays at every α/ε shown ({setting})"
    return f"Privacy by distance pays from α/ε = {crossover:.3g} on ({setting})"
