"""Figures of the what-if board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import plotly.graph_objects as go

from dpot_core.figures.style import COLOURS, GUIDE, TITLE_HEIGHT, new_figure, plain


class Bar(Protocol):
    """What one setting does to the answer: values and answers below and above."""

    @property
    def label(self) -> str:
        """The setting's name."""

    @property
    def values(self) -> tuple[float | None, float | None]:
        """What it is moved to."""

    @property
    def answers(self) -> tuple[float | None, float | None]:
        """The number with these values."""

    def reach(self, answer: float) -> float:
        """The largest change."""


class Moved(Protocol):
    """A result of `dpot_core.scenarios.sensitivity`."""

    @property
    def headline(self) -> str:
        """The number that is watched."""

    @property
    def answer(self) -> float:
        """Its value."""

    @property
    def bars(self) -> Sequence[Bar]:
        """One for each setting."""


_SIDES = (("smaller value", COLOURS["kpm"], "/"), ("larger value", COLOURS["wpm"], ""))


def tornado_figure(found: Moved) -> go.Figure:
    """How far the answer moves when one setting moves by its step, the setting that moves it most on top.

    Args:
        found: from `dpot_core.scenarios.sensitivity`.
    """
    bars = [bar for bar in found.bars if bar.reach(found.answer) > 0]
    data: list[dict[str, Any]] = []
    for side, (name, hue, pattern) in enumerate(_SIDES):
        rows = [bar for bar in bars if bar.answers[side] is not None]
        moved = [(bar.answers[side] or 0.0) - found.answer for bar in rows]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": [plain(bar.label) for bar in rows],
                "x": moved,
                "base": found.answer,
                "name": name,
                "marker": {"color": hue, "pattern": {"shape": pattern, "fgcolor": "white", "fillmode": "overlay"}},
                "text": [f"{bar.values[side]:.4g}" for bar in rows],
                "textposition": "outside",
                "cliponaxis": False,
                "customdata": [bar.answers[side] for bar in rows],
                "hovertemplate": "%{y} = %{text}: %{customdata:.6g}<extra></extra>",
            }
        )
    return new_figure(
        _title(found),
        TITLE_HEIGHT + 110 + 44 * max(len(bars), 1),
        data,
        barmode="group",
        yaxis={"autorange": "reversed"},
        xaxis={"title": {"text": plain(found.headline)}},
        shapes=[
            {
                "type": "line",
                "x0": found.answer,
                "x1": found.answer,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": GUIDE, "dash": "dot"},
            }
        ],
    )


def _title(found: Moved) -> str:
    if not found.bars or found.bars[0].reach(found.answer) == 0:
        return f"{found.headline} = {found.answer:.4g}: no step of a single setting moves it"
    most = found.bars[0]
    return f"{found.headline} = {found.answer:.4g}; moved most by “{most.label}”"
