"""Release the crowd: what the collector gets on maps, and how far it is from the truth against epsilon."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.metric.baselines import BASELINES
from dpot_core.experiments.metric.crowd import HOW, CrowdErrors, CrowdRelease
from dpot_core.figures.city_maps import Panel, maps
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import EPSILON_AXIS, MARKERS, TITLE_HEIGHT, colour, counted, km, new_figure, simulated


def crowd_maps(release: CrowdRelease) -> go.Figure:
    """The true crowd and the visits drawn; reports and estimate by shuffling; the same by composition."""
    panels = [Panel(f"True crowd\n{counted(release.people, 'person', 'people')}", release.truth)]
    for how in release.promises:
        panels += [
            Panel(f"Reports\n{HOW[how]}", release.reports[how][0]),
            Panel(f"Estimate\n{HOW[how]}", release.estimates[how][0]),
        ]
    if "shuffling" in release.promises:
        # Two rows of three: the left column says where the reports come from.
        panels.insert(3, Panel(f"Visits drawn\n{release.config.visits:,} of each", release.drawn["shuffling"]))
    # A few spikes of an estimate must not darken everything else: they end the scale, the hover text has their value.
    seen = max(panel.values.max() for panel in panels if not panel.title.startswith("Estimate"))
    spikes = max(panel.values.max() for panel in panels)
    figure = maps(
        release.ground, panels, 3, finding(release) + simulated(release.ground.simulated), float(min(spikes, 2 * seen))
    )
    figure.layout.coloraxis.showscale = True
    return figure


def finding(release: CrowdRelease) -> str:
    """What shuffling is worth, in words."""
    composed = release.item_rates["composition"]
    if "shuffling" not in release.promises:
        return (
            f"Shuffling gains nothing: composition alone, α₀ = {composed:.2g}; "
            f"the estimate is off by {km(release.mean('composition'))}"
        )
    shuffled = release.item_rates["shuffling"]
    change = "lets each report say more" if shuffled > composed else "would have to let each report say less"
    return (
        f"Shuffling {change}: α₀ = {shuffled:.2g} instead of {composed:.2g}; the estimate is off by "
        f"{km(release.mean('shuffling'))} instead of {km(release.mean('composition'))}"
    )


def crowd_errors_figure(errors: CrowdErrors, epsilon: float, dark: bool = False) -> go.Figure:
    """Earth mover's distance of each estimate to the truth against epsilon, mean and standard deviation of the runs.

    Args:
        errors: releases at several values of epsilon.
        epsilon: the current one, marked.
        dark: whether the ground is dark.
    """
    at = np.array([point.config.base.epsilon for point in errors.points])
    data: list[dict[str, Any]] = []
    for shift, how in enumerate(HOW):
        runs = {point.config.base.epsilon: point.kilometres[how] for point in errors.points if how in point.promises}
        if runs:
            name = f"by distance: {HOW[how]}"
            data.append(_series(runs, shift, "metric", name, how == "composition", dark))
    for shift, (name, label) in enumerate(BASELINES.items(), 2):
        runs = {point.config.base.epsilon: point.baselines[name] for point in errors.points}
        data.append(_series(runs, shift, "user-level", label, name == "one-visit", dark))
    edges = [float(at.min()) / 1.12, float(at.max()) * 1.12]
    flat = {"x": edges, "y": [errors.points[0].unseen] * 2, "mode": "lines", "name": "no report: an even spread"}
    look = {"width": 2, "dash": "dash", "color": colour("non-private", dark)}
    data.append({"type": "scatter", **flat, "line": look})
    return new_figure(
        _curve_finding(errors) + simulated(errors.points[0].ground.simulated),
        430,
        data,
        xaxis={**EPSILON_AXIS, "range": [float(np.log10(edge)) for edge in edges]},
        yaxis={"title": {"text": "error of the crowd (km), mean ± s.d."}, "rangemode": "tozero"},
        shapes=[guide(0, x=epsilon)],
        annotations=[guide_label(0, epsilon, f"ε = {epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _series(runs: dict[float, Array], shift: int, thing: str, name: str, hollow: bool, dark: bool) -> dict[str, Any]:
    at = np.array(list(runs))
    mean = np.array([values.mean() for values in runs.values()])
    spread = np.array([values.std(ddof=1) for values in runs.values()])
    hue = colour(thing, dark)
    return {
        "type": "scatter",
        "x": at * 1.015 ** (shift - 1.5),  # side by side, or they would cover each other
        "y": mean,
        "customdata": np.column_stack([at, spread]),
        "error_y": {"array": spread, "color": hue, "thickness": 1.5, "width": 3},
        "mode": "lines+markers",
        "line": {"width": 1, "dash": "dot", "color": hue},
        "marker": {"symbol": MARKERS[thing] + ("-open" if hollow else ""), "size": 9, "color": hue},
        "name": name,
        "hovertemplate": "ε = %{customdata[0]:g}: %{y:.2f} ± %{customdata[1]:.2f} km<extra>%{fullData.name}</extra>",
    }


def _curve_finding(errors: CrowdErrors) -> str:
    """From which epsilon the reports beat knowing nothing, and where a curator's noise is better."""
    how = "shuffling" if any("shuffling" in point.promises for point in errors.points) else "composition"
    name = HOW[how].capitalize() + " reports"
    beat = _where(errors, [how in point.promises and point.mean(how) < point.unseen for point in errors.points])
    curator = _where(
        errors,
        [point.baselines["laplace"].mean() < min(point.mean(way) for way in point.promises) for point in errors.points],
    )
    text = f"{name} beat an even spread {beat}" if beat else f"{name} nowhere beat an even spread"
    return text + (f"; noise added by a curator, who sees everything, is better {curator}" if curator else "")


def _where(errors: CrowdErrors, holds: list[bool]) -> str:
    """At which values of epsilon something holds, in words; "" for none."""
    first = max((i + 1 for i, true in enumerate(holds) if not true), default=0)
    if first == 0:
        return "throughout"
    if first < len(holds) and not any(holds[:first]):
        return f"from ε = {errors.points[first].config.base.epsilon:g}"
    return f"at {sum(holds)} of {len(holds)} values of ε" if any(holds) else ""
