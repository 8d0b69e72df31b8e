"""Figures on the page."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpot_app.shell import live
from dpot_app.shell.teaching import large_type


def draw(figure: go.Figure, *, alt: str, key: str, light: bool = False, foot: Sequence[str] = (), **how: Any) -> None:
    """Draw a figure over the full width in the reader's theme, its title as text above it; it is not changed.

    ``light``, ``foot``: as in `dpot_app.shell.live.screen_of`; ``how``: as in `dpot_app.shell.live.picture`.
    """
    screen = live.screen_of(figure, alt, dark=on_dark(), large=large_type(), light=light, foot=foot)
    live.picture(screen, key=key, **how)


def on_dark() -> bool:
    return st.context.theme.type == "dark"
