"""Teaching mode: formulas and exercises under a page, and a presenter's layout with large type."""

import streamlit as st

from dpot_app.kit.lesson import Lesson
from dpot_app.views.table import PAGES

_ON, _LARGE, _PRESENT = "teach_on", "teach_large", "teach_present"
_STYLE = """<style>
html {font-size: 20px !important;}
[data-testid="stMainBlockContainer"] {max-width: none;}
@media (min-width: 641px) {[data-testid="stMainBlockContainer"] {padding-left: 2rem; padding-right: 2rem;}}
[data-testid="stCaptionContainer"] {font-size: 0.95rem;}
</style>"""

#: Sizes of the texts in pictures under large type.
LARGE_FONT = 17


def large_type() -> bool:
    return _switched(_LARGE) or presenting()


def teaching() -> bool:
    """Whether formulas, exercises, bets and tasks stand under the page."""
    return _switched(_ON)


def presenting() -> bool:
    """Whether the page is shown to a room: one picture after the other, nothing else."""
    return _switched(_PRESENT)


def _switched(name: str) -> bool:
    """Where a switch stands that is drawn after the page."""
    return bool(st.session_state.get(name, st.query_params.get(name) == "true"))


def shared_state() -> dict[str, str]:
    """The parameters of a link for the switches that all pages share."""
    return {name: "true" for name in (_ON, _LARGE, _PRESENT) if st.session_state.get(name)}


def lesson(page: str) -> None:
    """The two switches, kept in the session and in the address, and the page's lesson under the page."""
    content = PAGES[page].lesson if page in PAGES else None
    # A page without a lesson may have no sidebar, and should not get one for two switches.
    with st.sidebar if content else st.container(horizontal=True, key="switches"):
        words = "Shows the formulas behind each page, where they stand in the papers, and exercises."
        on = st.toggle("Teaching mode", key=_ON, bind="query-params", persist_state="session", help=words)
        large = st.toggle("Large type", key=_LARGE, bind="query-params", persist_state="session")
        words = (
            "Only the pictures, in large type over the full width. Arrow keys move ε, Esc leaves. "
            "A link to this page opens it so."
        )
        st.toggle("Presenter view", key=_PRESENT, bind="query-params", persist_state="session", help=words)
        if on and content is not None:
            st.markdown("[Formulas and exercises: under the page](#formulas)")
    if large or presenting():
        st.html(_STYLE)
    if on and content is not None:
        _show(page, content)


def _show(page: str, content: Lesson) -> None:
    with st.container(border=True, key=f"lesson_{page}"):
        st.subheader("Formulas", anchor="formulas")
        for formula in content.formulas:
            st.markdown(formula.words)
            st.latex(formula.latex)
            st.caption(formula.source)
        st.subheader("Exercises", anchor=False)
        for number, exercise in enumerate(content.exercises, start=1):
            st.markdown(f"**{number}.** {exercise.question}")
            with st.expander(f"Answer to {number}"):
                st.markdown(exercise.answer_text)
