"""What is changed in Streamlit and in the server that it stands on, before anything else of the app is imported."""

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime.pages_manager import PagesManager

# Streamlit takes a folder of this name for its old way of making pages until app.py has run once: whoever opens a
# link to a page on a fresh server would get that page alone, without app.py. A server that imports app.py first has not
# decided yet; elsewhere a page may be running already that way.
alone = PagesManager.uses_pages_directory
PagesManager.uses_pages_directory = False
if alone:
    st.rerun()

# Streamlit keeps uploads in memory, but the server that it stands on receives those above a megabyte in a temporary
# file. 0: never. (How large they may be at all is said in .streamlit/config.toml.)
MultiPartParser.spool_max_size = 0
