"""What holds for every page that the navigation offers, at both widths and in both themes."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import driver
from tests.browser.conftest import OpenPage


@pytest.fixture(scope="module")
def paths(browser: Browser, app_url: str) -> Iterator[list[str]]:
    """Path of every page."""
    page, _ = driver.new_page(browser)
    page.goto(app_url)
    driver.wait_idle(page)
    yield driver.page_paths(page)
    page.context.close()


def _brightness(page: Page) -> float:
    """Of the app's background, 0 (black) to 255 (white)."""
    colour = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor")
    red, green, blue = (float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("size", [driver.WIDE, driver.NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_opens_well(open_page: OpenPage, paths: list[str], size: tuple[int, int], theme: str) -> None:
    for path in paths:
        page = open_page(path, size, theme)
        assert (_brightness(page) > 200) == (theme == "light"), f"{path} is not {theme}"

        overflow = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
        assert overflow <= 0, f"{path} scrolls sideways by {overflow} px"

        if path == "/board":
            continue  # empty until something is pinned
        pictures = page.locator(".js-plotly-plot")
        assert pictures.count() > 0, f"{path} shows no picture"
        box = pictures.first.bounding_box()
        assert box is not None, f"{path} hides its first picture"
        end = box["y"] + box["height"]
        if size == driver.WIDE:
            assert end <= size[1], f"{path}: the first picture ends at {end:.0f}, below the fold"
