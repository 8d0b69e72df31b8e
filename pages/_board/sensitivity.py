"""Which setting moves the answer most: one scenario, one number, every setting moved alone."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpot_core.figures.board import tornado_figure
from dpot_core.scenarios import Sensitivity, get, sensitivity, variations
from pages import _shell as shell
from pages._board.compute import answer
from pages._shell.pins import Pin, Summary

_ASKED = "board_sensitivity_asked"


def sensitivity_view(kept: Sequence[Pin]) -> None:
    ready = [pin for pin in kept if pin.summary is not None]
    if not ready:
        st.info("No scenario has numbers yet.")
        return
    names = {pin.number: f"{kept.index(pin) + 1}. {pin.scenario.title}" for pin in ready}
    left, right = st.columns(2)
    with left:
        who: int = st.selectbox("Scenario", list(names), format_func=names.__getitem__, key="board_vary_who")
    pin = next(pin for pin in ready if pin.number == who)
    summary = pin.summary
    if summary is None:
        return
    with right:
        headline: str = st.selectbox("Number to watch", list(summary.headlines), key="board_vary_what")
    moves = variations(pin.scenario)
    if not moves:
        st.info("This scenario has no number that can be varied.")
        return
    settings = len({move.name for move in moves})
    if st.session_state.get(_ASKED) != pin.scenario.same:
        st.button(
            f"Vary {settings} settings, {len(moves)} computations",
            key="board_vary_go",
            on_click=st.session_state.__setitem__,
            args=(_ASKED, pin.scenario.same),
        )
        return
    given = answer("board_vary", [move.scenario for move in moves])
    if len(given) < len(moves):
        return
    headlines = [one.headlines if isinstance(one, Summary) else None for one in given]
    numbers = list(zip(moves, headlines, strict=True))
    found = sensitivity(pin.scenario, headline, summary.headlines[headline], numbers)
    shell.draw(tornado_figure(found), alt="Change of the number when one setting moves by its step", key="board_vary")
    st.caption(
        "Each setting moves alone, by the step that the table states; all others stay. At the end of a bar: the value "
        "of the setting. Steps are ours: a longer step moves the answer farther."
    )
    shell.table(["Setting", "Now", "Down to", "Answer", "Up to", "Answer"], _rows(found))


def _rows(found: Sensitivity) -> list[list[str]]:
    rows = []
    for bar in found.bars:
        now = get(found.scenario.config, bar.name)
        cells = [bar.label, f"{now:g}"]
        for value, moved in zip(bar.values, bar.answers, strict=True):
            cells += ["none" if value is None else f"{value:g}", "none" if moved is None else f"{moved:.6g}"]
        rows.append(cells)
    return rows
