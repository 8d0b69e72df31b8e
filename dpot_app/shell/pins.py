"""Pinning: what a page shows, put on the what-if board, which is kept in the session."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import streamlit as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Outcome, Scenario, ScenarioError, picture
from dpot_app.batch.tags import tag_of
from dpot_app.figures.inline import lighter
from dpot_app.kit import cache
from dpot_app.kit.links import Parameters
from dpot_app.kit.markdown import as_text
from dpot_app.kit.view import Results, View
from dpot_app.shell.controls import Controls
from dpot_app.shell.picture_menu import promised
from dpot_app.shell.upload import Upload
from dpot_core.privacy.disclosures import Disclosure, short_name

BOARD = "pages/board.py"
#: More scenarios than this are hard to compare, and their pictures would fill the memory.
MOST_PINS = 12


@dataclass(frozen=True)
class Summary:
    headlines: Mapping[str, float]  # name with unit -> value
    disclosure: Disclosure
    promise: str  # for the foot of the picture: what the numbers are, and what is promised
    picture: str  # the figure as JSON, on a light ground


@dataclass(frozen=True)
class Pin:
    number: int
    scenario: Scenario
    summary: Summary | None  # its numbers; None until the board has them
    link: str = ""  # query of the page's address that restores it, "" if it was not pinned on a page as it stands
    # makes them from what the page had computed, so that pinning itself takes no time; None if the board has to
    # compute them
    known: Callable[[], Summary] | None = None

    def with_choice(self, reason: str | None) -> "Pin":
        """The same, chosen for a reason, or not chosen."""
        return replace(self, scenario=replace(self.scenario, chosen=reason))


@dataclass
class Board:
    """The pins of this session.

    It is changed in place: Streamlit interrupts a callback wherever it touches the session's state if the reader has
    moved a control since, so that the callback that pins is given the board and does not look at that state.
    """

    pins: list[Pin] = field(default_factory=list)
    # contents of the reader's own files that the scenarios read, by their tag
    files: dict[str, bytes] = field(default_factory=dict)
    number: int = 1
    said: str | None = None  # what to tell the reader once

    def put(self, pins: list[Pin]) -> None:
        """Replace the pins; files that no scenario reads any more are forgotten, with what was computed from them."""
        self.pins = pins
        for tag in self.files.keys() - self._read():
            content = self.files.pop(tag)
            cache.forget(cache.file_digest(content))

    def bring(self, files: Mapping[str, bytes]) -> None:
        """Take those of the reader's own files, by their tag, that a scenario reads."""
        for tag in (files.keys() & self._read()) - self.files.keys():
            self.files[tag] = files[tag]
            cache.forget_with(self, cache.file_digest(files[tag]))

    def take_for(self, foreign: str, content: bytes) -> None:
        """Take a file as the one that has a tag of another machine: the scenarios get its tag of this one."""
        tag, pins = tag_of(content), []
        for pin in self.pins:
            data = tuple((role, tag if known == foreign else known) for role, known in pin.scenario.data)
            scenario = pin.scenario if data == pin.scenario.data else replace(pin.scenario, data=data)
            pins.append(replace(pin, scenario=scenario))
        self.put(pins)
        self.bring({tag: content})

    def _read(self) -> set[str]:
        return {known for pin in self.pins for _, known in pin.scenario.data}

    def add(self, scenario: Scenario, link: str = "", known: Callable[[], Summary] | None = None) -> str:
        """Put a scenario on the board unless it is there; say in words what was done."""
        for pin in self.pins:
            if pin.scenario.same == scenario.same:
                return f"Already on the board: {pin.scenario.title}"
        if len(self.pins) >= MOST_PINS:
            return f"The board is full: {MOST_PINS} scenarios. Remove one first"
        number, self.number = self.number, self.number + 1
        if any(pin.scenario.chosen is not None for pin in self.pins):
            scenario = replace(scenario, chosen=None)
        self.put([*self.pins, Pin(number, scenario, None, link, known)])
        return f"Pinned: {scenario.title}"

    def choose(self, number: int | None, reason: str = "") -> None:
        """Choose one scenario, or none; only one is."""
        self.put([pin.with_choice(reason if pin.number == number else None) for pin in self.pins])

    def new_title(self, view: View, config: Any) -> str:
        """A title that no scenario on the board has."""
        epsilon, what = getattr(config, "epsilon", None), view.subtitle(config)
        base = f"{view.page}: {view.title}" + (f", {what}" if what else "")
        base += "" if epsilon is None else f", ε = {epsilon:g}"
        taken = {pin.scenario.title for pin in self.pins}
        titles = (base if number == 1 else f"{base} ({number})" for number in itertools.count(1))
        return next(title for title in titles if title not in taken)


@dataclass(frozen=True)
class Offer:
    """The pin that a page offers: a view at the settings of some results."""

    view: View
    results: Results
    computed: bool  # whether the results are the view's own; else the board computes those
    files: Mapping[str, Upload]  # the reader's own files that the settings read, by role
    question: str = ""  # what has to be possible

    def scenario(self, pinned: Board) -> Scenario:
        """The pinned scenario, under a title that no scenario on the board has.

        Raises:
            ScenarioError: if the settings are beyond what scenarios allow.
        """
        view, config = self.view, self.results.config
        tags = {role: file.tag for role, file in self.files.items()}
        data = scenarios.describe_data(view, config, tags)
        mechanism = short_name(self.results.disclosure.chosen)  # the first needs no name
        title = pinned.new_title(view, config)
        return Scenario(view.key, title, config, data, mechanism=mechanism, question=self.question)


def board() -> Board:
    return cast(Board, st.session_state.setdefault("board", Board()))


def summarise(outcome: Outcome) -> Summary:
    view, results = scenarios.VIEWS[outcome.scenario.kind], outcome.results
    promise = promised(view, results, view.show(results.config, *results.parts))
    return Summary(outcome.headlines, results.disclosure, promise, lighter(picture(outcome).to_json()))


def pin_row(controls: Controls, offer: Offer, link: Parameters) -> None:
    """The button that pins, and the way to the board."""
    pinned = board()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Pin to the board",
            key=f"{controls.page}_pin",
            icon=":material/keep:",
            on_click=_pin,
            args=(pinned, controls, offer, link),
            help="Keeps these settings and their numbers beside others, to compare and to report.",
        )
        label = "What-if board" + (f" ({len(pinned.pins)})" if pinned.pins else "")
        st.page_link(BOARD, label=label, icon=":material/dashboard:")
    said, pinned.said = pinned.said, None
    if said is not None:
        st.toast(f"{as_text(said)}. The board has {len(pinned.pins)} of at most {MOST_PINS}.")


def _pin(pinned: Board, controls: Controls, offer: Offer, link: Parameters) -> None:
    # Without a look at the session's state: see `Board`.
    try:
        scenario = offer.scenario(pinned)
    except ScenarioError as problem:
        pinned.said = f"This cannot be pinned: {problem}"
        return
    known = (lambda: summarise(scenarios.outcome(scenario, offer.results))) if offer.computed else None
    if not all(file.content for file in offer.files.values()):
        pinned.said = "This cannot be pinned: its file was forgotten"
        return
    pinned.said = pinned.add(scenario, controls.query(link), known)
    pinned.bring({file.tag: file.content for file in offer.files.values()})
