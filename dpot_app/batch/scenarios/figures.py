"""Figures of the what-if board and the report."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from dpot_app.batch.scenarios.scenario import Outcome
from dpot_app.batch.scenarios.sensitivity import Sensitivity
from dpot_app.figures.panels import guide
from dpot_app.figures.style import COLOURS, TITLE_HEIGHT, new_figure, plain
from dpot_app.figures.traces import Trace
from dpot_core.privacy.numerals import in_full, number

_SIDES = (("smaller value", COLOURS["kpm"], "/"), ("larger value", COLOURS["wpm"], ""))


def picture(outcome: Outcome) -> go.Figure:
    """The one figure of what running a scenario gave, on a light ground; its numbers where its view shows none."""
    view = outcome.scenario.view
    return view.board_picture(outcome.results) or headlines_figure(outcome.headlines, view.title)


def headlines_figure(headlines: Mapping[str, float], title: str) -> go.Figure:
    """Bars of a few numbers: name with unit -> value."""
    bars: Trace = {
        "type": "bar",
        "orientation": "h",
        "y": [plain(name) for name in headlines],
        "x": list(headlines.values()),
        "text": [number(value) for value in headlines.values()],
        "marker": {"color": COLOURS["wpm"]},
        "hovertemplate": "%{y}: %{x:.3~g}<extra></extra>",
    }
    height = TITLE_HEIGHT + 60 + 36 * len(headlines)
    return new_figure(title, height, [bars], yaxis={"autorange": "reversed"}, xaxis={"rangemode": "tozero"})


def tornado_figure(result: Sensitivity) -> go.Figure:
    """How far the answer moves when one setting moves by its step, the setting that moves it most on top."""
    bars = [bar for bar in result.bars if bar.reach(result.answer) > 0]
    data: list[Trace] = []
    for side, (name, hue, pattern) in enumerate(_SIDES):
        rows = [bar for bar in bars if bar.answers[side] is not None]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": [plain(bar.label) for bar in rows],
                "x": [(bar.answers[side] or 0.0) - result.answer for bar in rows],
                "base": result.answer,
                "name": name,
                "marker": {"color": hue, "pattern": {"shape": pattern, "fgcolor": "white", "fillmode": "overlay"}},
                "text": [setting_text(bar.values[side]) for bar in rows],
                "textposition": "outside",
                "cliponaxis": False,
                "customdata": [bar.answers[side] for bar in rows],
                "hovertemplate": "%{y} = %{text}: %{customdata:.3~g}<extra></extra>",
            }
        )
    layout: dict[str, Any] = {"yaxis": {"autorange": "reversed"}, "xaxis": {"title": {"text": plain(result.headline)}}}
    height = TITLE_HEIGHT + 110 + 44 * max(len(bars), 1)
    return new_figure(_title(result), height, data, barmode="group", shapes=[guide(0, x=result.answer)], **layout)


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
