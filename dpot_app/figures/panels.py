"""Small pictures side by side, written as plain dictionaries: Plotly's own subplot calls cost 20 to 80 ms a figure."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dpot_app.figures.style import EPSILON_AXIS, EPSILON_TICKS, EPSILON_TITLE, GUIDE, TITLE_HEIGHT, plain
from dpot_core.privacy.numerals import number

Axis = dict[str, Any]

#: Panels against epsilon, each with a scale of its own.
EPSILON_PANELS: dict[str, Any] = {
    "x": {**EPSILON_TICKS, "title_text": EPSILON_TITLE},
    "y": {"rangemode": "tozero", "nticks": 5},
    "share_y": False,
}
#: A tick at every power of ten.
POWERS: Axis = {"dtick": 1, "exponentformat": "power"}


def axis(title: str, **more: Any) -> Axis:
    return {"title": {"text": title}, **more}


def log_axis(title: str, low: float, high: float, **more: Any) -> Axis:
    marked = {} if {"dtick", "tickvals"} & more.keys() else log_ticks(low, high)
    return axis(title, **{"type": "log", "range": [math.log10(low), math.log10(high)], **marked, **more})


def log_ticks(low: float, high: float, most: int = 8) -> Axis:
    """Ticks of a logarithmic axis, written in full: Plotly's own write 0.5, 5 and 50 alike.

    Args:
        low: positive.
        high: the other end.
        most: so many at most.

    >>> log_ticks(0.04, 12)["ticktext"], log_ticks(1e-3, 2e4)["ticktext"]
    (['0.05', '0.1', '0.2', '0.5', '1', '2', '5', '10'], ['0.001', '0.01', '0.1', '1', '10', '100', '1,000', '10,000'])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for step, digits in ((1, (1, 2, 5)), *((step, (1,)) for step in range(1, last - first + 1))):
        all_ = [digit * 10.0**power for power in range(first, last + 1) if power % step == 0 for digit in digits]
        shown = [value for value in all_ if low <= value <= high]
        if len(shown) <= most:
            break
    return ticks({value: number(value) for value in shown})


def ticks(labels: Mapping[Any, str]) -> Axis:
    return {"tickvals": list(labels), "ticktext": list(labels.values())}


_TITLE_SIZE = 14
#: A mark so near the right end of an axis, as a share of it, has its words on its left: in the middle they are cut.
_NEAR = 0.05


def axes(panel: int) -> dict[str, str]:
    """Which axes a trace of a panel uses (panels count from 0, row by row)."""
    place = "" if panel == 0 else str(panel + 1)
    return {"xaxis": f"x{place}", "yaxis": f"y{place}"}


def panels(
    titles: Sequence[str],
    columns: int,
    *,
    x: dict[str, Any],
    y: dict[str, Any],
    share_y: bool = True,
    gap: tuple[float, float] = (0.03, 0.12),
    widths: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Layout entries for panels in rows of ``columns``; axes are labelled at the left and at the bottom only.

    Args:
        titles: one plain text per panel.
        x: what all x axes have in common; ``title_text`` appears in the lowest panel of each column.
        y: what all y axes have in common; ``title_text`` appears in the first column.
        share_y: whether all panels have one y scale, labelled in the first column.
        gap: between columns and between rows, as fractions of the figure.
        widths: relative widths of the columns; equal when None.

    Returns:
        ``xaxis``, ``yaxis``, ``xaxis2``, ..., and ``annotations`` with the titles.
    """
    rows = math.ceil(len(titles) / columns)
    shares = list(widths) if widths is not None else [1.0] * columns
    room = 1.0 - gap[0] * (columns - 1)
    layout: dict[str, Any] = {"annotations": []}
    height = (1.0 - gap[1] * (rows - 1)) / rows
    for panel, title in enumerate(titles):
        row, column = divmod(panel, columns)
        left = sum(shares[:column]) / sum(shares) * room + column * gap[0]
        bottom = (rows - 1 - row) * (height + gap[1])
        right, top = left + shares[column] / sum(shares) * room, bottom + height
        names = axes(panel)
        place = names["xaxis"][1:]
        is_lowest = panel + columns >= len(titles)
        x_axis = {**x, "domain": [left, right], "anchor": names["yaxis"], "showticklabels": is_lowest}
        y_axis = {**y, "domain": [bottom, top], "anchor": names["xaxis"]}
        if not is_lowest:
            x_axis.pop("title_text", None)
        if column > 0:
            y_axis.pop("title_text", None)
            y_axis["showticklabels"] = not share_y
        if panel > 0 and share_y:
            y_axis["matches"] = "y"
        layout |= {f"xaxis{place}": _nested(x_axis), f"yaxis{place}": _nested(y_axis)}
        layout["annotations"].append(
            {
                "text": plain(title),
                "x": (left + right) / 2,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": _TITLE_SIZE},
            }
        )
    return layout


def guide(panel: int, *, x: float | None = None, y: float | None = None, dash: str = "dot") -> dict[str, Any]:
    """A line across a panel, at a value of x or of y (the value itself, also on a log axis)."""
    names = axes(panel)
    across = {"yref": f"{names['yaxis']} domain", "xref": names["xaxis"], "x0": x, "x1": x, "y0": 0, "y1": 1}
    if x is None:
        across = {"xref": f"{names['xaxis']} domain", "yref": names["yaxis"], "x0": 0, "x1": 1, "y0": y, "y1": y}
    return {"type": "line", "line": {"color": GUIDE, "width": 1.5, "dash": dash}, **across}


def at_epsilon(epsilon: float, **axis: Any) -> dict[str, Any]:
    """Layout entries of curves over epsilon: their axis, and its present value marked; see `at_value`."""
    return at_value(epsilon, f"ε = {epsilon:g}", EPSILON_AXIS | axis)


def at_value(value: float, text: str, shown: Axis) -> dict[str, Any]:
    """Layout entries of curves: their axis, and the present value marked, or at which edge it lies beyond the axis.

    Args:
        value: what is marked (the value itself, also on a log axis).
        text: its words.
        shown: the axis; without a ``range`` everything is on it.
    """
    at = math.log10(value) if shown.get("type") == "log" else value
    low, high = shown.get("range", (-math.inf, math.inf))
    label = guide_label(0, value, text) | {"x": min(max(at, low), high)}
    if low <= at <= high and at > high - _NEAR * (high - low):
        label["xanchor"] = "right"
    if not low <= at <= high:
        side, words = ("left", f"← {text}") if at < low else ("right", f"{text} →")
        label |= {"text": words, "xanchor": side}
    return {
        "xaxis": shown,
        "shapes": [guide(0, x=value)] if low <= at <= high else [],
        "annotations": [label],
        "margin": {"t": TITLE_HEIGHT + 28},
    }


def guide_label(panel: int, log_x: float, text: str) -> dict[str, Any]:
    """A label on top of a vertical guide on a logarithmic axis at the value ``log_x``."""
    names = axes(panel)
    return {
        "text": plain(text),
        # Plotly wants the value for a line on a log axis, but its logarithm for an annotation.
        "x": math.log10(log_x),
        "y": 1,
        "xref": names["xaxis"],
        "yref": f"{names['yaxis']} domain",
        "yanchor": "bottom",
        "showarrow": False,
    }


def _nested(axis: dict[str, Any]) -> dict[str, Any]:
    """``title_text`` written as Plotly's JSON has it."""
    text = axis.pop("title_text", None)
    return axis if text is None else {**axis, "title": {"text": text}}
