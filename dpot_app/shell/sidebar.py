"""The sidebar of a page from the declarations of its settings."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from typing import Any, TypeVar

import streamlit as st

from dpot_app.kit.page import Absent, Beside, Entry, Expander
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.values import filled
from dpot_app.shell.asking import ask
from dpot_app.shell.controls import Controls
from dpot_app.shell.live import UNSEEN
from dpot_app.shell.students import chosen_controls

C = TypeVar("C")

#: (controls, settings by dotted name as far as they are known) -> the value of one setting.
Special = Callable[[Controls, Mapping[str, Any]], Any]


class Waiting(Exception):
    """A setting has no value yet; what is missing, in words, unless the sidebar says so itself."""


def sidebar(
    controls: Controls,
    begin: C,
    names: Sequence[Entry],
    special: Mapping[str, Special] | None = None,
    instead: Mapping[str, Declared] | None = None,
) -> C | None:
    """Ask for settings, in order; settings that are not asked for stay as they are. None while one cannot be used.

    Args:
        names: dotted names of settings or of groups of them.
        special: by dotted name, what asks for a setting, or a group of them, that needs more than its declaration.
        instead: the declarations by dotted name, where a view has others.
    """
    values: dict[str, Any] = {}
    pieces, every, complete = special or {}, instead or declared(type(begin)), True
    controls.instead = {**controls.instead, **(instead or {})}
    chosen = chosen_controls(controls.page)
    for place, entry in enumerate(names):
        if isinstance(entry, Absent):
            if chosen is None:
                st.caption(f":gray[{entry.label}: {entry.reason}]")
            continue
        inside = [*_settings(entry, pieces, every)]
        with (
            _seen(chosen, inside, f"{controls.page}_entry_{place}"),
            st.expander(entry.label) if isinstance(entry, Expander) else nullcontext(),
        ):
            boxes: dict[str, Any] = {}
            if isinstance(entry, Beside):
                asked = [name for name in inside if _is_shown(name, every, filled(begin, values))]
                boxes = dict(zip(asked, st.columns(len(asked)), strict=True)) if len(asked) > 1 else {}
            for name in inside:
                if not _is_shown(name, every, filled(begin, values)):
                    continue
                try:
                    with (
                        boxes.get(name, nullcontext()),
                        _seen(chosen, [name], f"{controls.page}_{name.replace('.', '_')}"),
                    ):
                        if name in pieces:
                            values[name] = pieces[name](controls, values)
                        elif every[name].widget:
                            values[name] = ask(controls, begin, name, every[name], disabled=name in controls.idle)
                except Waiting as missing:
                    complete, controls.waiting = False, controls.waiting or str(missing)
    return filled(begin, values) if complete else None


def _seen(chosen: Collection[str] | None, names: Sequence[str], key: str) -> AbstractContextManager[Any]:
    """Where controls stand; unseen, with the link's values, where it leaves all of them out."""
    if chosen is None or any(name == one or name.startswith(f"{one}.") for name in names for one in chosen):
        return nullcontext()
    return st.container(key=f"{UNSEEN}{key}")


def _is_shown(name: str, every: Mapping[str, Declared], known: Any) -> bool:
    """Whether a setting is asked for, by the values of its group as far as they are known."""
    return name not in every or every[name].shown(reduce(getattr, name.split(".")[:-1], known))


def _settings(
    entry: str | Expander | Beside, pieces: Mapping[str, Special], every: Mapping[str, Declared]
) -> Iterator[str]:
    """The settings that an entry stands for; a group without a piece of its own stands for all in it."""
    for name in (entry,) if isinstance(entry, str) else entry.names:
        inside = [other for other in every if other.startswith(f"{name}.")]
        yield from [name] if name in pieces else inside or [name]
