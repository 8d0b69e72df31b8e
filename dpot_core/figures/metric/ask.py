"""Noisy answers, and their errors with both promises in both models."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.metric import MODELS, PROMISES, Ask
from dpot_core.figures.city_maps import place_lines, single_map
from dpot_core.figures.metric.words import amount, epsilon_text
from dpot_core.figures.style import MARKERS, TITLE_HEIGHT, colour, counted, new_figure, see_through, simulated

LABELS = {"metric": "by distance (α)", "user-level": "whole user (ε)"}
MODEL_NAMES = {"local": "local", "central": "central"}
# Draws are spread over this much of a row, with a fixed pattern: the height says nothing.
_SPREAD = 0.5


def answers_figure(result: Ask, model: str, dark: bool = False) -> go.Figure:
    """The noisy answers of one model: on the map for positions, on a line for numbers.

    Args:
        result: truth and draws.
        model: "local" or "central".
        dark: whether the ground is dark.
    """
    if len(result.truth) == 2:
        return _positions(result, model, dark)
    share = result.unit == ""
    scale, unit = (100.0, "share of time (%)") if share else (1.0, "average distance (km)")
    rows = [f"{LABELS[kind]}" for kind in PROMISES]
    data = []
    for row, kind in enumerate(PROMISES):
        values = result.draws[model, kind][:, 0] * scale
        data.append(_dots(values, row, kind, dark) | {"hovertemplate": f"%{{x:.4g}}<extra>{LABELS[kind]}</extra>"})
    truth = float(result.truth[0]) * scale
    reach = 4.0 * max(result.error(model, kind) for kind in PROMISES) * scale
    error = amount(result.error(model, "metric"), result.unit)
    name = "the true answer" if result.ground.simulated is False else "the true answer (simulated people)"
    return new_figure(
        f"{_who(result, model)}: off by {error} on average if privacy goes by distance, "
        f"by {amount(result.error(model, 'user-level'), result.unit)} if it covers the whole user"
        f"{simulated(result.ground.simulated)}",
        330,
        data,
        xaxis={"title": {"text": unit}, "range": [truth - reach, truth + reach]},
        yaxis={"tickvals": [0, 1], "ticktext": rows, "range": [1.5, -0.6], "showgrid": False, "zeroline": False},
        shapes=[_truth_line(truth, dark)],
        annotations=[
            {
                "x": truth,
                "y": 1.0,
                "yref": "paper",
                "yanchor": "bottom",
                "text": f"{name}: {truth:.3g}{' %' if share else ' km'}",
                "showarrow": False,
            }
        ],
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 24},
    )


def errors_figure(result: Ask, dark: bool = False) -> go.Figure:
    """Errors of all draws on a logarithmic axis, one row per model and promise; the mark is the exact mean.

    Args:
        result: truth and draws.
        dark: whether the ground is dark.
    """
    share = result.unit == ""
    scale = 100.0 if share else 1.0
    keys = [(model, kind) for model in MODELS for kind in reversed(PROMISES)]
    data, notes = [], []
    for row, (model, kind) in enumerate(keys):
        errors = np.maximum(result.errors(model, kind) * scale, 1e-12)
        mean = result.error(model, kind) * scale
        data.append(_dots(errors, row, kind, dark) | {"hovertemplate": "off by %{x:.3g}<extra></extra>"})
        data.append(
            {
                "type": "scatter",
                "x": [mean],
                "y": [row],
                "mode": "markers",
                "marker": {
                    "symbol": MARKERS[kind],
                    "size": 15,
                    "color": colour(kind, dark),
                    "line": {"width": 1.5, "color": "#FFFFFF"},
                },
                "hovertemplate": "expected error %{x:.3g}<extra></extra>",
            }
        )
        notes.append(
            {
                "x": float(np.log10(mean)),
                "y": row - 0.27,
                "yanchor": "bottom",
                "text": f"<b>{f'{mean:.3g}' if share else amount(mean, result.unit)}</b>",
                "showarrow": False,
            }
        )
    means = [result.error(model, kind) * scale for model, kind in keys]
    ratio = result.error("local", "user-level") / result.error("local", "metric")
    return new_figure(
        f"At ε = {epsilon_text(result.config.base.epsilon)} hiding the whole user costs {_times(ratio)} "
        f"hiding the protected changes{simulated(result.ground.simulated)}",
        330,
        data,
        xaxis={
            "type": "log",
            "title": {"text": "error (percentage points)" if share else "error (km)"},
            "range": [float(np.log10(min(means) / 60)), float(np.log10(max(means) * 8))],
            "tickvals": [10.0**t for t in range(-7, 5)],
            "ticktext": [f"{10.0**t:.7f}".rstrip("0").rstrip(".") for t in range(-7, 5)],
        },
        yaxis={
            "tickvals": list(range(4)),
            "ticktext": [f"{MODEL_NAMES[model]}, {LABELS[kind]}" for model, kind in keys],
            "range": [3.5, -0.7],
            "showgrid": False,
            "zeroline": False,
        },
        annotations=notes,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 12},
    )


def question_map(result: Ask, dark: bool = False) -> go.Figure:
    """f at every cell, with the pair of cells between which it is steepest.

    Args:
        result: holds the question.
        dark: whether the ground is dark.
    """
    question, ground = result.question, result.ground
    values = question.query.values[:, 0]
    i, j = question.on_cells.pair
    pair = ground.points[[i, j]]
    per_km = question.on_cells.constant / result.largest
    unit = f"{result.unit}/km" if result.unit else "per km"
    figure = single_map(
        ground,
        values,
        f"Steepest between two cells: {per_km:.3g} {unit}. Noise is made for "
        f"{question.query.slope.constant / result.largest:.3g} {unit}, the most anywhere{simulated(ground.simulated)}",
        question.query.name + (f" ({result.unit})" if result.unit else ""),
        "%{z:.3g}" + (f" {result.unit}" if result.unit else ""),
    )
    mark: dict[str, Any] = {
        "type": "scatter",
        "x": pair[:, 0],
        "y": pair[:, 1],
        "mode": "lines+markers",
        "line": {"color": "#E69F00", "width": 4},
        "marker": {"size": 10, "color": "#E69F00", "line": {"width": 1, "color": "#000000"}},
        "hoverinfo": "skip",
    }
    place = {
        "type": "scatter",
        "x": [question.place[0]],
        "y": [question.place[1]],
        "mode": "markers",
        "marker": {"symbol": "x", "size": 12, "color": "#FFFFFF", "line": {"width": 1, "color": "#000000"}},
        "hovertemplate": "the place<extra></extra>",
    }
    figure.add_traces([*place_lines(ground), mark, place])
    return figure


def _positions(result: Ask, model: str, dark: bool) -> go.Figure:
    ground = result.ground
    data: list[dict[str, Any]] = []
    outside = 0
    for kind in reversed(PROMISES):
        points = result.draws[model, kind]
        inside = ((points >= 0.0) & (points <= (ground.width, ground.height))).all(axis=1)
        outside += int((~inside).sum()) if kind == "user-level" else 0
        data.append(
            {
                "type": "scatter",
                "x": points[:, 0],
                "y": points[:, 1],
                "mode": "markers",
                "name": LABELS[kind],
                "marker": {"symbol": MARKERS[kind], "size": 6, "color": see_through(colour(kind, dark), 0.65)},
                "hovertemplate": f"%{{x:.2f}} km east, %{{y:.2f}} km north<extra>{LABELS[kind]}</extra>",
            }
        )
    truth = {
        "type": "scatter",
        "x": [result.truth[0]],
        "y": [result.truth[1]],
        "mode": "markers",
        "name": "the true mean",
        "marker": {"symbol": "circle-open", "size": 17, "color": colour("input", dark), "line": {"width": 3}},
        "hovertemplate": "%{x:.2f} km east, %{y:.2f} km north<extra>the true mean</extra>",
    }
    lines = [line | {"showlegend": False} for line in place_lines(ground)]
    beyond = f"; {outside} of {len(points)} whole-user answers lie off the map" if outside else ""
    return new_figure(
        f"{_who(result, model)}: off by {amount(result.error(model, 'metric'), 'km')} on average "
        f"if privacy goes by distance, by {amount(result.error(model, 'user-level'), 'km')} if it covers the whole user"
        f"{beyond}{simulated(ground.simulated)}",
        430,
        [*lines, *data, truth],
        xaxis={"title": {"text": "km east"}, "range": [0, ground.width], "constrain": "domain"},
        yaxis={
            "title": {"text": "km north"},
            "range": [0, ground.height],
            "scaleanchor": "x",
            "constrain": "domain",
            "constraintoward": "top",
        },
        margin={"t": TITLE_HEIGHT + 8, "b": 88},
    )


def _times(ratio: float) -> str:
    if abs(ratio - 1.0) < 0.005:
        return "the same error as"
    return (f"{ratio:,.2g}" if ratio < 10 else f"{ratio:,.0f}") + " times the error of"


def _dots(values: Any, row: int, kind: str, dark: bool) -> dict[str, Any]:
    height = row + _SPREAD * (np.arange(len(values)) * 0.618034 % 1.0 - 0.5)
    return {
        "type": "scatter",
        "x": values,
        "y": height,
        "mode": "markers",
        "marker": {"symbol": MARKERS[kind], "size": 5, "color": see_through(colour(kind, dark), 0.5)},
    }


def _truth_line(x: float, dark: bool) -> dict[str, Any]:
    look = {"color": colour("input", dark), "width": 2}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": look, "layer": "above"}


def _who(result: Ask, model: str) -> str:
    who = "Each person adds noise" if model == "local" else "A curator adds noise"
    return f"{who}, {counted(result.people, 'person', 'people')}"
