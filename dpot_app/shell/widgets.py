"""A setting as one of Streamlit's widgets, from its declaration."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpot_app.kit.links import text
from dpot_app.kit.setting import Declared


@dataclass(frozen=True)
class Widget:
    draw: Callable[..., Any]  # given its key, and how it is bound to the address
    read: Callable[[Any], Any]  # its content from a link's text, or from several where there may be many
    readable: Callable[[str], bool]  # whether it can take a link's text
    value: Callable[[Any], Any] = lambda content: content  # of the setting, from the widget's content


def widget_of(known: Declared, value: Any, **options: Any) -> Widget:
    """The widget of a setting.

    Raises:
        TypeError: if the setting is declared without a widget that fits.
    """
    given = {"help": known.help, **options} if known.help else options
    if known.widget == "toggle":
        toggle = partial(st.toggle, known.label, value, **given)
        return Widget(toggle, "true".__eq__, lambda raw: raw.lower() in ("true", "false"))
    if known.many and known.options is not None:
        return _pills(partial(st.pills, known.label, default=list(value), **given), known.options)
    entries = list(known.options or known.grid or ())
    if entries:
        return _one_of(known, entries, 0.0 if value is None and known.empty is not None else value, given)
    return _number(known, value, given)


def _pills(pills: Callable[..., Any], labels: Any) -> Widget:
    draw = partial(pills, options=list(labels), selection_mode="multi", format_func=labels.__getitem__)
    return Widget(
        draw,
        lambda raw: [entry for entry, label in labels.items() if label in raw],
        # An empty parameter stands for an empty selection.
        ["", *labels.values()].__contains__,
        lambda chosen: tuple(entry for entry in labels if entry in chosen),
    )


def _one_of(known: Declared, entries: Sequence[Any], start: Any, given: dict[str, Any]) -> Widget:
    """One of several options, or of the numbers of a grid."""
    show = known.options.__getitem__ if known.options is not None else partial(text, known)
    by_text = {show(entry): entry for entry in entries}
    by_text |= {old: by_text[new] for old, new in known.formerly.items()}
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

    return Widget(draw, by_text.__getitem__, by_text.__contains__, value)


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
