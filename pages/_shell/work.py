"""Work of more than a second: shown with a count, abandoned by a button, kept with a bound."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from dpot_core.progress import Progress

T = TypeVar("T")
Job = tuple[str, str, Callable[[Progress], T]]

# Quicker work shows nothing: a bar that only flashes disturbs.
_PATIENCE = 0.5
_BETWEEN = 0.1


@st.cache_resource(max_entries=100, show_spinner=False)
def _slot(key: str) -> list[Any]:
    """Where one result is kept. Not the result itself, because no progress can be drawn from inside a cache."""
    return []


def worked(name: str, jobs: Sequence[Job[T]]) -> list[T]:
    """Results of the jobs, those known already at once; fewer than jobs if the reader abandons the work.

    Not for use inside a fragment: Streamlit lets a fragment's button wait until the page is done.

    Args:
        name: of this kind of work, with the page's short name in front.
        jobs: key of the result, what it is for the screen, and the function that computes it.
    """
    results: list[T] = []
    memory = f"{name}_abandoned"
    place = st.empty()
    bar = _Bar(place, memory, jobs)
    for number, (key, _, run) in enumerate(jobs):
        slot = _slot(key)
        if not slot:
            if st.session_state.get(memory) == jobs[0][0]:
                with place.container():
                    st.info(f"Abandoned: {number} of {len(jobs)} done.")
                    st.button("Go on", key=f"{memory}_go", on_click=st.session_state.pop, args=(memory,))
                return results
            slot.append(run(bar.at(number)))
        results.append(slot[0])
    place.empty()
    return results


class _Bar:
    """A progress bar with a button, drawn when the work turns out to take a while."""

    def __init__(self, place: Any, memory: str, jobs: Sequence[Job[Any]]) -> None:
        self._place, self._memory, self._jobs = place, memory, jobs
        self._bar: Any = None
        self._drawn = time.monotonic() + _PATIENCE - _BETWEEN

    def at(self, number: int) -> Progress:
        """The function that one job reports to; the reader's clicks take effect there."""

        def report(done: int, total: int) -> None:
            now = time.monotonic()
            if now < self._drawn + _BETWEEN:
                return
            self._drawn = now
            if self._bar is None:
                with self._place.container():
                    self._bar = st.progress(0.0)
                    st.button(
                        "Abandon",
                        key=f"{self._memory}_stop",
                        on_click=st.session_state.__setitem__,
                        args=(self._memory, self._jobs[0][0]),
                    )
            count = len(self._jobs)
            text = f"{self._jobs[number][1]}: {done:,} of {total:,}"
            if count > 1:
                text += f" ({number + 1} of {count})"
            self._bar.progress(min((number + done / max(total, 1)) / count, 1.0), text)

        return report
