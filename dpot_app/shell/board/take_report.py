"""The report of what is on the board: a question, a button."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpot_app.batch.reports import Entry, report, slide
from dpot_app.shell.pins import Pin, board
from dpot_app.shell.sheets import sheets
from dpot_core.privacy.numerals import counted

_TITLE, _QUESTION = "board_report_title", "board_report_question"
_PICTURED = "board_report_pictured"
_LONGEST = 5000
_WITH_DATA = "With pictures that show people's data without protection"
_WITH_DATA_HELP = (
    "Only for people who may see the data: such a report must not circulate. Each of these pictures says so."
)


def report_view(pins: Sequence[Pin]) -> None:
    """Ask what is to be decided, and offer the document."""
    entries = [
        Entry(pin.scenario, pin.summary.headlines, pin.summary.disclosure, pin.summary.picture)
        for pin in pins
        if pin.summary is not None
    ]
    if len(entries) < len(pins):
        st.warning(f"{len(pins) - len(entries)} of {len(pins)} scenarios have no numbers and are left out.")
    if not entries:
        return
    title: str = st.text_input(
        "Title", "Choosing a privacy parameter", max_chars=200, key=_TITLE, persist_state="session"
    )
    question: str = st.text_area(
        "What is to be decided, and by whom?",
        max_chars=_LONGEST,
        height=140,
        key=_QUESTION,
        persist_state="session",
        help="Stands at the top of the report, as you write it. It stays in this session.",
    )
    chosen = next((entry for entry in entries if entry.scenario.chosen is not None), None)
    if chosen is None:
        st.info("Nothing is chosen. **Choose** a scenario below: the first page then says which, why, and its promise.")
    if any(entry.unprotected for entry in entries) and st.checkbox(_WITH_DATA, key=_PICTURED, help=_WITH_DATA_HELP):
        entries = [replace(entry, pictured=True) for entry in entries]
        chosen = chosen and replace(chosen, pictured=True)
    title = title.strip() or "Report"
    files = {"report": lambda: report(entries, title, question)}
    if chosen is not None:
        files["slide"] = lambda: slide(chosen, title)
    with st.container(horizontal=True):
        for name, made in files.items():
            st.download_button(
                f"{name}.html",
                made,
                f"{name}.html",
                "text/html",
                key=f"board_{name}",
                on_click="ignore",
                type="primary" if name == "report" else "secondary",
                icon=":material/download:",
            )
    if chosen is not None and chosen.disclosure.promise is not None and chosen.disclosure.promise.proven:
        st.markdown("**Sheet** of the chosen scenario, one page A4:")
        sheets("board", chosen.scenario, lambda: dict(board().files), question)
    count = counted(len(entries), "scenario", "scenarios")
    st.caption(
        f"One file of about 5 MB with {count}: pictures, numbers, guarantees in words, assumptions, Python and "
        "versions. It opens in a browser without a network and prints on A4."
    )
    own = sum(pin.scenario.view.personal(pin.scenario.config) for pin in pins)
    if own:
        st.caption(f"**It holds your own numbers** ({own} of {len(pins)} scenarios).")
