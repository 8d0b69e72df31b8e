"""Pinning: what a page shows, put on the what-if board, which is kept in the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpot_core import scenarios
from dpot_core.figures.inline import lighter
from dpot_core.figures.pictures import picture
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios import KINDS, Found, Kind, Outcome, Scenario, ScenarioError
from dpot_core.scenarios.kinds import HasTables
from pages._shell.charts import as_text
from pages._shell.controls import Controls
from pages._shell.files import Upload

BOARD = "pages/board.py"
#: More scenarios than this nobody compares, and their pictures would fill the memory.
MOST_PINS = 12
_PINS, _FILES, _NEXT, _SAID = "board_pins", "board_files", "board_next", "board_said"


@dataclass(frozen=True)
class Summary:
    """What the board keeps of an outcome.

    Attributes:
        headlines: name with unit -> value.
        guarantee: what is promised.
        picture: the figure as JSON, on a light ground.
    """

    headlines: Mapping[str, float]
    guarantee: Guarantee
    picture: str


@dataclass(frozen=True)
class Pin:
    """A scenario on the board.

    Attributes:
        number: tells it from the others.
        scenario: settings and data.
        summary: its numbers; None until the board has computed them.
        link: query of the page's address that restores it, "" if it was not pinned on a page as it stands.
    """

    number: int
    scenario: Scenario
    summary: Summary | None
    link: str = ""


@dataclass(frozen=True)
class Offer:
    """What a page lets readers pin.

    Attributes:
        kind: key of the scenario's kind.
        results: what running it gave, if the page has it; else the board computes it.
        files: the reader's own files that the settings read, by role.
    """

    kind: str
    results: Callable[[], tuple[HasTables, ...]] | None = None
    files: Mapping[str, Upload | None] = field(default_factory=dict)


def pins() -> list[Pin]:
    """What is on the board, in order; change it by `set_pins` only."""
    found: list[Pin] = st.session_state.setdefault(_PINS, [])
    return found


def set_pins(new: list[Pin]) -> None:
    """Replace what is on the board; files that nothing on it reads any more are forgotten."""
    st.session_state[_PINS] = new
    read = {digest for pin in new for _, digest in pin.scenario.data}
    st.session_state[_FILES] = {digest: content for digest, content in board_files().items() if digest in read}


def board_files() -> dict[str, bytes]:
    """Contents of the reader's own files that scenarios on the board read, by their SHA-256."""
    files: dict[str, bytes] = st.session_state.setdefault(_FILES, {})
    return files


def add_pin(scenario: Scenario, summary: Summary | None = None, link: str = "") -> str:
    """Put a scenario on the board unless it is there; say in words what was done."""
    for pin in pins():
        if pin.scenario.same == scenario.same:
            return f"Already on the board: {pin.scenario.title}"
    if len(pins()) >= MOST_PINS:
        return f"The board is full: {MOST_PINS} scenarios. Remove one first."
    number = st.session_state.get(_NEXT, 1)
    st.session_state[_NEXT] = number + 1
    set_pins([*pins(), Pin(number, scenario, summary, link)])
    return f"Pinned: {scenario.title}"


def summarise(outcome: Outcome) -> Summary:
    """The part of an outcome that the board keeps."""
    scenario = outcome.scenario
    figure = picture(scenario.kind, outcome.found.results, outcome.headlines, scenario.about.title)
    return Summary(outcome.headlines, outcome.guarantee, lighter(figure.to_json()))


def pin_row(
    controls: Controls, offer: Offer | None, config: Any, guarantee: Guarantee, link: Mapping[str, str]
) -> None:
    """The button that pins, and the way to the board; nothing for settings that no kind takes."""
    kind = _kind(offer, config)
    if kind is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Pin to the board",
            key=f"{controls.page}_pin",
            icon=":material/keep:",
            on_click=_pin,
            args=(controls, offer or Offer(kind.key), config, guarantee, link),
            help="Keeps these settings and their numbers beside others, to compare and to report.",
        )
        count = len(pins())
        label = "What-if board" + (f" ({count})" if count else "")
        st.page_link(BOARD, label=label, icon=":material/dashboard:")
    said = st.session_state.pop(_SAID, None)
    if said is not None:
        st.toast(f"{as_text(said)}. The board has {len(pins())} of at most {MOST_PINS}.")


def _kind(offer: Offer | None, config: Any) -> Kind | None:
    if offer is not None:
        return KINDS[offer.kind]
    return next((kind for kind in KINDS.values() if type(config) is kind.takes), None)


def _pin(controls: Controls, offer: Offer, config: Any, guarantee: Guarantee, link: Mapping[str, str]) -> None:
    try:
        scenario = scenario_of(offer, config)
    except ScenarioError as problem:
        st.session_state[_SAID] = f"This cannot be pinned: {problem}"
        return
    if scenario is None:
        return
    summary = None
    if offer.results is not None:
        summary = summarise(scenarios.outcome(scenario, Found(offer.results(), guarantee)))
    board_files().update({file.digest: file.content for file in offer.files.values() if file is not None})
    st.session_state[_SAID] = add_pin(scenario, summary, controls.link(**link).split("?", 1)[1])


def scenario_of(offer: Offer | None, config: Any) -> Scenario | None:
    """The scenario of what a page shows, or None for settings that no kind takes.

    Raises:
        ScenarioError: if the settings are beyond what scenarios allow.
    """
    kind = _kind(offer, config)
    if kind is None:
        return None
    files = {} if offer is None else offer.files
    digests = {role: file.digest for role, file in files.items() if file is not None}
    return Scenario(kind.key, new_title(kind, config), config, scenarios.describe_data(kind, config, digests))


def new_title(kind: Kind, config: Any) -> str:
    """A title that no scenario on the board has."""
    epsilon = getattr(config, "epsilon", None)
    base = f"{kind.page}: {kind.title}" + ("" if epsilon is None else f", ε = {epsilon:g}")
    taken = {pin.scenario.title for pin in pins()}
    return next(
        title
        for number in range(1, MOST_PINS + 2)
        if (title := base if number == 1 else f"{base} ({number})") not in taken
    )
