"""A link for students: the page as it stands, with an exercise and only the controls that their lecturer has chosen."""

from collections.abc import Collection, Mapping
from urllib.parse import urlencode

import segno
import streamlit as st
from segno.encoder import DataOverflowError

from dpot_app.kit.markdown import as_text
from dpot_app.kit.page import Absent, Entry
from dpot_app.kit.setting import Declared

_ONLY, _TASK = "teach_only", "teach_task"
#: Letters of an exercise: a link should fit into a QR code.
_LONGEST = 300


def chosen_controls(page: str) -> frozenset[str] | None:
    """Dotted names of the settings that are asked for, by the link that opened the page; None for all of them."""
    held: dict[str, frozenset[str]] = st.session_state.setdefault(_ONLY, {})
    prefix, _, names = st.query_params.get(_ONLY, "").partition(":")
    if prefix == page:
        held[page] = frozenset(names.split(","))
    return held.get(page)


def show_task(page: str) -> None:
    """The exercise of the link that opened the page, and a way to the controls that it hides."""
    held: dict[str, str] = st.session_state.setdefault(_TASK, {})
    prefix, _, text = st.query_params.get(_TASK, "").partition(":")
    if prefix == page:
        held[page] = text[:_LONGEST]
    if held.get(page):
        st.info(f"Exercise from the link: {as_text(held[page])}", icon=":material/school:")
    if chosen_controls(page) is None:
        return

    def show_all() -> None:
        st.session_state[_ONLY].pop(page, None)
        st.query_params.pop(_ONLY, None)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("The link shows some of the controls; the others are set by it.")
        st.button("Show all controls", on_click=show_all, key=f"{page}_show_all")


def of_sidebar(entries: Collection[Entry], every: Mapping[str, Declared]) -> dict[str, str]:
    """The settings that a sidebar asks for, by their dotted names, with their labels."""
    names = [
        name
        for entry in entries
        if not isinstance(entry, Absent)
        for name in ((entry,) if isinstance(entry, str) else entry.names)
    ]
    return {name: every[name].label if name in every else name.rpartition(".")[2] for name in names}


def for_students(page: str, address: str, labels: Mapping[str, str]) -> str:
    """Offer the link, and its QR code; returns the exercise.

    Args:
        page: the first part of its parameters' names.
        address: restores the page.
        labels: of the settings that can be left to students, by their dotted names.
    """
    key = f"{page}_students"
    box = st.popover("For students: link, QR code, exercise", icon=":material/school:", key=key, on_change="rerun")
    if not box.open:
        return str(st.session_state.get(f"{page}_task", ""))
    with box:
        return _asked(page, address, labels)


def _asked(page: str, address: str, labels: Mapping[str, str]) -> str:
    first = [name for name in labels if name == "epsilon"]
    chosen = st.multiselect("Controls that students see", list(labels), first, labels.__getitem__, key=f"{page}_only")
    task: str = st.text_input("Exercise", max_chars=_LONGEST, key=f"{page}_task").strip()
    more = {_ONLY: f"{page}:{','.join(chosen)}"} | ({_TASK: f"{page}:{task}"} if task else {})
    link = f"{address}&{urlencode(more)}"
    st.code(link, language=None, wrap_lines=True)
    try:
        # An SVG stands in the page itself. A file may be gone from the server when a browser asks for it late.
        code = segno.make(link, error="l").svg_inline(light="white", omitsize=True)
        st.image(code, caption="QR code of the link", width=260)
    except DataOverflowError:
        st.caption("The link is too long for a QR code: bring back the defaults of some controls.")
    return task
