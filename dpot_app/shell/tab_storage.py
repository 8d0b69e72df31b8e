"""The board outlives the server: the reader's tab keeps what is pinned, and a session without a board is offered it.

Nothing is kept on the server. The tab has settings and links, as `scenarios.yaml` has them; numbers are computed anew,
and the content of files that the reader brought is asked for again.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.shell import live
from dpot_app.shell.pins import MOST_PINS, Board, board
from dpot_core.privacy.numerals import counted

#: What the tab had: None once that has been dealt with, absent before the tab has reported.
_BEFORE, _FRAME, _WRITTEN = "board_before", "board_frame", "board_written"
#: What of it can be read, with its links.
_READ = "board_before_read"


def frame_key() -> str:
    """Key of what stands in the browser beside every page: a new one for every session, which has heard nothing yet."""
    return str(st.session_state.setdefault(_FRAME, f"{live.UNSEEN}frame_{secrets.token_hex(8)}"))


def asks() -> bool:
    """Whether the tab shall say what it has: until it has, or something is pinned."""
    pinned: Board | None = st.session_state.get("board")
    return _BEFORE not in st.session_state and (pinned is None or pinned.number == 1)


def keep() -> None:
    """Let the tab keep what is pinned, or forget what has been taken off; what is offered stays in it."""
    pinned = board().pins
    if pinned:
        now = {pin.scenario.same: (pin.scenario, pin.link) for pin in pinned}
        both = [*now.values(), *(one for one in _offered() if one[0].same not in now)]
        wish: dict[str, Any] = {"keep": _written([one for one, _ in both], [link for _, link in both])}
    else:
        wish = {"forget": not asks() and not st.session_state.get(_BEFORE)}
    live.tab(wish)


def _offered() -> list[tuple[Scenario, str]]:
    """The scenarios that the tab had and that are still offered, with their links; nothing that cannot be read."""
    had = st.session_state.get(_BEFORE)
    if not had:
        return []
    if _READ not in st.session_state:
        try:
            st.session_state[_READ] = _read(had)
        except ScenarioError:
            st.session_state[_READ] = []
    return list(st.session_state[_READ])


def _read(had: dict[str, Any]) -> list[tuple[Scenario, str]]:
    text, links = had.get("text"), had.get("links")
    if not isinstance(text, str) or not isinstance(links, list):
        raise ScenarioError("the browser had no room for them")
    brought = scenarios.read(text)
    return [(one, str(link)) for one, link in zip(brought, [*links, *[""] * len(brought)], strict=False)]


def _written(pinned: Sequence[Scenario], links: Sequence[str]) -> dict[str, Any]:
    """Written anew only when the board has changed: YAML takes its time."""
    last: tuple[Sequence[Scenario], dict[str, Any]] | None = st.session_state.get(_WRITTEN)
    if last is None or len(last[0]) != len(pinned) or any(a is not b for a, b in zip(last[0], pinned, strict=True)):
        written = {"count": len(pinned), "text": scenarios.write(pinned), "links": list(links)}
        st.session_state[_WRITTEN] = last = (pinned, written)
    return last[1]


def heard(key: str) -> Callable[[], None]:
    """A callback that takes in the scenarios that the tab says it has."""

    def hear() -> None:
        had = st.session_state[key].get("kept")
        if not isinstance(had, dict) or not isinstance(had.get("count"), int) or _BEFORE in st.session_state:
            return
        st.session_state[_BEFORE] = had
        st.toast(f"This session is new. On the What-if board you can bring back {_count(had)}.")

    return hear


def _count(had: dict[str, Any]) -> str:
    return counted(had["count"], "scenario", "scenarios")


def offer() -> None:
    """On the board: bring back what the tab had, or let it go."""
    said = st.session_state.pop("board_before_said", None)
    if said:
        st.success(said) if said.startswith("Brought") else st.error(said)
    had = st.session_state.get(_BEFORE)
    if not had:
        return
    st.info(
        f"This tab has kept {_count(had)} from before the server started anew or the page was loaded again. "
        "Only settings were kept: numbers are computed again."
    )
    with st.container(horizontal=True):
        label = f"Bring back {_count(had)}"
        st.button(label, key="board_bring_back", type="primary", on_click=_bring_back, args=(had,))
        st.button("Let them go", key="board_let_go", on_click=_done)


def _done(said: str | None = None) -> None:
    st.session_state[_BEFORE] = None
    st.session_state["board_before_said"] = said


def _bring_back(had: dict[str, Any]) -> None:
    try:
        brought = _read(had)
    except ScenarioError as problem:
        _done(f"{_count(had).capitalize()} are lost: {problem}.")
        return
    pinned = board()
    for scenario, link in brought:
        pinned.add(scenario, link)
    left = sum(all(pin.scenario.same != scenario.same for pin in pinned.pins) for scenario, _ in brought)
    _done(
        f"Brought back {len(brought) - left} of {len(brought)}" + (f"; the board takes {MOST_PINS}." if left else ".")
    )
