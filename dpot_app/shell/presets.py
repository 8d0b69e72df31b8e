"""Buttons for a room: settings that are asked for again and again are one click away while controls are hidden."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpot_app.shell.controls import Controls
from dpot_app.shell.teaching import presenting

Values = Mapping[str, Any]


def usual(whole: bool = False) -> dict[str, Values]:
    """Questions that every page answers: a strong promise, the plainest loss, one that punishes far moves.

    Args:
        whole: whether the page's order p is a whole number.
    """
    kind = int if whole else float
    return {"ε = 0.5": {"epsilon": 0.5}, "p = 1": {"p": kind(1)}, "p = 2": {"p": kind(2)}}


def presets(controls: Controls, offered: Mapping[str, Values]) -> None:
    """A button for each set of settings, and one that brings back the defaults, in presenter view only.

    Args:
        offered: label -> values of the page's controls by their names in links.
    """
    if not (offered and presenting()):
        return
    with st.container(horizontal=True, key=f"{controls.page}_presets"):
        for place, (label, values) in enumerate(offered.items()):
            held = {f"{controls.page}_{name}": value for name, value in values.items()}
            st.button(label, key=f"{controls.page}_preset_{place}", on_click=st.session_state.update, args=(held,))
        st.button("Defaults", key=f"{controls.page}_preset_none", on_click=controls.forget)
