"""Work of more than a second: shown with a count, abandoned by a button."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpot_app.kit.requester import Requester, requested_by
from dpot_app.shell.serving import Running
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import count

T = TypeVar("T")

# Quicker work shows nothing: a bar that only flashes disturbs.
_PATIENCE = 0.5
_BETWEEN = 0.1
# While others work there is little news; but what is drawn notices that the reader has moved on.
_STILL = 0.5


class Abandoned(Exception):
    """The reader has given up on the work."""


def counted(memory: str, what: object, label: str, work: Callable[[Progress], T]) -> T | None:
    """The result of work, or None if the reader has given it up.

    Not for use inside a fragment: Streamlit lets a fragment's button wait until the page is done.

    Args:
        memory: key in the session under which it is remembered what was abandoned.
        what: is worked on; other work under the same key is not abandoned with it.
        label: of the work, for the screen.
        work: called with what it reports to.
    """
    place = st.empty()
    bar = _Bar(place, memory, what, label)
    try:
        with requested_by(Requester(_session(), bar.wait, waiting=Running.pause)):
            result = work(bar.report)
    except Abandoned:
        with place.container():
            bar.offer_to_go_on()
        return None
    except Exception:
        # What is said about it stands alone: nothing goes on that could be abandoned.
        place.empty()
        raise
    place.empty()
    return result


def _session() -> str:
    """The session whose turn it is."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


class _Bar:
    """A progress bar with a button, drawn when the work turns out to take a while; clicks take effect there."""

    def __init__(self, place: Any, memory: str, what: object, label: str) -> None:
        self._place, self._memory, self._what, self._label = place, memory, what, label
        self._bar: Any = None
        self._drawn = time.monotonic() + _PATIENCE - _BETWEEN
        self._done = (0, 1)
        self._ahead: int | None = None

    def report(self, done: int, total: int) -> None:
        self._done = (done, max(total, 1))
        self._draw(f"{done:,} of {total:,} done", _BETWEEN)

    def wait(self, ahead: int | None) -> None:
        """Another session works on it, or will when so many are done that are ahead."""
        done, total = self._done
        words = f"{done:,} of {total:,} done" if ahead is None else f"{count(ahead)} ahead of you"
        self._draw(words, _BETWEEN if ahead != self._ahead else _STILL)
        self._ahead = ahead

    def _draw(self, words: str, between: float) -> None:
        done, total = self._done
        if st.session_state.get(self._memory) == self._what:
            raise Abandoned
        now = time.monotonic()
        if now < self._drawn + between:
            return
        self._drawn = now
        if self._bar is None:
            with self._place.container():
                self._bar = st.progress(0.0)
                remember = st.session_state.__setitem__
                st.button("Cancel", key=f"{self._memory}_stop", on_click=remember, args=(self._memory, self._what))
        self._bar.progress(min(done / total, 1.0), f"{self._label}: {words}")

    def offer_to_go_on(self) -> None:
        st.info(f"Cancelled: {self._done[0]:,} of {self._done[1]:,} done.")
        st.button("Go on", key=f"{self._memory}_go", on_click=st.session_state.pop, args=(self._memory,))
