"""The app in a real browser. A test that uses ``page`` or ``open_page`` fails when the app

asks another machine for anything, writes an error to the console, throws in JavaScript, or shows an exception.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import driver
from tests.prerequisites import unavailable

HERE = Path(__file__).parent

OpenPage = Callable[..., Page]

# A busy machine takes its time; what is expected at once is expected before long there.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """Address of the running app, without a slash at its end."""
    with driver.running_app() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    executable = driver.find_chromium()
    if executable is None:
        unavailable("no Chromium found; install one or name it in the variable CHROMIUM")
    with sync_playwright() as playwright:
        chromium = driver.launch(playwright, executable)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, app_url: str) -> Iterator[OpenPage]:
    """``open_page("/geolocation?n=10", size=driver.NARROW, theme="dark")``: a page in a session of its own, idle.

    Everything that it opened is checked when the test ends.
    """
    watches: list[driver.Watch] = []
    contexts = []

    def open_(path: str = "/", size: tuple[int, int] = driver.WIDE, theme: str = "light") -> Page:
        page, watch = driver.new_page(browser, size, theme)
        watches.append(watch)
        contexts.append(page.context)
        page.goto(app_url + path)
        driver.wait_idle(page)
        return page

    yield open_
    problems = [problem for watch in watches for problem in watch.look_at_pages()]
    for context in contexts:
        context.close()
    assert not problems, "\n".join(problems)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The first page of the app, 1400 x 900, light, idle."""
    return open_page()
