"""Settings as widgets and as parameters of a link, from their one declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpot_core.scenarios.values import get
from dpot_core.studies._kit.setting import Declared, declared, default_of, number_text
from pages._shell.controls import Controls

Parameters = dict[str, str | list[str]]


class CannotShowError(Exception):
    """The page has no place for a value; says which."""


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
    if known.widget == "steps" and known.grid is not None:
        start = 0.0 if default is None else float(default)
        value: Any = controls.steps(link, label, known.grid, start, show=lambda number: text(known, number), **given)
        return _typed(None if known.empty is not None and value == 0.0 else value, default)
    if known.widget in ("list", "segments"):
        look: Any = known.widget
        if known.options is not None:
            return controls.choice(link, label, known.options, default, kind=look, **given)
        words = {number_text(number): known.show(number) for number in known.grid or ()}
        return _typed(float(controls.choice(link, label, words, number_text(default), kind=look, **given)), default)
    if known.widget == "pills" and known.options is not None:
        return controls.several(link, label, known.options, default, **given)
    if known.widget == "toggle":
        return controls.toggle(link, label, default, **given)
    if known.widget in ("slider", "field"):
        low, high = known.range
        if isinstance(default, int):
            shape: Any = "number" if known.widget == "field" else "slider"
            return controls.integer(link, label, int(low), int(high), default, kind=shape, **given)
        if known.widget == "field":
            return controls.typed(link, label, low, high, default, **given)
        if known.every is not None:
            return controls.number(link, label, low, high, default, known.every, **given)
    raise TypeError(f"the setting {name!r} is declared without a widget that fits; got {known.widget!r}")


def _typed(value: float | None, default: Any) -> Any:
    return int(value) if isinstance(default, int) and value is not None else value


def text(known: Declared, value: float) -> str:
    """A number of a grid as the slider and links have it; 0 stands for what null means."""
    return known.empty if known.empty is not None and value == 0.0 else known.show(value)


def parameters(config: Any, instead: Mapping[str, Declared] | None = None) -> Parameters:
    """What a link has to carry so that a page asks for these settings.

    Args:
        config: made by `settings`.
        instead: the declarations by dotted name, where a view has others.

    Raises:
        CannotShowError: if the page's control has no place for a value.
    """
    found: Parameters = {}
    for name, known in (instead or declared(type(config))).items():
        *outer, _ = name.split(".")
        if known.link and known.shown(get(config, ".".join(outer)) if outer else config):
            found[known.link] = _parameter(known, get(config, name))
    return found


def _parameter(known: Declared, value: Any) -> str | list[str]:
    if known.options is not None:
        options: Mapping[str, str] = known.options
        return [options[entry] for entry in value] or "" if known.many else options[value]
    if known.widget == "toggle":
        return str(value).lower()
    number = 0.0 if value is None and known.empty is not None else value
    if number in (known.grid or ()):
        return text(known, number)
    if known.widget in ("slider", "field"):
        low, high = known.range
        if low <= value <= high and (known.every is None or _on_step(value, low, known.every)):
            return known.show(value) if isinstance(value, float) else str(value)
    raise CannotShowError(f"{known.label} = {value:g}" if isinstance(value, float) else f"{known.label} = {value}")


def _on_step(value: float, low: float, every: float) -> bool:
    return abs((value - low) / every - round((value - low) / every)) < 1e-9
