"""Buttons for the sheet of a scenario: one page A4 about one release, made when it is asked for."""

import threading
from collections.abc import Callable, Mapping

import streamlit as st

from dpot_app.batch.reports import Decision, decide, sheet, sheet_markdown
from dpot_app.batch.scenarios import Scenario
from dpot_app.live.chromium import installed, printed

# A browser takes a core and much memory, however many readers ask.
_ONE = threading.Lock()


def sheets(
    page: str, scenario: Scenario, files: Callable[[], Mapping[str, bytes]], question: str = "", link: str = ""
) -> None:
    """Offer the sheet as PDF, where Chromium can print it, as HTML and as Markdown.

    Args:
        page: what the files' names and the buttons' keys begin with.
        files: contents of people's own files by their tag, asked for when a button is pressed.
        question: what has to be possible.
        link: opens the page with these settings.
    """

    def decided() -> Decision:
        return decide(scenario, files(), question=question, link=link)

    makers: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "sheet.html": ("text/html", lambda: sheet(decided())),
        "sheet.md": ("text/markdown", lambda: sheet_markdown(decided())),
    }
    if installed():
        makers = {"sheet.pdf": ("application/pdf", lambda: _printed(sheet(decided()))), **makers}
    with st.container(horizontal=True):
        for name, (mime, make) in makers.items():
            key = f"{page}_away_{name}"
            icon = ":material/download:"
            st.download_button(name, make, f"{page}-{name}", mime, key=key, on_click="ignore", icon=icon)


def _printed(document: str) -> bytes:
    with _ONE:
        return printed(document)
