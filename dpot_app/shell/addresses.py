"""Where a page is, and how one page opens another one prepared."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dpot_app.views.table import PAGES
from dpot_core.datasets.embedded import embedded

_HERE = "page_path"
_PREPARED, _CARRIED = "page_prepared", "page_carried"
_PAGES = "pages_without_file"


def here(path: str) -> None:
    """Remember which page is shown, for links: while one page hands over to another, the browser's address lags."""
    st.session_state[_HERE] = path


def address() -> str:
    """The page's own address as its reader has it, without settings."""
    return address_of(st.context.url or "", st.session_state.get(_HERE))


def address_of(url: str, page: str | None) -> str:
    """Where a page is, in a browser that shows any page of the app.

    Args:
        url: which that browser shows; what stands before the page in it, a proxy may have put there.
        page: its name in addresses, "" for Home; None where it is not known.
    """
    parts = urlsplit(url)
    if page is None or not parts.netloc:
        return f"{url}{'' if url.count('/') > 2 else '/'}"
    before, _, last = parts.path.rstrip("/").rpartition("/")
    if last and last not in _names():  # Home
        before = f"{before}/{last}"
    return f"{parts.scheme}://{parts.netloc}{before}/{page}"


@cache
def _names() -> frozenset[str]:
    """Names of all pages but Home, in addresses."""
    return frozenset({*PAGES, *(file.name.removesuffix(".py") for file in embedded("pages").iterdir())})


def prefix_of(page: str) -> str:
    """The beginning of the names of a page's controls; ``page``: its name in addresses, "" for Home."""
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
    return any(name.startswith(f"{prefix}_") for name in [*st.query_params, *(st.session_state.get(_PREPARED) or {})])


def carry(link: Mapping[str, list[str]]) -> None:
    """Give the controls of the page that is about to be drawn parameters of no link: a first visit stays one."""
    st.session_state[_CARRIED] = dict(link)


def _waiting(key: str) -> dict[str, list[str]] | None:
    """Texts by control, of those that have some for this one: a link's before those that are carried."""
    return next((held for name in (_PREPARED, _CARRIED) if key in (held := st.session_state.get(name) or {})), None)


def prepared(key: str) -> str:
    """The text that a control, made next, will be given; "" for none."""
    return "\n".join((_waiting(key) or {}).get(key, ()))


def take_prepared(
    key: str,
    read: Callable[[list[str]], Any],
    readable: Callable[[str], bool] = lambda raw: True,
    *,
    bound: bool = True,
) -> None:
    """Give a control, made next, what ``read`` makes of the texts that are prepared for it, if it can read them.

    Args:
        bound: whether Streamlit puts the control's value into the address.
    """
    waiting = _waiting(key)
    if waiting is not None and all(map(readable, raw := waiting.pop(key))):
        if bound and key not in st.session_state and key not in st.query_params:
            # A control that does not stand yet does not put its value into the address.
            st.query_params[key] = raw
        st.session_state[key] = read(raw)
