"""The crowd: its true distribution, what the collector sees, and how far that is against epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.cities.crowd import ESTIMATES, Crowd
from dpot_core.experiments.geolocation import CrowdCurve
from dpot_core.figures.city_maps import Panel, maps, truth_name
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import (
    EPSILON_AXIS,
    MARKERS,
    TITLE_HEIGHT,
    colour,
    counted,
    new_figure,
    see_through,
    simulated,
)


def crowd_truth_maps(crowd: Crowd, expected: bool = False) -> go.Figure:
    """The true crowd above the estimate from WPM; probabilities on the scale of `crowd_estimate_maps`."""
    estimates = _estimates(crowd, expected)
    panels = [
        Panel(truth_name(crowd.map, "True crowd") + "\n", crowd.moved),
        Panel(_label(crowd, "wpm"), estimates["wpm"]),
    ]
    title = counted(crowd.people, "person", "people") + simulated(crowd.map.simulated)
    return maps(crowd.map, panels, 1, title, top=_top(crowd, estimates))


def crowd_estimate_maps(crowd: Crowd, expected: bool = False) -> go.Figure:
    """The estimates from the other mechanisms.

    Args:
        crowd: at the current epsilon.
        expected: show the expectation over all runs rather than the first run.
    """
    estimates = _estimates(crowd, expected)
    panels = [Panel(_label(crowd, name), estimates[name]) for name in ESTIMATES if name != "wpm"]
    figure = maps(crowd.map, panels, 2, _estimates_title(crowd), top=_top(crowd, estimates))
    figure.layout.coloraxis.showscale = True
    return figure


def crowd_maps(crowd: Crowd) -> go.Figure:
    """The true crowd and the first run's estimate from every mechanism, on one scale.

    Args:
        crowd: at the current epsilon.
    """
    estimates = _estimates(crowd, False)
    truth = Panel(f"True crowd\n{counted(crowd.people, 'person', 'people')}", crowd.moved)
    panels = [truth, *(Panel(_label(crowd, name), estimates[name]) for name in ESTIMATES)]
    figure = maps(crowd.map, panels, 3, _estimates_title(crowd), top=_top(crowd, estimates))
    figure.layout.coloraxis.showscale = True
    return figure


def crowd_curve_figure(curve: CrowdCurve, epsilon: float, dark: bool = False) -> go.Figure:
    """W_1 of the crowd against epsilon: mean over the runs, error bars of one standard deviation."""
    at = np.array([point.epsilon for point in curve.points])
    ground = curve.points[0].map
    data: list[dict[str, Any]] = []
    for shift, (name, label) in enumerate(ESTIMATES.items()):
        runs = np.array([point.kilometres[name] for point in curve.points])
        thing, decoded = name.removesuffix("-decoded"), name.endswith("-decoded")
        hue = colour(thing, dark)
        data.append(
            {
                "type": "scatter",
                "x": at * 1.015 ** (shift - (len(ESTIMATES) - 1) / 2),  # side by side, or they would cover each other
                "y": runs.mean(axis=1),
                "customdata": np.column_stack([at, runs.std(axis=1, ddof=1)]),
                "error_y": {"array": runs.std(axis=1, ddof=1), "color": hue, "thickness": 1.5, "width": 3},
                "mode": "lines+markers",
                "line": {"width": 1, "dash": "dot", "color": hue},
                "marker": {"symbol": MARKERS[thing] + ("-open" if decoded else ""), "size": 9, "color": hue},
                "name": label,
                "hovertemplate": "ε = %{customdata[0]:g}: %{y:.2f} ± %{customdata[1]:.2f} km"
                "<extra>%{fullData.name}</extra>",
            }
        )
    edges = [at.min() / 1.12, at.max() * 1.12]
    data += _no_privacy(curve.no_privacy, edges, dark)
    if curve.prior is not None:
        flat = {"x": edges, "y": [curve.prior] * 2, "mode": "lines", "name": "the prior alone, nothing released"}
        data.append({"type": "scatter", **flat, "line": {"width": 2, "dash": "dash", "color": colour("input", dark)}})
    runs_text = f"W₁ (km), mean ± s.d., {len(curve.no_privacy)} runs"
    return new_figure(
        _finding(curve) + simulated(ground.simulated),
        430,
        data,
        xaxis={**EPSILON_AXIS, "range": [float(np.log10(edge)) for edge in edges]},
        yaxis={"title": {"text": runs_text}, "rangemode": "tozero"},
        shapes=[guide(0, x=epsilon)],
        annotations=[guide_label(0, epsilon, f"ε = {epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _estimates_title(crowd: Crowd) -> str:
    means = crowd.means()
    best = min(means, key=lambda name: means[name])
    title = f"At ε = {crowd.epsilon:g} the collector's map is off by {means['wpm']:.2f} km with WPM"
    title += (
        f", {means['kpm']:.2f} km with KPM" if best == "wpm" else f"; nearest: {ESTIMATES[best]}, {means[best]:.2f} km"
    )
    return title + simulated(crowd.map.simulated)


def _no_privacy(runs: Array, edges: list[float], dark: bool) -> list[dict[str, Any]]:
    mean, spread = float(runs.mean()), float(runs.std(ddof=1))
    grey = colour("non-private", dark)
    band = {"x": [*edges, *edges[::-1]], "y": [mean + spread] * 2 + [mean - spread] * 2}
    look = {"line": {"width": 0}, "fill": "toself", "fillcolor": see_through(grey, 0.3), "hoverinfo": "skip"}
    line = {"x": edges, "y": [mean] * 2, "mode": "lines", "line": {"width": 2, "color": grey}}
    return [
        {"type": "scatter", **band, **look, "mode": "lines", "showlegend": False},
        {"type": "scatter", **line, "name": "no privacy, sampling alone"},
    ]


def _finding(curve: CrowdCurve) -> str:
    """Up to which epsilon WPM is nearest to the truth, in words, and whether the prior alone is nearer."""
    means = [point.means() for point in curve.points]
    # What differs by rounding only is a tie, and a tie is no win.
    nearest_other = [min(value for name, value in mean.items() if name != "wpm") for mean in means]
    wins = [mean["wpm"] < other - 1e-9 for mean, other in zip(means, nearest_other, strict=True)]
    at = [point.epsilon for point in curve.points]
    first = wins.index(False) if False in wins else len(wins)
    if all(wins):
        text = "WPM's crowd is nearest to the true one at every ε shown"
    elif not any(wins):
        text = "WPM's crowd is nowhere the nearest to the true one"
    elif not any(wins[first:]):
        text = f"WPM's crowd is nearest to the true one up to ε = {at[first - 1]:g}"
    else:
        text = f"WPM's crowd is nearest to the true one at {sum(wins)} of {len(wins)} values of ε"
    if curve.prior is None:
        return text
    nearer = sum(curve.prior < mean["wpm"] for mean in means)
    return text + (f", but the prior alone is nearer than WPM at {nearer} of {len(means)}" if nearer else "")


def _estimates(crowd: Crowd, expected: bool) -> Mapping[str, Array]:
    return crowd.expected if expected else {name: runs[0] for name, runs in crowd.estimates.items()}


def _top(crowd: Crowd, estimates: Mapping[str, Array]) -> float:
    return float(max(crowd.moved.max(), *(values.max() for values in estimates.values())))


def _label(crowd: Crowd, name: str) -> str:
    runs = crowd.kilometres[name]
    return f"{ESTIMATES[name]}\n{runs.mean():.2f} ± {runs.std(ddof=1):.2f} km"
