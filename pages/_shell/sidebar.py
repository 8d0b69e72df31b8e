"""The sidebar of a page from the declarations of its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from dpot_core.studies._kit.page import Expander
from dpot_core.studies._kit.setting import Declared, declared
from dpot_core.studies._kit.values import filled
from pages._shell.asking import ask
from pages._shell.controls import Controls

C = TypeVar("C")

#: (controls, settings by dotted name as far as they are known) -> the value of one setting.
Special = Callable[[Controls, Mapping[str, Any]], Any]


class Waiting(Exception):
    """A setting has no value yet; what is missing, in words, unless the sidebar says so itself."""


def sidebar(
    controls: Controls,
    begin: C,
    names: Sequence[str | Expander],
    special: Mapping[str, Special] | None = None,
    instead: Mapping[str, Declared] | None = None,
) -> C | None:
    """Ask for settings, in order; settings that nobody asks for stay as they are. None while one cannot be used.

    Args:
        controls: of the page.
        begin: what to begin with.
        names: dotted names of settings or of groups of them.
        special: by dotted name, what asks for a setting, or a group of them, that needs more than its declaration.
        instead: the declarations by dotted name, where a view has others.
    """
    values: dict[str, Any] = {}
    pieces, complete = dict(special or {}), True
    known = instead or declared(type(begin))
    for name in names:
        if isinstance(name, Expander):
            with st.expander(name.label):
                complete &= _asked(controls, begin, name.names, pieces, values, known)
        else:
            complete &= _asked(controls, begin, (name,), pieces, values, known)
    return filled(begin, values) if complete else None


def _asked(
    controls: Controls,
    begin: Any,
    names: Sequence[str],
    special: Mapping[str, Special],
    values: dict[str, Any],
    every: Mapping[str, Declared],
) -> bool:
    complete = True
    for name in names:
        inside = [other for other in every if other.startswith(f"{name}.")]
        for one in [name] if name in special else inside or [name]:
            if one in every and not every[one].shown(_group(begin, one, values)):
                continue
            try:
                if one in special:
                    values[one] = special[one](controls, values)
                elif every[one].widget:
                    values[one] = ask(controls, begin, one, every[one])
            except Waiting as missing:
                complete, controls.waiting = False, controls.waiting or str(missing)
    return complete


def _group(begin: Any, name: str, values: Mapping[str, Any]) -> Any:
    """The group of a setting, as far as its values are known."""
    *outer, _ = name.split(".")
    group = filled(begin, values)
    for part in outer:
        group = getattr(group, part)
    return group
