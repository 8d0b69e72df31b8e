"""Figures on the page."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpot_app.figures.style import Figure
from dpot_app.shell import live
from dpot_app.shell.teaching import large_type


def draw(figure: Figure, *, alt: str, key: str, foot: Sequence[str] = (), **how: Any) -> None:
    """Draw a figure over the full width in the reader's theme, its title as text above it; it is not changed.

    ``foot``: as in `dpot_app.shell.live.screen_of`; ``how``: as in `dpot_app.shell.live.picture`.
    """
    screen = live.screen_of(figure, alt, dark=on_dark(), large=large_type(), foot=foot)
    live.picture(screen, key=key, **how)


def on_dark() -> bool:
    return st.context.theme.type == "dark"
