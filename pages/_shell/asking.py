"""Settings as widgets, from their one declaration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from dpot_core.studies._kit.links import text
from dpot_core.studies._kit.setting import Declared, declared, default_of, number_text
from dpot_core.studies._kit.values import get
from pages._shell.controls import Controls

C = TypeVar("C")


def ask(controls: Controls, of: Any, name: str, instead: Declared | None = None, **options: Any) -> Any:
    """The widget of a setting; its value.

    Args:
        controls: of the page.
        of: class of the settings, or settings to begin with where a page does not begin with the defaults.
        name: dotted name of the setting in it.
        instead: the declaration, where a view has another one.
        **options: of Streamlit's widget.

    Raises:
        TypeError: if the setting is declared without a widget.
    """
    kind = of if isinstance(of, type) else type(of)
    known, default = instead or declared(kind)[name], default_of(of, name) if kind is of else get(of, name)
    given = {"help": known.help, **options} if known.help else options
    link, label = known.link, known.label
    look: Any = known.widget
    if known.widget == "steps" and known.grid is not None:
        start = 0.0 if default is None else float(default)
        value: Any = controls.steps(link, label, known.grid, start, show=lambda number: text(known, number), **given)
        return _typed(None if known.empty is not None and value == 0.0 else value, default)
    if known.widget in ("list", "segments"):
        if known.options is not None:
            return controls.choice(link, label, known.options, default, kind=look, **given)
        words = {number_text(number): known.show(number) for number in known.grid or ()}
        return _typed(float(controls.choice(link, label, words, number_text(default), kind=look, **given)), default)
    if known.widget == "pills" and known.options is not None:
        return controls.several(link, label, known.options, default, **given)
    if known.widget == "toggle":
        return controls.toggle(link, label, default, **given)
    if known.widget in ("slider", "field") and isinstance(default, int):
        low, high = map(int, known.range)
        look = "number" if look == "field" else look
        return controls.integer(link, label, low, high, default, kind=look, **given)
    if known.widget == "field":
        return controls.typed(link, label, *known.range, default, **given)
    if known.widget == "slider" and known.every is not None:
        return controls.number(link, label, *known.range, default, known.every, **given)
    raise TypeError(f"the setting {name!r} is declared without a widget that fits; got {known.widget!r}")


def ask_several(controls: Controls, begin: C, widths: Mapping[str, Any]) -> C:
    """Settings with the values of a few widgets, such as those that stand side by side inside a tab.

    ``widths``: Streamlit's width by name; what the settings before it make pointless is left out.
    """
    for name, width in widths.items():
        if declared(type(begin))[name].shown(begin):
            begin = replace(begin, **{name: ask(controls, begin, name, width=width)})  # type: ignore[type-var]
    return begin


def _typed(value: float | None, default: Any) -> Any:
    return int(value) if isinstance(default, int) and value is not None else value
