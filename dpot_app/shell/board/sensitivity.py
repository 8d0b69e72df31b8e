"""Which setting moves the answer most: one scenario, one number, every setting moved alone."""

from collections.abc import Sequence

import streamlit as st

from dpot_app import shell
from dpot_app.batch.scenarios import Sensitivity, get, sensitivity, variations
from dpot_app.batch.scenarios.figures import setting_text, tornado_figure
from dpot_app.shell.board.compute import answer
from dpot_app.shell.pins import Pin, Summary
from dpot_core.privacy.numerals import number

_ASKED = "board_sensitivity_asked"


def sensitivity_view(pins: Sequence[Pin]) -> None:
    names = {pin.number: f"{at}. {pin.scenario.title}" for at, pin in enumerate(pins, start=1) if pin.summary}
    if not names:
        st.info("No scenario has numbers yet.")
        return
    left, right = st.columns(2)
    with left:
        who: int = st.selectbox("Scenario", list(names), format_func=names.__getitem__, key="board_vary_who")
    pin, summary = next((pin, pin.summary) for pin in pins if pin.number == who and pin.summary is not None)
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
    answers = answer("board_vary", [move.scenario for move in moves])
    if len(answers) < len(moves):
        return
    headlines = [one.headlines if isinstance(one, Summary) else None for one in answers]
    numbers = list(zip(moves, headlines, strict=True))
    result = sensitivity(pin.scenario, headline, summary.headlines[headline], numbers)
    shell.draw(tornado_figure(result), alt="Change of the number when one setting moves by its step", key="board_vary")
    st.caption(
        "Each setting moves alone, by the step in the table; all others stay. The end of a bar shows the setting's "
        "value. The steps are our choice; a longer step moves the answer farther."
    )
    shell.table(["Setting", "Now", "Down to", "Answer", "Up to", "Answer"], _rows(result))


def _rows(result: Sensitivity) -> list[list[str]]:
    rows = []
    for bar in result.bars:
        now = get(result.scenario.config, bar.name)
        cells = [bar.label, setting_text(now)]
        for value, moved in zip(bar.values, bar.answers, strict=True):
            cells += [setting_text(value), "none" if moved is None else number(moved)]
        rows.append(cells)
    return rows
