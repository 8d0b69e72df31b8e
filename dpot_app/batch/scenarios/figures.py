"""Figures of the what-if board and the report."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpot_app.batch.scenarios.scenario import Outcome
from dpot_app.batch.scenarios.sensitivity import Sensitivity
from dpot_app.figures.panels import guide
from dpot_app.figures.style import COLOURS, TITLE_HEIGHT, new_figure, plain
from dpot_app.figures.traces import Trace, marks, rows
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import in_full, number

_SIDES = (("smaller value", COLOURS["kpm"], -0.2), ("larger value", COLOURS["wpm"], 0.2))


def picture(outcome: Outcome) -> go.Figure:
    """The one figure of what running a scenario gave, on a light ground; its numbers where its view shows none."""
    view = outcome.scenario.view
    return view.board_picture(outcome.results) or headlines_figure(outcome.headlines, view.title)


def headlines_figure(headlines: Mapping[str, float], title: str) -> go.Figure:
    """Bars of a few numbers: name with unit -> value."""
    at, values = -np.arange(len(headlines), dtype=float), np.array([*headlines.values()], dtype=float)
    names = [plain(name) for name in headlines]
    data = [
        rows(at, np.zeros(len(at)), values, colour=COLOURS["wpm"]),
        _words(at, values, values >= 0, names, [number(value) for value in values]),
    ]
    return new_figure(title, TITLE_HEIGHT + 60 + 36 * len(at), data, **_along(names, [0.0, *values]))


def tornado_figure(result: Sensitivity) -> go.Figure:
    """How far the answer moves when one setting moves by its step, the setting that moves it most on top."""
    bars = [bar for bar in result.bars if bar.reach(result.answer) > 0]
    data: list[Trace] = []
    for side, (name, hue, up) in enumerate(_SIDES):
        known = [(place, bar, moved) for place, bar in enumerate(bars) if (moved := bar.answers[side]) is not None]
        at, answers = np.array([-up - place for place, _, _ in known]), np.array([moved for _, _, moved in known])
        now = np.full(len(at), result.answer)
        data.append(rows(at, now, answers, name, colour=hue, hollow=side == 0, half=0.2))
        names = [plain(bar.label) for _, bar, _ in known]
        texts = [setting_text(bar.values[side]) for _, bar, _ in known]
        data.append(_words(at, answers, answers >= now, names, texts))
    reached = [moved for bar in bars for moved in bar.answers if moved is not None]
    layout = _along([plain(bar.label) for bar in bars], [result.answer, *reached])
    layout["xaxis"]["title"] = {"text": plain(result.headline)}
    height = TITLE_HEIGHT + 110 + 44 * max(len(bars), 1)
    return new_figure(_title(result), height, data, shapes=[guide(0, x=result.answer)], **layout)


def _words(at: Array, ends: Array, right: NDArray[np.bool_], names: Sequence[str], texts: Sequence[str]) -> Trace:
    """The words at the ends of horizontal bars."""
    hover = "%{customdata[0]} = %{text}: %{customdata[1]:.3~g}"
    side = ["middle right" if beyond else "middle left" for beyond in right]
    known = [[name, float(end)] for name, end in zip(names, ends, strict=True)]
    words = {"text": list(texts), "textposition": side, "customdata": known, "cliponaxis": False}
    return marks(ends, at, hover=hover, mode="text") | words


def _along(names: Sequence[str], ends: Sequence[float]) -> dict[str, Any]:
    """Axes of bars that lie one below the other: their names, and room for the words at their ends."""
    low, high, count = min(ends), max(ends), max(len(names), 1)
    room = 0.15 * (high - low) or 1.0
    named = {"tickvals": -np.arange(len(names)), "ticktext": list(names), "showgrid": False, "zeroline": False}
    return {"yaxis": {"range": [0.5 - count, 0.5], **named}, "xaxis": {"range": [low - room, high + room]}}


def setting_text(value: float | None) -> str:
    """The value of a setting, exact and in full.

    >>> setting_text(400_000_000), setting_text(0.1 + 0.2), setting_text(1e-09), setting_text(None)
    ('400,000,000', '0.3', '1e-09', 'none')
    """
    return "none" if value is None else in_full(value)


def _title(result: Sensitivity) -> str:
    if not result.bars or result.bars[0].reach(result.answer) == 0:
        return f"{result.headline} = {number(result.answer)}: no step of a single setting moves it"
    return f"{result.headline} = {number(result.answer)}; moved most by “{result.bars[0].label}”"
