"""The app in a real browser. A test that uses ``page`` or ``open_page`` fails when the app

asks another machine for anything, writes an error to the console, throws in JavaScript, or shows an exception.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import driver
from tests.browser.renderer import canvas, loaded, renderer  # noqa: F401 (fixtures)
from tests.prerequisites import unavailable

HERE = Path(__file__).parent

OpenPage = Callable[..., Page]

# A busy machine takes its time: what is waited for has a limit that only a fault reaches.
expect.set_options(timeout=driver.LIMIT)


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


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Iterator["Pages"]:
    """Pages that tests use one after the other, without what the last one left in them."""
    kept = Pages(browser)
    yield kept
    kept.context.close()


class Pages:
    """Pages of one browser context: a page in a new one costs three times as much, since its cache is empty."""

    def __init__(self, browser: Browser) -> None:
        first, self.watch = driver.new_page(browser)
        self.context = first.context
        driver.hold_still(self.context)
        driver.hold_frames(self.context)
        self._free = [first]
        self._kept: set[Page] = set()

    def take(self) -> Page:
        return self._free.pop() if self._free else self.context.new_page()

    @contextmanager
    def keep(self) -> Iterator[Page]:
        """A page that several tests use, which is not cleared between them."""
        page = self.take()
        self._kept.add(page)
        yield page
        self._kept.remove(page)
        self.clear()

    def clear(self) -> None:
        """Every page is free again and knows nothing: no session of the app, nothing stored, the mouse in a corner."""
        self._free = [page for page in self.context.pages if page not in self._kept]
        for page in self._free:
            if page.url.startswith("http"):
                page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); window.name = ''; }")
            page.goto("about:blank")
            page.mouse.move(0, 0)
        self.context.clear_cookies()
        self.watch.problems.clear()


@pytest.fixture
def open_page(pages: Pages, app_url: str) -> Iterator[OpenPage]:
    """``open_page("/geolocation?n=10", size=driver.NARROW, theme="dark")``: a page in a session of its own, idle.

    With ``on=page`` it takes the place of what that page shows; with ``frames=True`` it has them as readers do, without
    only after `driver.ready`. All that it opened is checked, at the latest when the test ends.
    """

    def open_(
        path: str = "/",
        size: tuple[int, int] = driver.WIDE,
        theme: str = "light",
        on: Page | None = None,
        motion: str = "reduce",
        frames: bool = False,
    ) -> Page:
        pages.watch.look_at_pages()
        page = on or pages.take()
        driver.show_as(page, size, theme, motion)
        page.goto(app_url + path)
        if frames:
            driver.want_frames(page)
        driver.wait_idle(page)
        return page

    yield open_
    problems = pages.watch.look_at_pages()
    pages.clear()
    assert not problems, "\n".join(problems)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The first page of the app, 1400 x 900, light, idle."""
    return open_page()
