"""The frame of every page: its name in the browser, and a piece in the browser that keeps Back right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dpot_app.shell import live, tab_storage
from dpot_app.shell.addresses import prefix_of
from dpot_app.shell.teaching import presenting

APP = "Privacy and distance"
# An icon of our own: Streamlit would fetch a ":material/...:" icon for the browser tab from the internet.
_ICON = Path(__file__).parent / "icon.svg"
# Pixels, 40 fewer than Streamlit's: with less around them settings have the same room, and pictures more.
_SIDEBAR = 260


def page_config() -> None:
    """Set name, icon and layout before it is known which page is shown: navigation would set an icon from elsewhere."""
    st.set_page_config(page_title=APP, page_icon=str(_ICON), layout="wide", initial_sidebar_state=_SIDEBAR)


def page_frame(page: StreamlitPage, section: str) -> None:
    """Draw the frame of a page; ``section``: name of the menu that lists it."""
    if page.url_path:
        st.set_page_config(page_title=f"{page.title} · {APP}")
    data: dict[str, Any] = {"page": page.url_path, "prefix": prefix_of(page.url_path), "section": section}
    data |= {"presenting": presenting(), "asks": tab_storage.asks()}
    key = tab_storage.frame_key()
    live.page_frame(data, key, tab_storage.heard(key))
