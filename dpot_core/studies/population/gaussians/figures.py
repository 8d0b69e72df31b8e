"""The synthetic examples: cost of the Gaussians' barycenters, and digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import SERIES, DigitResult, SyntheticCurve
from dpot_core.figures.panels import guide
from dpot_core.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, colour, counted, new_figure, see_through, simulated

_AXES = {
    "n": "points n",
    "epsilon": "privacy parameter ε",
    "projection": "dimensions d′ after the projection (of 10)",
}
_LOOKS = {
    "non-private": ("input", "circle-open", "dot"),
    "projected": ("coreset", MARKERS["coreset"], "solid"),
    "plain": ("coreset", MARKERS["coreset"] + "-open", "dash"),
}


def synthetic_figure(curve: SyntheticCurve, dark: bool = False) -> go.Figure:
    """Cost against n, epsilon or d': mean of the runs, with bands of one standard error."""
    at = np.array([point.value for point in curve.points])
    data: list[dict[str, Any]] = []
    means = {}
    for name, label in SERIES.items():
        runs = np.array([point.cost[name] for point in curve.points])
        mean, error = runs.mean(axis=1), runs.std(axis=1, ddof=1) / np.sqrt(runs.shape[1])
        means[name] = mean
        thing, symbol, dash = _LOOKS[name]
        hue = colour(thing, dark)
        band = {"x": np.concatenate([at, at[::-1]]), "y": np.concatenate([mean + error, (mean - error)[::-1]])}
        quiet = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
        data.append({"type": "scatter", **band, **quiet, "fill": "toself", "fillcolor": see_through(hue, 0.2)})
        data.append(
            {
                "type": "scatter",
                "x": at,
                "y": mean,
                "customdata": error,
                "mode": "lines+markers",
                "line": {"color": hue, "width": 2, "dash": dash},
                "marker": {"symbol": symbol, "size": 9, "color": hue},
                "name": label,
                "hovertemplate": "%{x:g}: %{y:.4f} ± %{customdata:.4f}<extra>%{fullData.name}</extra>",
            }
        )
    x: dict[str, Any] = {"title": {"text": _AXES[curve.axis]}, "tickvals": list(at)}
    if curve.axis != "projection":
        x |= {"type": "log", "ticktext": [f"{value:g}" for value in at]}
    wins = int((means["projected"] < means["plain"]).sum())
    now = getattr(curve.config, curve.axis)
    title = f"Projecting first lowers the cost at {wins} of {len(at)} values (simulated Gaussians)"
    return new_figure(
        title,
        TITLE_HEIGHT + 330,
        data,
        xaxis=x,
        yaxis={"title": {"text": "cost (squared units)"}, "rangemode": "tozero"},
        shapes=[guide(0, x=now)] if at.min() <= now <= at.max() else [],
    )


#: The three pictures of a digit: key -> words.
DIGIT_PARTS = {"picture": "One picture (sensitive)", "copy": "Its private copy", "barycenter": "Barycenter"}


def digit_figure(result: DigitResult, part: str, dark: bool = False) -> go.Figure:
    """A picture's points, their private copy, or the barycenter of all pictures with and without privacy.

    Args:
        result: what to draw.
        part: a key of `DIGIT_PARTS`.
        dark: whether the ground is dark.
    """
    hue = colour("coreset", dark)
    truth = {"size": 9, "symbol": "circle-open", "color": colour("input", dark), "line": {"width": 2}}
    parts = {
        "picture": ((result.cloud, {"size": 3, "color": GUIDE, "opacity": 0.6}, "points of the first picture"),),
        "copy": ((result.copy, {"size": 3, "color": hue, "opacity": 0.6}, "points of its private copy"),),
        "barycenter": (
            (result.atoms, truth, "non-private"),
            (result.private_atoms, {"size": 9, "symbol": MARKERS["coreset"], "color": hue}, "coreset"),
        ),
    }
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": points[:, 0],
            "y": points[:, 1],
            "marker": marker,
            "name": name,
            "hoverinfo": "skip",
            "showlegend": True,
        }
        for points, marker, name in parts[part]
    ]
    config, costs = result.config, result.costs
    title = DIGIT_PARTS[part]
    if part == "copy":
        title += f", ε = {config.epsilon:g}"
    if part == "barycenter":
        several = counted(config.pictures, "picture", "pictures")
        title += f" of {several}: cost {costs['plain']:.4f} with privacy, {costs['non-private']:.4f} without"
    edge = {"range": [-0.52, 0.52], "showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 5}
    return new_figure(
        title + simulated(result.simulated),
        TITLE_HEIGHT + 330,
        data,
        xaxis=dict(edge),
        yaxis={**edge, "scaleanchor": "x"},
    )
