"""What a browser sends while it goes from one page to another, as Streamlit 1.67 sends it."""

from __future__ import annotations

import pytest
from streamlit.proto.ClientState_pb2 import ClientState

from dpot_app.shell.addresses import prefix_of
from dpot_app.shell.late_reports import PendingNavigation
from dpot_app.views.table import PAGES
from tests.apps import open_page

NAMES = {"#home": "home", "#ring": "ring", "#board": "board"}
SWITCHED = {"teach_on": "false"}  # what stands on every page


def message(page: str, at: str, told: dict[str, str] = SWITCHED, **more: object) -> ClientState:
    """From a page, with the path that stands in the browser's address and the values of controls."""
    said = ClientState(page_script_hash=page, **more)  # type: ignore[arg-type]
    said.context_info.url = f"http://localhost{at}"
    for key, value in told.items():
        state = said.widget_states.widgets.add()
        state.id = f"$$ID-0123-{key}"
        if value == "clicked":
            state.trigger_value = True
        else:
            state.string_value = value
    return said


def moved(**more: object) -> ClientState:
    """A slider on the ring has been moved, which is still shown."""
    return message("#ring", "/ring", {**SWITCHED, "ring_epsilon": "3"}, **more)


HOME = message("#home", "/ring", query_string="a=1")


@pytest.fixture
def leaving() -> PendingNavigation:
    """A browser on the ring, on its way home."""
    leaving = PendingNavigation()
    assert leaving.hear(moved(), "#ring", NAMES) == moved()
    assert leaving.hear(HOME, "#ring", NAMES) is HOME
    return leaving


@pytest.mark.parametrize(
    "late",
    [
        moved(),
        moved(fragment_id="part"),
        message("#ring", "/ring", {"teach_on": "true"}),
        message("#ring", "/ring", {**SWITCHED, "tour_close": "clicked"}),
    ],
    ids=["slider", "part of the page", "switch", "button"],
)
@pytest.mark.parametrize("page", ["#ring", "#home"], ids=["before it has begun", "after"])
def test_a_late_report_is_heard_where_the_reader_goes(leaving: PendingNavigation, late: ClientState, page: str) -> None:
    for _ in range(2):
        heard = leaving.hear(late, page, NAMES)
        assert heard is not None and heard.page_script_hash == "#home" and heard.query_string == "a=1"
        assert heard.widget_states == late.widget_states and not heard.fragment_id
        # Who clicks the link twice goes there as well.
        assert leaving.hear(HOME, "#home", NAMES) is HOME


def test_a_part_that_runs_by_itself_is_left_alone(leaving: PendingNavigation) -> None:
    assert leaving.hear(moved(fragment_id="part", is_auto_rerun=True), "#home", NAMES) is None


@pytest.mark.parametrize(
    "wish",
    [
        message("#ring", "/ring"),
        message("#ring", "/ring", {}),
        message("#ring", "/ring", {**SWITCHED, "teach_large": "true"}),  # drawn only now
        message("#board", "/ring"),
        message("#ring", "/ring", {**SWITCHED, "ring_epsilon": "3"}, is_history_navigation=True),
    ],
    ids=["link", "nothing told", "link with a new switch", "elsewhere", "Back"],
)
def test_a_second_click_wins_over_the_first(leaving: PendingNavigation, wish: ClientState) -> None:
    assert leaving.hear(wish, "#home", NAMES) is wish
    there = message(wish.page_script_hash, "/there", {"there_epsilon": "1"})
    assert leaving.hear(there, wish.page_script_hash, NAMES) is there


def test_after_arrival_every_page_opens(leaving: PendingNavigation) -> None:
    """Also back to the page that was left, where a button of the server's leads there."""
    for said, page in (
        (message("#home", "/", {"home_epsilon": "2"}, fragment_id="hero"), "#home"),
        (message("#ring", "/ring", {"ring_epsilon": "2"}), "#ring"),
        (message("#home", "/ring"), "#ring"),
        (message("#ring", "/"), "#home"),
    ):
        assert leaving.hear(said, page, NAMES) is said


def test_after_back_a_late_report_changes_nothing_and_links_lead_on() -> None:
    """Back changes the address before the page."""
    leaving = PendingNavigation()
    back = message("#home", "/", query_string="home_epsilon=5", is_history_navigation=True)
    assert leaving.hear(back, "#ring", NAMES) is back
    late = message("#ring", "/", {"ring_epsilon": "3"})
    heard = leaving.hear(late, "#ring", NAMES)
    assert heard is not None and heard.page_script_hash == "#home"
    assert heard.query_string == "home_epsilon=5" and heard.is_history_navigation
    on = message("#ring", "/", {"teach_on": "false", "teach_large": "false"})
    assert leaving.hear(on, "#home", NAMES) is on


def test_the_first_message_of_a_browser_names_no_page_by_its_hash() -> None:
    leaving = PendingNavigation()
    for said, page in ((message("", "/ring", {}, page_name="ring"), ""), (moved(), "#main"), (moved(), "#ring")):
        assert leaving.hear(said, page, NAMES) is said


@pytest.mark.nightly
@pytest.mark.parametrize("key", PAGES)
def test_the_names_of_a_pages_controls_begin_with_its_prefix(key: str) -> None:
    """What tells a report of a page that is left from the wish to see it."""
    app = open_page(key)
    controls = {one.key for one in [*app.slider, *app.select_slider, *app.selectbox, *app.number_input] if one.key}
    assert any(name.startswith(f"{prefix_of(key)}_") for name in controls)
    assert not [name for name in controls for other in PAGES if other != key if name.startswith(f"{prefix_of(other)}_")]


def test_pages_that_are_no_study_are_called_by_their_address() -> None:
    assert prefix_of("") == "home" and prefix_of("board") == "board"
