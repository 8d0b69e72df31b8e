"""Traces as plain dictionaries: what every line, band, bar and set of marks of the app has in common."""

from typing import Any

import numpy as np

from dpot_app.figures.panels import axes
from dpot_app.figures.style import see_through

Trace = dict[str, Any]


def line(
    x: Any, y: Any, name: str = "", *, colour: Any, dash: Any = "solid", hover: Any = "", panel: Any = 0, **more: Any
) -> Trace:
    """A line, with marks where it is given their ``symbol``; ``width`` is 2 and ``size`` of marks 9 unless given.

    Args:
        name: in the legend and beside the mouse; "" for neither.
        dash: Plotly's name of its pattern.
        hover: template of what the mouse shows; "" for nothing.
        **more: attributes of Plotly's trace that differ.
    """
    stroke = {"color": colour, "dash": dash, "width": more.pop("width", 2), **more.pop("line", {})}
    marker = {"symbol": more.pop("symbol", ""), "size": more.pop("size", 9), "color": colour}
    look = {"mode": "lines+markers", "line": stroke, "marker": marker}
    if not marker["symbol"]:
        look = {"mode": "lines", "line": stroke}
    return _trace("scatter", x, y, name, hover, panel) | look | more


def marks(
    x: Any, y: Any, name: str = "", *, hover: str = "", panel: int = 0, mode: str = "markers", **look: Any
) -> Trace:
    """Marks at points; see `line`.

    Args:
        **look: of the marks: color, size, symbol, line.
    """
    return _trace("scatter", x, y, name, hover, panel) | {"mode": mode, "marker": look}


def star(x: Any, y: Any, name: str = "", **more: Any) -> Trace:
    """A marker for the value in use, or reached; whole at an axis's end, too. See `marks`."""
    look = {"symbol": "star", "line": {"width": 1, "color": "white"}}
    return marks(x, y, name, **{**more, **look}) | {"cliponaxis": False}


def bars(x: Any, y: Any, name: str = "", *, colour: Any, hover: Any = "", panel: Any = 0, **more: Any) -> Trace:
    """Bars; see `line`.

    Args:
        **more: attributes of Plotly's trace that differ.
    """
    return _trace("bar", x, y, name, hover, panel) | {"marker": {"color": colour}} | more


def band(x: Any, low: Any, high: Any, *, colour: str, opacity: float, panel: int = 0, **more: Any) -> Trace:
    """The room between two curves, shaded; see `line`.

    Args:
        colour: of the line that it belongs to.
        **more: attributes of Plotly's trace that differ.
    """
    there, around = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
    shade = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "fillcolor": see_through(colour, opacity)}
    return _trace("scatter", there, around, "", "", panel) | shade | more


def rows(
    y: Any, start: Any, end: Any, name: str = "", *, colour: str, hollow: bool = False, half: float = 0.4
) -> Trace:
    """Bars that lie, as outlines: at the heights ``y`` from ``start`` to ``end``, (m,) each; see `line`.

    Args:
        hollow: whether they are faint inside, so that not their colour alone tells them.
        half: of the thickness.
    """
    low, high, gap = np.asarray(y) - half, np.asarray(y) + half, np.full(len(y), np.nan)
    x = np.column_stack([start, end, end, start, start, gap]).ravel()
    around = np.column_stack([low, low, high, high, low, gap]).ravel()
    shade = {"fill": "toself", "fillcolor": see_through(colour, 0.25 if hollow else 1.0)}
    return line(x, around, name, colour=colour, width=1.5) | shade


def heat(x: Any, y: Any, z: Any, name: str = "", *, hover: Any = "", panel: Any = 0, **more: Any) -> Trace:
    """Values on a grid (rows are y) as colours; ``more`` as for `line`."""
    return _trace("heatmap", x, y, name, hover, panel) | {"z": z} | more


def _trace(kind: str, x: Any, y: Any, name: str, hover: str, panel: int) -> Trace:
    shown = (
        {"hovertemplate": f"{hover}<extra>{'%{fullData.name}' if name else ''}</extra>"}
        if hover
        else {"hoverinfo": "skip"}
    )
    named = {"name": name} if name else {"showlegend": False}
    return {"type": kind, "x": x, "y": y, **named, **shown, **axes(panel)}
