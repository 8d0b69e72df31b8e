"""Pages are left faster than the server begins the next one: what it sends is held back while the reader goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from dpot_app.shell.home.places import TOUR
from tests.browser import driver
from tests.browser.conftest import OpenPage

APP = "Privacy and distance"


class Wire:
    """What the server sends to a page, which may wait."""

    def __init__(self, page: Page) -> None:
        self._held: list[str | bytes] | None = None
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if self._held is None:
                browser.send(message)
            else:
                self._held.append(message)

        server.on_message(pass_on)
        self._browser = browser

    def hold(self) -> None:
        self._held = []

    def let_go(self, page: Page) -> None:
        """Once the server has answered what was sent until now."""
        page.wait_for_timeout(800)
        held, self._held = self._held or [], None
        for message in held:
            self._browser.send(message)
        page.wait_for_timeout(300)
        driver.wait_idle(page)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page of its own, whose wire no other test has."""
    return open_page()


@pytest.fixture
def wire(open_page: OpenPage, page: Page) -> Iterator[Wire]:
    yield Wire(page)
    page.close()


def slider(page: Page) -> None:
    page.get_by_role("slider", name="Privacy parameter ε").first.press("ArrowRight")


def shows(page: Page, path: str, title: str, query: str = "") -> None:
    """Address, name and content are those of one page."""
    expect(page).to_have_title(title)
    address = urlsplit(page.url)
    assert (address.path, address.query) == (path, query)
    assert page.locator("[data-testid=stTopNav] [aria-current] >> visible=true").count() == 1


@pytest.mark.nightly
def test_a_tour_that_is_closed_on_the_way_back_is_closed(open_page: OpenPage, page: Page, wire: Wire) -> None:
    open_page("/", on=page)
    page.get_by_role("button", name="Guided tour").click()
    expect(page.get_by_text(f"1 of 6: {TOUR[0].title}")).to_be_visible()
    driver.follow(page, "/ring")
    wire.hold()
    page.get_by_role("link", name="Return to the tour").click()
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Close the tour").click()
    wire.let_go(page)
    shows(page, "/", APP)
    expect(page.get_by_role("button", name="Guided tour")).to_be_visible()


@pytest.mark.nightly
def test_back_leaves_a_page_whose_slider_has_just_been_moved(open_page: OpenPage, page: Page, wire: Wire) -> None:
    open_page("/explain", on=page)
    driver.follow(page, "/ring")
    wire.hold()
    page.evaluate("() => history.back()")
    slider(page)
    wire.let_go(page)
    shows(page, "/explain", f"What ε means · {APP}")


@pytest.mark.nightly
@pytest.mark.parametrize("ways", [("Home", "Finite ring"), ("Home", "Finite ring", "Home")], ids=len)
def test_a_reader_who_changes_their_mind_comes_where_the_last_click_leads(
    open_page: OpenPage, page: Page, wire: Wire, ways: tuple[str, ...]
) -> None:
    open_page("/ring", on=page)
    wire.hold()
    for way in ways:
        driver.go_to(page, way)
        page.wait_for_timeout(100)
    wire.let_go(page)
    shows(page, *{"Home": ("/", APP), "Finite ring": ("/ring", f"Finite ring · {APP}")}[ways[-1]])


@pytest.mark.nightly
def test_forward_is_there_after_back_was_pressed_twice_fast(open_page: OpenPage, page: Page, wire: Wire) -> None:
    """What answers the first press comes after the second."""
    open_page("/explain", on=page)
    for path in ("/ring", "/board"):
        driver.follow(page, path)
    steps = page.evaluate("() => history.length")
    wire.hold()
    go: Callable[[str], object] = lambda way: page.evaluate(f"() => history.{way}()")  # noqa: E731
    for way, path, title in (("back", "/explain", "What ε means"), ("forward", "/board", "What-if board")):
        wire.hold()
        go(way)
        page.wait_for_timeout(100)
        go(way)
        wire.let_go(page)
        shows(page, path, f"{title} · {APP}")
    assert page.evaluate("() => history.length") == steps
