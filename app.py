"""The app: its name, its pages and the room they stand in. Run with ``streamlit run app.py``."""

from pathlib import Path

import streamlit as st

# An icon of our own: Streamlit would fetch a ":material/...:" icon for the browser tab from the internet.
ICON = Path(__file__).parent / "pages" / "_shell" / "icon.svg"

st.set_page_config(page_title="Privacy and distance", page_icon=str(ICON), layout="wide")

page = st.navigation(
    [
        st.Page("pages/ring.py", title="Finite ring", icon=":material/data_usage:", default=True),
        st.Page("pages/geolocation.py", title="Geolocation", icon=":material/map:"),
        st.Page("pages/mixture.py", title="Gaussian mixture", icon=":material/show_chart:"),
        st.Page("pages/movies.py", title="Movies", icon=":material/movie:"),
        st.Page("pages/population.py", title="US population", icon=":material/groups:"),
        st.Page("pages/metric.py", title="Metric privacy", icon=":material/straighten:"),
        st.Page("pages/sinkhorn.py", title="Private transport", icon=":material/sync_alt:"),
    ],
    position="top",
)
page.run()
