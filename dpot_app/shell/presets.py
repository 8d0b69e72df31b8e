"""Buttons for a room: settings that are asked for again and again are one click away while controls are hidden."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpot_app.shell.controls import Controls
from dpot_app.shell.teaching import presenting


def presets(controls: Controls, offered: Mapping[str, Mapping[str, Any]]) -> None:
    """A button for each set of settings, in presenter view only.

    Args:
        offered: label -> values of the page's controls by their names in links.
    """
    if not presenting():
        return
    with st.container(horizontal=True, key=f"{controls.page}_presets"):
        for place, (label, values) in enumerate(offered.items()):
            held = {f"{controls.page}_{name}": value for name, value in values.items()}
            st.button(label, key=f"{controls.page}_preset_{place}", on_click=st.session_state.update, args=(held,))
