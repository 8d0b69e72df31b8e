"""What-if board: scenarios pinned on the pages, side by side, changed in place, taken away as one report."""

from dataclasses import replace

import streamlit as st

from dpot_app import shell
from dpot_app.batch.scenarios import VIEWS, Scenario
from dpot_app.kit.glossary import explained
from dpot_app.shell.board.cards import cards
from dpot_app.shell.board.compare import compare
from dpot_app.shell.board.compute import complete
from dpot_app.shell.board.edit import editor
from dpot_app.shell.board.files import files_view, load
from dpot_app.shell.board.released import together_view
from dpot_app.shell.board.sensitivity import sensitivity_view
from dpot_app.shell.board.take_report import report_view
from dpot_app.shell.pins import MOST_PINS, board
from dpot_app.shell.tab_storage import keep, offer

# What stands on the tabs, and draws them.
PARTS = {
    "edit": ("Change a setting", editor),
    "compare": ("What differs", compare),
    "vary": ("What moves the answer", sensitivity_view),
    "together": ("All released", together_view),
    "report": ("Report", report_view),
    "files": ("Save and load", files_view),
}

controls = shell.Controls("board")
notice = st.container()
st.subheader("What-if board", anchor=False, help=explained(("nats", "delta", "neighbours")))


def empty() -> None:
    st.markdown(
        f"Nothing is pinned yet. The board compares up to {MOST_PINS} scenarios: settings of any page with their "
        "numbers and their promise.\n\n"
        "1. Open a page and set it as you like.\n"
        "2. Press **Pin to the board** under its picture.\n"
        "3. Change something, pin again, and come back here to see what differs."
    )
    with st.container(horizontal=True, key="board_pages"):
        for file, label in (("ring", "Finite ring"), ("geolocation", "Geolocation"), ("movies", "Movies")):
            st.page_link(f"pages/{file}.py", label=label)
    st.button("Put an example on the board", key="board_example", on_click=example)
    st.markdown("Or open saved scenarios:")
    load()


def example() -> None:
    """Three promises for the same person on the ring."""
    pinned, view = board(), VIEWS["ring.outputs"]
    for epsilon in (1.0, 2.0, 4.0):
        pinned.add(Scenario(view.key, f"Ring, ε = {epsilon:g}", replace(view.example, epsilon=epsilon)))


offer()
if board().pins:
    st.markdown("Scenarios side by side. They live in this session and tab until you save them.")
    complete()
    opened, boxes = controls.tabs("view", {key: label for key, (label, _) in PARTS.items()})
    below = st.container()
    with boxes[opened]:
        PARTS[opened][1](board().pins)
    with below:
        cards()
else:
    empty()
keep()
with notice:
    controls.notices()
