"""Measured movements beside the bounds: on the data, and on the circle."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import Circle, Sensitivity, Turn
from dpot_core.figures.population.maps import atoms_trace, ground_traces, map_axes
from dpot_core.figures.population.words import unit
from dpot_core.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, colour, new_figure, simulated


def movement_figure(result: Sensitivity, dark: bool = False) -> go.Figure:
    """How far everything moves when one person is replaced, as a share of the bound; one bar for each person."""
    people = np.arange(1, len(result.replacements) + 1)
    paper = np.array([one.moved for one in result.replacements]) / result.assumed
    proven = np.array([one.sums_moved for one in result.replacements]) / result.proven
    bars = [
        _bars(people, paper, "atoms, against the bound assumed in the paper", colour("perturbation", dark), "/"),
        _bars(people, proven, "sums of the proven step, against the proven bound", colour("input", dark), ""),
    ]
    beyond = int((paper > 1).sum())
    title = (
        f"The assumed bound fails for {beyond} of {len(people)} people, the proven one for {int((proven > 1).sum())}"
        if beyond
        else "Neither bound fails for these people; only one of them is proven"
    )
    one = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1}
    return new_figure(
        title + simulated(result.ground.simulated),
        TITLE_HEIGHT + 320,
        bars,
        xaxis={"title": {"text": "person who is replaced"}, "dtick": 1},
        yaxis={"title": {"text": "moved / bound"}, "rangemode": "tozero"},
        shapes=[{**one, "line": {"color": GUIDE, "width": 2, "dash": "dot"}}],
    )


def replaced_map(result: Sensitivity, person: int, dark: bool = False) -> go.Figure:
    """The paper's atoms before and after one person is replaced.

    Args:
        result: what to draw.
        person: number of the person, from 1.
        dark: whether the ground is dark.
    """
    one = result.replacements[person - 1]
    trip = np.stack([one.before, one.after])
    journey = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": trip[:, 0],
        "y": trip[:, 1],
        "line": {"color": colour("mollifier", dark), "width": 2, "dash": "dash"},
        "marker": {"size": [8, 12], "symbol": ["circle", "triangle-up"], "color": colour("mollifier", dark)},
        "name": "the person",
        "hoverinfo": "skip",
    }
    before = {**atoms_trace(result.atoms, "non-private", dark), "name": "before"}
    after = {**atoms_trace(one.atoms, "perturbation", dark), "name": "after, without noise"}
    data = [*ground_traces(result.ground), journey, before, after]
    far = f"{one.farthest:.3f} {unit(result.ground.geographic)}"
    title = f"Person {person} is replaced: one atom moves {far}; assumed: at most {result.assumed_atom:.3f}"
    return new_figure(
        title + simulated(result.ground.simulated),
        TITLE_HEIGHT + 320,
        data,
        **map_axes(result.ground, [result.atoms, one.atoms]),
    )


def circle_figure(result: Circle, number: int, dark: bool = False) -> go.Figure:
    """One of the two data sets on the circle and its barycenter, with ten chunks.

    Args:
        result: what to draw.
        number: 0 before, 1 after the point is replaced.
        dark: whether the ground is dark.
    """
    shown = next(turn for turn in result.turns if turn.chunks == 10)
    edge = {"range": [-0.6, 0.6], "showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 5}
    return new_figure(
        ("First data set", "One point replaced")[number],
        TITLE_HEIGHT + 300,
        _circle(shown, number, dark),
        xaxis=dict(edge),
        yaxis={**edge, "scaleanchor": "x"},
    )


def circle_moves_figure(result: Circle, dark: bool = False) -> go.Figure:
    """How far an atom moves on the circle against the number of chunks, beside the claim."""
    chunks = [turn.chunks for turn in result.turns]
    measured = {
        "x": chunks,
        "y": [turn.moved for turn in result.turns],
        "name": "moved",
        "mode": "lines+markers",
        "marker": {"symbol": MARKERS["perturbation"], "size": 9, "color": colour("perturbation", dark)},
        "line": {"color": colour("perturbation", dark), "width": 2},
    }
    assumed = {
        "x": chunks,
        "y": [turn.assumed for turn in result.turns],
        "name": "bound assumed in the paper, 1/k'",
        "mode": "lines",
        "line": {"color": GUIDE, "width": 2, "dash": "dash"},
    }
    hover = {"hovertemplate": "%{x} chunks: %{y:.3f}<extra>%{fullData.name}</extra>"}
    last = result.turns[-1]
    return new_figure(
        f"With {last.chunks} chunks one point moves an atom by {last.moved:.2f} diameters; claimed: {last.assumed:g}",
        TITLE_HEIGHT + 300,
        [{"type": "scatter", **trace, **hover} for trace in (measured, assumed)],
        xaxis={
            "type": "log",
            "title": {"text": "chunks k'"},
            "tickvals": chunks,
            "ticktext": [str(value) for value in chunks],
        },
        yaxis={"range": [0, 1.05], "title": {"text": "farthest move (diameters)"}},
    )


def _circle(turn: Turn, number: int, dark: bool) -> list[dict[str, Any]]:
    points, atoms = turn.points[number], turn.atoms[number]
    grey = {"size": 6, "color": GUIDE}
    look = {"size": 14, "symbol": MARKERS["perturbation"], "color": colour("perturbation", dark)}
    one = points[:1]
    replaced = {"size": 11, "symbol": "triangle-up", "color": colour("mollifier", dark)}
    traces = ((points[1:], grey, "points of a chunk"), (one, replaced, "the point replaced"), (atoms, look, "atoms"))
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "x": part[:, 0],
            "y": part[:, 1],
            "marker": marker,
            "name": name,
            "hoverinfo": "skip",
        }
        for part, marker, name in traces
    ]


def _bars(x: Any, y: Any, name: str, hue: str, pattern: str) -> dict[str, Any]:
    look = {"color": hue, "pattern": {"shape": pattern}}
    hover = "person %{x}: %{y:.2f} of the bound<extra>%{fullData.name}</extra>"
    return {"type": "bar", "x": x, "y": y, "name": name, "marker": look, "hovertemplate": hover}
