"""The pages of the app by their names: a file in ``pages/``, or what a study declares where it needs no more."""

from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dpot_app.shell.addresses import remember
from dpot_app.shell.page import show_page
from dpot_app.views.table import PAGES
from dpot_core.datasets.embedded import embedded

_PAGES = embedded("pages")


def listed(key: str, icon: str, title: str = "", default: bool = False) -> StreamlitPage:
    """A page for `st.navigation`; its key is its address, and its file in ``pages/`` if it has one."""
    name = title or PAGES[key].title
    if _PAGES.joinpath(f"{key}.py").is_file():
        return st.Page(f"pages/{key}.py", title=name, icon=icon, default=default)
    page = st.Page(partial(show_page, PAGES[key]), title=name, icon=icon, url_path=key)
    remember(key, page)
    return page
