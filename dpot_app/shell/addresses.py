"""Where a page is, and how one page opens another one prepared."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dpot_app.views.table import PAGES

_HERE = "page_path"
_PREPARED = "page_prepared"
_PAGES = "pages_without_file"


def here(path: str) -> None:
    """Remember which page is shown, for links: while one page hands over to another, the browser's address lags."""
    st.session_state[_HERE] = path


def address() -> str:
    url = st.context.url or ""
    path = st.session_state.get(_HERE)
    parts = urlsplit(url)
    if path is None or not parts.netloc:
        return f"{url}{'' if url.count('/') > 2 else '/'}"
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{parts.scheme}://{parts.netloc}/{'/'.join(part for part in (base, path) if part)}"


def prefix_of(page: str) -> str:
    """What the names of a page's controls begin with; ``page``: its name in addresses, "" for Home."""
    return PAGES[page].prefix if page in PAGES else page or "home"


def remember(key: str, page: StreamlitPage) -> None:
    """Keep what stands for a page that has no file of its own."""
    st.session_state.setdefault(_PAGES, {})[key] = page


def open_prepared(page: str, link: Mapping[str, str | list[str]]) -> None:
    """Open a page with its controls set by the parameters of a link, whatever they were before in this session.

    Parameters in the address would not do: the values that a session keeps win over them.
    """
    st.session_state[_PREPARED] = {name: [value] if isinstance(value, str) else value for name, value in link.items()}
    if st.session_state.get(_HERE) == page:
        st.rerun()
    without_file: Mapping[str, StreamlitPage] = st.session_state.get(_PAGES, {})
    st.switch_page(without_file.get(page, f"pages/{page}.py"), query_params=dict(link))


def has_settings(prefix: str) -> bool:
    """Whether the address, or what opens the page, has settings of it."""
    waiting: Mapping[str, list[str]] = st.session_state.get(_PREPARED) or {}
    return any(name.startswith(f"{prefix}_") for name in [*st.query_params, *waiting])


def take_prepared(key: str, read: Callable[[list[str]], Any]) -> None:
    """Give a control, made next, what ``read`` makes of the texts that `open_prepared` has for it."""
    waiting = st.session_state.get(_PREPARED)
    if waiting and key in waiting:
        st.session_state[key] = read(waiting.pop(key))
