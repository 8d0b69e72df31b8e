"""From settings to the parameters of a link; what a page's controls have no place for is named."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from dpot_app.kit.setting import Declared, declared, number_text
from dpot_app.kit.values import get

#: Values by parameter, after the page's prefix.
Parameters = dict[str, str | list[str]]


class CannotShowError(Exception):
    """The page has no place for a value; says which."""


#: What links carried while they carried labels: parameter -> label of then -> name. They open for ever.
_OLD = "old_links.json"


def text(known: Declared, value: float) -> str:
    """A number of a grid as the slider has it; 0 stands for what null means."""
    if known.empty is not None and value == 0.0:
        return known.empty
    return exact_text(value) if known.exact else known.show(value)


def name(known: Declared, entry: Any) -> str:
    """An option, or a number of a grid, as links have it: by a name that is on no screen."""
    if known.options is not None:
        return str(entry)
    return exact_text(entry) if known.exact else number_text(entry)


def in_words(known: Declared, texts: Sequence[str]) -> str:
    """Names as links have them, in the words of the screen; "nothing" for none."""
    entries: dict[str, Any] = {name(known, entry): entry for entry in known.options or known.grid or ()}
    labels = known.options or {}
    shown = [labels.get(one) or (text(known, entries[one]) if one in entries else one) for one in texts if one]
    return ", ".join(shown) or "nothing"


@cache
def _old() -> Mapping[str, Mapping[str, str]]:
    told: dict[str, dict[str, str]] = json.loads((files("dpot_app.kit") / _OLD).read_text("utf-8"))
    return told


def entries_by_text(parameter: str, known: Declared) -> dict[str, Any]:
    """Options, or numbers of a grid, by each text that a link may have for them: names of today, words of before."""
    entries = list(known.options or known.grid or ())
    found = {name(known, entry): entry for entry in entries}
    found |= {old: found[new] for old, new in known.gone.items() if old not in found}
    before = {old: found[new] for old, new in _old().get(parameter, {}).items() if new in found}
    return before | found


def exact_text(value: float) -> str:
    """A number in as few digits as read back exactly.

    >>> exact_text(7.42), exact_text(2.0), exact_text(0.1234567)
    ('7.42', '2', '0.1234567')
    """
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


def parameters(config: Any, instead: Mapping[str, Declared] | None = None) -> Parameters:
    """The parameters of a link so that a page asks for these settings.

    Args:
        instead: the declarations by dotted name, where a view has others.

    Raises:
        CannotShowError: if the page's control has no place for a value.
    """
    carried: Parameters = {}
    for name, known in (instead or declared(type(config))).items():
        if known.link and is_asked(config, name, known):
            carried[known.link] = parameter(known, get(config, name))
    return carried


def is_asked(config: Any, name: str, known: Declared) -> bool:
    """Whether a page asks for a setting, given the others of its group: otherwise it changes nothing."""
    *outer, _ = name.split(".")
    return known.shown(get(config, ".".join(outer)) if outer else config)


def parameter(known: Declared, value: Any) -> str | list[str]:
    """One value as links carry it.

    Raises:
        CannotShowError: if the page's control has no place for it.
    """
    if known.options is not None:
        return [name(known, entry) for entry in value] or "" if known.many else name(known, value)
    if known.widget == "toggle":
        return str(value).lower()
    number = 0.0 if value is None and known.empty is not None else value
    if number in (known.grid or ()):
        return name(known, number)
    if known.exact and known.low is not None and known.high is not None and known.low <= number <= known.high:
        return exact_text(number)
    if known.widget in ("slider", "field"):
        low, high = known.range
        if low <= value <= high:
            # Also between the steps of its slider: links and files may hold such a number.
            short = isinstance(value, float) and known.widget == "slider" and float(number_text(value)) == value
            return number_text(value) if short else str(value)
    raise CannotShowError(f"{known.label} = {value:g}" if isinstance(value, float) else f"{known.label} = {value}")


def only(value: object, shown: object, what: str) -> None:
    """Complain about a setting without a control that is not what the page has."""
    if value != shown:
        raise CannotShowError(f"{what} = {value:g}" if isinstance(value, float) else f"{what} = {value}")


def numbers_text(values: Sequence[float]) -> str:
    """Numbers as they stand in a link; read back exactly."""
    return ",".join(f"{value:.6g}" if float(f"{value:.6g}") == value else repr(float(value)) for value in values)
