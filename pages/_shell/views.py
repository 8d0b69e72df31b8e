"""A view on the screen: computed with a count that can be abandoned, then shown block by block."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from dpot_core.datasets import ColumnsError, DatasetMissing, UnusableFile
from dpot_core.disclosures import Disclosure
from dpot_core.guarantees import Guarantee
from dpot_core.progress import Progress
from dpot_core.studies._kit.markdown import as_text
from dpot_core.studies._kit.view import Blocks, Code, Columns, Folded, Note, Picture, Results, Slot, Table, View
from pages._shell.charts import draw
from pages._shell.controls import Controls
from pages._shell.files import files_for, offer_download
from pages._shell.guarantee_strip import disclosure_strip, guarantee_strip
from pages._shell.tables import table

T = TypeVar("T")

# Quicker work shows nothing: a bar that only flashes disturbs.
_PATIENCE = 0.5
_BETWEEN = 0.1
_NOTES: Mapping[str, Callable[[str], Any]] = {"text": st.markdown, "info": st.info, "warning": st.warning}


class Abandoned(Exception):
    """The reader has given up on the work."""


def computed(controls: Controls, view: View, config: Any) -> Results | None:
    """The results of a view, or None while there are none (the screen says why).

    Args:
        controls: of the page.
        view: what to compute.
        config: its settings.
    """
    files = {role: file.content for role, file in files_for(controls, view, config).items()}
    return watched(controls, view.key, config, lambda progress: view.run(config, files, progress))


def watched(controls: Controls, name: str, config: Any, work: Callable[[Progress], T]) -> T | None:
    """What work gives that may take a while, or None while there is nothing (the screen says why).

    Not for use inside a fragment: Streamlit lets a fragment's button wait until the page is done.

    Args:
        controls: of the page.
        name: of the work.
        config: its settings: other settings are not abandoned with them.
        work: called with what it reports to.
    """
    place = st.empty()
    bar = _Bar(place, f"{controls.page}_{name}_abandoned", (name, config))
    try:
        result = loaded(controls, lambda: work(bar.report))
    except Abandoned:
        with place.container():
            bar.offer_to_go_on()
        return None
    if result is not None:
        place.empty()
    return result


def abandoned(controls: Controls, view: View, config: Any) -> bool:
    """Whether the reader has given up on the results of a view."""
    return bool(st.session_state.get(_memory(controls, view)) == (view.key, config))


def _memory(controls: Controls, view: View) -> str:
    return f"{controls.page}_{view.key}_abandoned"


def loaded(controls: Controls, load: Callable[[], T]) -> T | None:
    """What a function gives, or None while data are missing or do not fit (the screen says why).

    Args:
        controls: of the page.
        load: reads data or computes.
    """
    try:
        return load()
    except DatasetMissing as missing:
        if missing.dataset is None:
            st.info(f"{as_text(str(missing))}.")
        else:
            offer_download(controls, missing.dataset)
    except ColumnsError as problem:
        st.error(f"{as_text(str(problem))}. Choose the columns on the left.")
    except UnusableFile as problem:
        st.error(f"This file cannot be used: {as_text(str(problem))}.")
    except (ValueError, RuntimeError) as problem:
        st.error(f"These settings do not fit {'the data' if controls.files else 'together'}: {as_text(str(problem))}.")
    return None


def show(blocks: Blocks, key: str, slots: Mapping[str, Callable[[], None]] | None = None) -> None:
    """Draw what a view shows.

    Args:
        blocks: from top to bottom.
        key: tells pictures from those of other views on the page.
        slots: by name, what draws the page's own pieces.
    """
    for block in blocks:
        if isinstance(block, str):
            st.caption(block)
        elif isinstance(block, Picture):
            draw(block.draw(), alt=block.alt, key=f"{key}_{block.name}")
        elif isinstance(block, Table):
            table(block.heads, block.rows)
        elif isinstance(block, Note):
            _NOTES[block.kind](block.text)
        elif isinstance(block, Code):
            st.code(block.text, language="python")
        elif isinstance(block, Slot):
            (slots or {})[block.name]()
        elif isinstance(block, Folded):
            with st.expander(block.label):
                show(block.blocks, key, slots)
        elif isinstance(block, Disclosure):
            disclosure_strip(block)
        elif isinstance(block, Guarantee):
            guarantee_strip(block)
        else:
            _columns(block, key, slots)


def _columns(columns: Columns, key: str, slots: Mapping[str, Callable[[], None]] | None) -> None:
    widths: Sequence[float] | int = list(columns.widths) or len(columns.blocks)
    for place, inside in zip(st.columns(widths), columns.blocks, strict=True):
        with place:
            show(inside if isinstance(inside, tuple) else (inside,), key, slots)


class _Bar:
    """A progress bar with a button, drawn when the work turns out to take a while; clicks take effect there."""

    def __init__(self, place: Any, memory: str, what: object) -> None:
        self._place, self._memory, self._what = place, memory, what
        self._bar: Any = None
        self._drawn = time.monotonic() + _PATIENCE - _BETWEEN
        self._done = (0, 1)

    def report(self, done: int, total: int) -> None:
        """Called by the work now and then."""
        self._done = (done, max(total, 1))
        if st.session_state.get(self._memory) == self._what:
            raise Abandoned
        now = time.monotonic()
        if now < self._drawn + _BETWEEN:
            return
        self._drawn = now
        if self._bar is None:
            with self._place.container():
                self._bar = st.progress(0.0)
                remember = st.session_state.__setitem__
                st.button("Abandon", key=f"{self._memory}_stop", on_click=remember, args=(self._memory, self._what))
        self._bar.progress(min(done / max(total, 1), 1.0), f"{done:,} of {total:,} done")

    def offer_to_go_on(self) -> None:
        """Say how far the work was."""
        st.info(f"Abandoned: {self._done[0]:,} of {self._done[1]:,} done.")
        st.button("Go on", key=f"{self._memory}_go", on_click=st.session_state.pop, args=(self._memory,))
