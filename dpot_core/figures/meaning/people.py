"""A hundred people before and after a release, and a hundred releases in either case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.meaning import PEOPLE, Result
from dpot_core.figures.meaning.words import of_people
from dpot_core.figures.panels import axes, panels
from dpot_core.figures.style import GUIDE, TITLE_HEIGHT, colour, new_figure, see_through

_SIDE = 10
_HEIGHT = 330


def beliefs_figure(result: Result, dark: bool = False) -> go.Figure:
    """Of 100 people in the same situation: of how many one believes it, before and after the worst outputs.

    Args:
        result: of `dpot_core.experiments.meaning.run`.
        dark: whether the ground is dark.
    """
    prior, epsilon = result.config.prior, result.config.epsilon
    words = (
        f"Before: {of_people(prior)}",
        f"After, at most: {of_people(result.most)}",
        f"After, at least: {of_people(result.least, up=False)}",
    )
    title = (
        f"At ε = {epsilon:g} no output turns a belief of {of_people(prior)} into more than {of_people(result.most)}, "
        f"or less than {of_people(result.least, up=False)}"
    )
    return _crowds(title, words, (prior, result.most, result.least), colour("input", dark))


def deniability_figure(result: Result, dark: bool = False) -> go.Figure:
    """Of 100 releases: how many say so if it is true, and how many say so if it is not.

    Args:
        result: of `dpot_core.experiments.meaning.run`.
        dark: whether the ground is dark.
    """
    true, false = result.truthful, result.deniable
    words = (
        f"True: {of_people(true)} say so",
        f"False: {of_people(false, up=False)} say so too",
    )
    title = f"Plausible deniability at ε = {result.config.epsilon:g}: whoever says so can point to those who would too"
    return _crowds(title, words, (true, false), colour("input", dark))


def _crowds(title: str, words: Sequence[str], shares: Sequence[float], dark_grey: str) -> go.Figure:
    data = [trace for panel, value in enumerate(shares) for trace in _crowd(panel, value, dark_grey)]
    hidden = {"visible": False, "fixedrange": True}
    layout = panels(
        list(words),
        len(words),
        x={**hidden, "range": [-0.9, _SIDE - 0.1]},
        y={**hidden, "range": [-0.75, _SIDE - 0.1]},
        gap=(0.05, 0.1),
    )
    for note in layout["annotations"]:
        # Narrow screens break the line rather than lay one title over the next.
        note["text"] = note["text"].replace(": ", ":<br>", 1)
    margin = {"t": TITLE_HEIGHT + 48}
    return new_figure(title, _HEIGHT + TITLE_HEIGHT, data, showlegend=False, margin=margin, **layout)


def _crowd(panel: int, probability: float, dark_grey: str) -> list[dict[str, Any]]:
    """Heads and bodies, filled row by row from the top left; the last one may be filled in part (paler)."""
    place = np.arange(PEOPLE)
    filled = np.clip(probability * PEOPLE - place, 0.0, 1.0)
    x, y = place % _SIDE, _SIDE - 1 - place // _SIDE
    look = {"color": [_mixed(dark_grey, float(value)) for value in filled]}
    state = ["yes" if value == 1 else "no" if value == 0 else f"in part ({value:.0%})" for value in filled]
    return [
        _dots(panel, x, y + 0.3, {"symbol": "circle", "size": 7, **look}, state),
        _dots(panel, x, y - 0.12, {"symbol": "triangle-up", "size": 12, **look}, state),
    ]


def _dots(panel: int, x: Any, y: Any, marker: dict[str, Any], state: list[str]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "markers",
        "marker": {**marker, "line": {"width": 0}},
        "customdata": state,
        "hovertemplate": "%{customdata}<extra></extra>",
        **axes(panel),
    }


def _mixed(dark_grey: str, filled: float) -> str:
    if filled == 0.0:
        return see_through(GUIDE, 0.28)
    return see_through(dark_grey, 0.35 + 0.65 * filled)
