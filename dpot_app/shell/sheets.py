"""Buttons for the sheet of a scenario: one page A4 about one release, made when it is asked for."""

from collections.abc import Callable, Mapping

import streamlit as st

from dpot_app.batch.reports import Decision, decide, sheet, sheet_markdown
from dpot_app.batch.scenarios import Scenario
from dpot_app.live.chromium import installed, printed


def sheets(
    key: str, scenario: Scenario, files: Callable[[], Mapping[str, bytes]], question: str = "", link: str = ""
) -> None:
    """Offer the sheet as PDF, where Chromium can print it, as HTML and as Markdown.

    Args:
        key: what the buttons' keys begin with.
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
        makers = {"sheet.pdf": ("application/pdf", lambda: printed(sheet(decided()))), **makers}
    with st.container(horizontal=True):
        for name, (mime, make) in makers.items():
            st.download_button(
                name, make, name, mime, key=f"{key}_{name}", on_click="ignore", icon=":material/download:"
            )
