"""The project in one line on every page, which opens with it; see `carried`."""

from collections.abc import Callable, Mapping
from functools import cache

import streamlit as st

from dpot_app.kit.markdown import as_text
from dpot_app.kit.page import Page
from dpot_app.kit.setting import declared
from dpot_app.kit.values import filled
from dpot_app.shell import carried
from dpot_app.shell.addresses import carry, has_settings
from dpot_app.shell.files import brought, forget, take_over
from dpot_app.views.decide.settings import NEEDS, data_link
from dpot_app.views.table import PAGES

_AT, _TOLD, _QUESTION = "project_at", "project_told", "project_question"


def arrive(page: Page) -> None:
    """Prepare a page that the reader has just come to, unless a link says what it shows."""
    before, st.session_state[_AT] = st.session_state.get(_AT), page.key
    mine, prefix = carried.project(), page.prefix
    if before == page.key:
        return
    st.session_state[_TOLD] = False
    if before is None or mine is None or has_settings(prefix):
        carry({})
        return
    link = {f"{prefix}_{name}": [text] for name, text in carried.said().items()}
    for role, told in takes(page.key).items():
        own, key = brought(role).get(mine.files.get(role, "")), f"{prefix}_{role}_kept"
        if own is not None:
            if st.session_state.get(key) is None:
                take_over(own, key)
            link |= {f"{prefix}_{name}": [text] for name, text in told.items()}
    carry(link)


@cache
def takes(page: str) -> Mapping[str, Mapping[str, str]]:
    """Texts of controls, by name, that let a page read a file of the reader's own: by the file's role."""
    if page == "decide":
        return {
            need.own.role: {"need": need.key, data_link(need): "csv"} for need in NEEDS.values() if need.own is not None
        }
    found: dict[str, Mapping[str, str]] = {}
    for view in PAGES[page].views if page in PAGES else ():
        for name, known in declared(type(view.example)).items():
            if known.widget and known.options and "csv" in known.options:
                roles = view.files(filled(view.example, {name: "csv"}))
                found |= {role: {known.link: "csv"} for role, needed in roles.items() if needed}
    return found


def line(page: Page) -> Callable[[], None]:
    """Draw the project's line; a file that stands on the page begins one.

    Returns:
        What says it once more when the page stands: a page asks at its end for the mechanism, which is another one on
        another page.
    """
    mine = _noted(page)
    if mine is None:
        return lambda: None
    names = {role: brought(role)[tag].name for role, tag in mine.files.items()}
    with st.container(horizontal=True, vertical_alignment="center", key="project"):
        place = st.empty()

        def tell() -> None:
            place.caption(_words(page, names, mine.question))

        def told() -> None:
            st.session_state[_TOLD] = True
            tell()

        tell()
        with st.popover("Change", type="tertiary"):
            words = "Stands on the sheet and in scenario files."
            st.text_input("What has to be possible?", mine.question, 300, key=_QUESTION, on_change=_ask, help=words)
            st.caption(
                "Every page opens with this file, mechanism and ε. Change them in the controls. The line is kept in "
                "this session only; scenario files have the question, not the file."
            )
            what = "Forget the project and its " + ("files" if len(names) > 1 else "file") if names else "Forget it"
            st.button(what, key="project_forget", on_click=_forget)
    return told


def _words(page: Page, names: Mapping[str, str], question: str) -> str:
    said = [as_text(text) for text in (*names.values(), question) if text]
    if (mechanism := carried.mechanism()) and st.session_state.get(_TOLD):
        said.append(as_text(mechanism))
    said += [f"ε = {carried.said()['epsilon']}"] if "epsilon" in carried.said() else []
    unused = [as_text(name) for role, name in names.items() if role not in takes(page.key)]
    why = "it reads files of another kind" if takes(page.key) else "it reads no file"
    more = f". This page does not use {' and '.join(unused)}: {why}." if unused else ""
    return f"Project: {' · '.join(said)}{more}"


def _noted(page: Page) -> carried.Project | None:
    """The project, with the files that are kept: one that every page has forgotten is no part of it."""
    state = st.session_state
    here = {role: own.tag for role in takes(page.key) if (own := state.get(f"{page.prefix}_{role}_kept"))}
    mine = carried.begin() if here else carried.project()
    if mine is not None:
        mine.files = {role: tag for role, tag in (mine.files | here).items() if tag in brought(role)}
    return mine


def _ask() -> None:
    carried.begin().question = st.session_state[_QUESTION]


def _forget() -> None:
    mine = carried.project()
    carried.end()
    for role, tag in mine.files.items() if mine is not None else ():
        forget(role, tag)
