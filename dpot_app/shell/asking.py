"""Settings as controls of a page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.values import get
from dpot_app.shell.controls import Controls

C = TypeVar("C")


def ask(controls: Controls, of: Any, name: str, instead: Declared | None = None, **options: Any) -> Any:
    """The control of a setting; its value.

    Args:
        of: class of the settings, or settings to begin with where a page does not begin with the defaults.
        instead: the declaration, where a view has another one.
    """
    begin = of() if isinstance(of, type) else of
    return controls.ask(instead or declared(type(begin))[name], get(begin, name), **options)


def ask_several(controls: Controls, begin: C, widths: Mapping[str, Any]) -> C:
    """Settings with the values of a few widgets, such as those that stand side by side inside a tab.

    ``widths``: Streamlit's width by name; what the settings before it make pointless is left out.
    """
    for name, width in widths.items():
        if declared(type(begin))[name].shown(begin):
            begin = replace(begin, **{name: ask(controls, begin, name, width=width)})  # type: ignore[type-var]
    return begin


def ask_among(controls: Controls, known: Declared, formerly: Mapping[str, str] | None = None) -> str:
    """One of options that other controls take away: the first where the one that was chosen is gone.

    A link that names one that is gone is told so, unless it is one of ``formerly``: these older links may name at any
    settings.
    """
    key, options = f"{controls.page}_{known.link}", known.options or {}
    first = next(iter(options))
    if key not in st.session_state:
        gone = {option: first for option in formerly or {} if option not in options}
        known = replace(known, gone=gone)
    elif st.session_state[key] not in options:
        st.session_state[key] = first
    return str(controls.ask(known, first))
