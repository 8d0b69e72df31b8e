"""A setting as one of Streamlit's widgets, from its declaration."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpot_app.kit.links import entries_by_text, name, text
from dpot_app.kit.setting import Declared


@dataclass(frozen=True)
class Widget:
    draw: Callable[..., Any]  # given its key, and how it is bound to the address
    read: Callable[[Any], Any]  # its content from a link's text, or from several where there may be many
    readable: Callable[[str], bool]  # whether it can take a link's text
    value: Callable[[Any], Any] = lambda content: content  # of the setting, from the widget's content
    worded: bool = False  # whether it shows other words than links carry


def widget_of(known: Declared, value: Any, parameter: str = "", **options: Any) -> Widget:
    """The widget of a setting.

    Args:
        parameter: its name in links, with the page's prefix; "" where no link carries it.

    Raises:
        TypeError: if the setting is declared without a widget that fits.
    """
    given = {"help": known.help, **options} if known.help else options
    if known.widget == "toggle":
        toggle = partial(st.toggle, known.label, value, **given)
        return Widget(toggle, "true".__eq__, lambda raw: raw.lower() in ("true", "false"))
    by_text = entries_by_text(parameter, known)
    if known.many and known.options is not None:
        return _pills(partial(st.pills, known.label, default=list(value), **given), known.options, by_text)
    if by_text:
        return _one_of(known, by_text, 0.0 if value is None and known.empty is not None else value, given)
    return _number(known, value, given)


def _pills(pills: Callable[..., Any], labels: Mapping[str, str], by_text: Mapping[str, str]) -> Widget:
    draw = partial(pills, options=list(labels), selection_mode="multi", format_func=labels.__getitem__)

    def read(raw: Sequence[str]) -> list[str]:
        meant = {by_text[part] for part in raw if part}
        return [entry for entry in labels if entry in meant]

    # An empty parameter stands for an empty selection.
    return Widget(
        draw,
        read,
        {"", *by_text}.__contains__,
        lambda chosen: tuple(one for one in labels if one in chosen),
        worded=True,
    )


def _one_of(known: Declared, by_text: Mapping[str, Any], start: Any, given: dict[str, Any]) -> Widget:
    """One of several options, or of the numbers of a grid."""
    entries: list[Any] = list(known.options or known.grid or ())
    show: Callable[[Any], str] = known.options.__getitem__ if known.options is not None else partial(text, known)
    draw: Callable[..., Any]
    if known.widget == "steps":
        draw = partial(st.select_slider, value=start)
    elif known.widget == "segments":
        draw = partial(st.segmented_control, default=start, required=True)
    else:
        draw = partial(st.selectbox, index=entries.index(start))
    draw = partial(draw, known.label, entries, format_func=show, **given)

    def value(entry: Any) -> Any:
        return None if known.empty is not None and entry == 0.0 else type(start)(entry)

    worded = any(show(entry) != name(known, entry) for entry in entries)
    return Widget(draw, by_text.__getitem__, by_text.__contains__, value, worded)


def _number(known: Declared, start: Any, given: dict[str, Any]) -> Widget:
    """A number on a slider, or typed in; shown with all its digits there, as the link holds it."""
    kind = type(start)
    low, high = map(kind, known.range)
    step: dict[str, Any] = {"step": 1} if kind is int else {"step": known.every}
    if known.widget == "field" and kind is float:
        step |= {"format": "%.12g"}
    draw: Any = st.slider if known.widget == "slider" else st.number_input

    def readable(raw: str) -> bool:
        number = as_number(raw)
        return bool(low <= number <= high and (number.is_integer() or kind is float))

    return Widget(partial(draw, known.label, low, high, start, **step, **given), kind, readable, kind)


def as_number(raw: str) -> float:
    """The number that a text stands for, NaN for none."""
    try:
        return float(raw)
    except ValueError:
        return math.nan
