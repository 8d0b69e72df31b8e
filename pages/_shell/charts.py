"""Figures on the page."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpot_core.figures.style import TEMPLATE, TITLE_HEIGHT, on_dark_ground
from dpot_core.studies._kit.markdown import as_text
from pages._shell.teaching import LARGE_FONT, large_type

# Scroll zoom would trap a finger or a wheel that means to scroll the page; the plot's buttons still zoom.
_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}


def draw(figure: go.Figure, *, alt: str, key: str) -> None:
    """Draw a figure over the full width in the reader's theme, its title as text above it.

    Plotly does not break long titles, so that a phone would cut them; text breaks. The figure is not changed.
    """
    spec = on_dark_ground(figure.to_dict()) if on_dark() else figure.to_dict()
    layout = spec["layout"]
    st.markdown(f"**{as_text(from_plotly(layout['title']['text']))}**")
    margin = layout.get("margin", {}).get("t", TEMPLATE.layout.margin.t)
    layout |= {
        "title": {"text": ""},
        "height": layout["height"] - TITLE_HEIGHT,
        "margin": {**layout.get("margin", {}), "t": margin - TITLE_HEIGHT},
    }
    if large_type():
        layout["font"] = {**layout.get("font", {}), "size": LARGE_FONT}
        for note in layout.get("annotations", ()):
            note["font"] = {**note.get("font", {}), "size": LARGE_FONT}
    st.plotly_chart(spec, theme="streamlit", key=f"chart_{key}", config=_CONFIG, alt=alt)


def on_dark() -> bool:
    return st.context.theme.type == "dark"


def from_plotly(label: str) -> str:
    """Undo `dpot_core.figures.style.plain`."""
    return label.replace("<br>", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
