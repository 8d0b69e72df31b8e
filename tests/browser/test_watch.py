"""The watch itself: each thing that must not happen is noticed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser import driver


@pytest.fixture(scope="module")
def watched(browser: Browser) -> Iterator[tuple[BrowserContext, driver.Watch]]:
    """A context under watch; every test has a page of its own in it."""
    page, watch = driver.new_page(browser)
    context = page.context
    page.close()
    yield context, watch
    context.close()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("html", "noticed"),
    [
        ("<img src='http://example.com/map.png'>", "request leaves the machine: http://example.com/map.png"),
        ("<img src='http://192.0.2.1/map.png'>", "console error: Failed to load resource: net::ERR_NAME_NOT_RESOLVED"),
        (
            "<script>fetch('https://127.0.0.1.example.com/')</script>",
            "request leaves the machine: https://127.0.0.1.ex",
        ),
        ("<script>new WebSocket('ws://example.com/')</script>", "websocket leaves the machine: ws://example.com/"),
        (
            "<link rel='icon' href='https://example.com/i.svg'>",
            "named resource leaves the machine: https://example.com",
        ),
        ("<script>console.error('no such trace')</script>", "console error: no such trace"),
        ("<script>throw new Error('out of range')</script>", "page error: out of range"),
        ("<div data-testid='stException'>ValueError: k</div>", "exception box: ValueError: k"),
    ],
)
def test_a_problem_is_noticed(watched: tuple[BrowserContext, driver.Watch], html: str, noticed: str) -> None:
    context, watch = watched
    watch.problems.clear()
    page = context.new_page()
    page.set_content(html)
    page.wait_for_timeout(300)
    problems = watch.look_at_pages()
    page.close()
    assert any(problem.startswith(noticed) for problem in problems), problems


@pytest.mark.nightly
def test_a_sound_page_is_left_alone(watched: tuple[BrowserContext, driver.Watch], app_url: str) -> None:
    context, watch = watched
    watch.problems.clear()
    page = context.new_page()
    page.goto(f"{app_url}/_stcore/health")
    page.set_content("<img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='><p>fine</p>")
    page.wait_for_timeout(300)
    problems = watch.look_at_pages()
    page.close()
    assert problems == []
