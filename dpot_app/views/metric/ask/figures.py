from typing import Any

import numpy as np

from dpot_app.figures.city_maps import km_axes, place_lines, single_map
from dpot_app.figures.panels import axis, guide, log_axis, ticks
from dpot_app.figures.style import MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, see_through, simulated
from dpot_app.figures.traces import Trace, line, marks
from dpot_app.views.metric.ask.results import MODELS, PROMISES, Ask
from dpot_app.views.metric.units import amount
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import at_most, counted, number

LABELS = {"metric": "by distance (α)", "user-level": "whole user (ε)"}
# Draws are spread over this much of a row, with a fixed pattern: the height says nothing.
_SPREAD = 0.5
_POSITION = "%{x:.2f} km east, %{y:.2f} km north"
_WHITE = {"width": 1.5, "color": "#FFFFFF"}
_BARE = {"showgrid": False, "zeroline": False}


def answers_figure(result: Ask, model: str) -> Figure:
    """The noisy answers of one model, "local" or "central": on the map for positions, on a line for numbers."""
    return _positions(result, model) if len(result.truth) == 2 else _numbers(result, model)


def _numbers(result: Ask, model: str) -> Figure:
    scale, name = (1.0, "average distance (km)") if result.unit else (100.0, "share of time (%)")
    truth = float(result.truth[0]) * scale
    reach = 4.0 * max(result.error_of(result.usual, model, promise) for promise in PROMISES) * scale
    ends = truth - reach, truth + reach
    data = [
        _dots(result.draws[model, promise][:, 0] * scale, row, promise, ends, "%{customdata:.3~g}", LABELS[promise])
        for row, promise in enumerate(PROMISES)
    ]
    at_truth = guide(0, x=truth) | {"line": {"color": colour("input"), "width": 2}}
    whose = "the true answer (simulated people)" if result.map.simulated else "the true answer"
    text = f"{whose}: {number(truth)}{' km' if result.unit else '%'}"
    return new_figure(
        _title(result, model),
        330,
        data,
        # Marks at both ends are seen whole.
        xaxis=axis(name, range=[truth - 1.02 * reach, truth + 1.02 * reach]),
        yaxis={**ticks({row: LABELS[promise] for row, promise in enumerate(PROMISES)}), "range": [1.5, -0.6], **_BARE},
        shapes=[at_truth],
        annotations=[{"x": truth, "y": 1.0, "yref": "paper", "yanchor": "bottom", "showarrow": False, "text": text}],
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 24},
    )


def _positions(result: Ask, model: str) -> Figure:
    city = result.map
    data = [
        marks(east, north, LABELS[promise], hover=_POSITION, **_small(promise, 6, 0.8))
        for promise in reversed(PROMISES)
        for east, north in [result.draws[model, promise].T]
    ]
    look: dict[str, Any] = {"symbol": "circle-open", "size": 17, "color": colour("input"), "line": {"width": 3}}
    truth = marks(result.truth[:1], result.truth[1:], "the true mean", hover=_POSITION, **look)
    whole_user = result.draws[model, "user-level"]
    outside = int((~((whole_user >= 0.0) & (whole_user <= (city.width, city.height))).all(axis=1)).sum())
    beyond = f"{outside} of {len(whole_user)} whole-user answers lie off the map" if outside else ""
    where = {"x": 0.5, "xref": "paper", "y": 1.0, "yref": "paper", "yanchor": "bottom", "showarrow": False}
    return new_figure(
        _title(result, model),
        430,
        [*(road | {"showlegend": False} for road in place_lines(city)), *data, truth],
        **km_axes(city, constrain="domain"),
        annotations=[where | {"text": beyond}],
        margin={"t": TITLE_HEIGHT + 24, "b": 88},
    )


def errors_figure(result: Ask) -> Figure:
    """Errors of all draws on a logarithmic axis, one row per model and promise; the mark is the exact mean."""
    scale = 1.0 if result.unit else 100.0
    keys = [(model, promise) for model in MODELS for promise in reversed(PROMISES)]
    means = {key: result.error(*key) * scale for key in keys}
    most = max(result.error_of(result.ends[0], *key) for key in keys) * scale
    least = min(result.error_of(result.ends[1], *key) for key in keys) * scale
    ends = min(least, *means.values()) / 60, max(most, *means.values()) * 8
    # Below a kilometre in metres, as the labels are.
    powers = [10.0**power for power in range(-7, 5)]
    numbers = {
        power: amount(power, "km") if result.unit else f"{power:,.7f}".rstrip("0").rstrip(".") for power in powers
    }
    name, unit = ("error", " km") if result.unit else ("error (percentage points)", "")
    data, notes = [], []
    for row, ((model, promise), mean) in enumerate(means.items()):
        errors = result.errors(model, promise) * scale
        data.append(_dots(errors, row, promise, ends, f"off by %{{customdata:.3~g}}{unit}"))
        look: dict[str, Any] = {"symbol": MARKERS[promise], "size": 15, "color": colour(promise), "line": _WHITE}
        data.append(marks([mean], [row], hover=f"expected error %{{x:.3~g}}{unit}", **look))
        text = f"<b>{amount(mean, 'km') if result.unit else number(mean)}</b>"
        place = {"x": float(np.log10(mean)), "y": row - 0.27, "yanchor": "bottom", "showarrow": False}
        notes.append(place | {"text": text})
    ratio = result.error("local", "user-level") / result.error("local", "metric")
    rows = ticks({row: f"{model}, {LABELS[promise]}" for row, (model, promise) in enumerate(keys)})
    return new_figure(
        f"At ε = {at_most(result.config.base.epsilon)} protecting the whole user {_times(ratio)}"
        f"{simulated(result.map.simulated)}",
        330,
        data,
        xaxis=log_axis(name, *ends, **ticks(numbers)),
        yaxis={**rows, "range": [3.5, -0.7], **_BARE},
        annotations=notes,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 12},
    )


def question_map(result: Ask) -> Figure:
    """f at every cell, with the pair of cells between which it is steepest."""
    question, city = result.question, result.map
    pair = city.points[list(question.on_cells.pair)]
    unit = f"{result.unit}/km" if result.unit else "per km"
    figure = single_map(
        city,
        question.query.values[:, 0],
        f"Steepest between two cells: {number(question.on_cells.constant / result.largest)} {unit}. Noise is made for "
        f"{number(question.query.slope.constant / result.largest)} {unit}, the most anywhere"
        + simulated(city.simulated),
        question.query.name + (f" ({result.unit})" if result.unit else ""),
        "%{z:.3~g}" + (f" {result.unit}" if result.unit else ""),
    )
    edge = {"width": 1, "color": "#000000"}
    steepest = line(*pair.T, colour="#E69F00", width=4, symbol="circle", size=10)
    steepest["marker"] |= {"line": edge}
    look: dict[str, Any] = {"symbol": "x", "size": 12, "color": "#FFFFFF", "line": edge}
    east, north = question.place
    place = marks([east], [north], hover="the place", **look)
    figure.add_traces([*place_lines(city), steepest, place])
    return figure


def _title(result: Ask, model: str) -> str:
    people = counted(result.people, "person", "people")
    who = f"Each of {people} adds noise" if model == "local" else f"A curator adds noise, {people}"
    by_distance, whole_user = (amount(result.error(model, promise), result.unit) for promise in PROMISES)
    return (
        f"{who}: off by {by_distance} (privacy by distance), {whole_user} (whole user){simulated(result.map.simulated)}"
    )


def _times(ratio: float) -> str:
    if abs(ratio - 1.0) < 0.005:
        return "has the same error as protecting the changes"
    return f"makes the error {number(ratio)} times as large"


def _small(promise: str, size: int, opacity: float) -> dict[str, Any]:
    return {"symbol": MARKERS[promise], "size": size, "color": see_through(colour(promise), opacity)}


def _dots(values: Array, row: int, promise: str, ends: tuple[float, float], hover: str, name: str = "") -> Trace:
    """Values in a row; what lies beyond the ends of the axis stands there."""
    height = row + _SPREAD * (np.arange(len(values)) * 0.618034 % 1.0 - 0.5)
    dots = marks(np.clip(values, *ends), height, name, hover=hover, **_small(promise, 5, 0.8))
    return dots | {"customdata": values}
