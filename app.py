"""The app: its name, its pages and the room they stand in. Run with ``streamlit run app.py``."""

from pathlib import Path

import streamlit as st

from pages import _shell as shell
from pages._home import tour

# An icon of our own: Streamlit would fetch a ":material/...:" icon for the browser tab from the internet.
ICON = Path(__file__).parent / "pages" / "_shell" / "icon.svg"

st.set_page_config(page_title="Privacy and distance", page_icon=str(ICON), layout="wide")

# Sections without a name stand in the bar themselves; the others open as menus.
page = st.navigation(
    {
        "": [
            st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
            st.Page("pages/decide.py", title="Find my ε", icon=":material/target:"),
            st.Page("pages/explain.py", title="What ε means", icon=":material/help:"),
            st.Page("pages/board.py", title="What-if board", icon=":material/dashboard:"),
        ],
        "One person's release": [
            st.Page("pages/ring.py", title="Finite ring", icon=":material/data_usage:"),
            st.Page("pages/geolocation.py", title="Geolocation", icon=":material/map:"),
            st.Page("pages/mixture.py", title="Gaussian mixture", icon=":material/show_chart:"),
            st.Page("pages/movies.py", title="Movies", icon=":material/movie:"),
        ],
        "Many people's data": [
            st.Page("pages/population.py", title="US population", icon=":material/groups:"),
            st.Page("pages/metric.py", title="Metric privacy", icon=":material/straighten:"),
            st.Page("pages/sinkhorn.py", title="Private transport", icon=":material/sync_alt:"),
        ],
    },
    position="top",
)
shell.here(page.url_path)
tour.bar(page.url_path)
page.run()
shell.lesson(page.url_path)
