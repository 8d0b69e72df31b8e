"""What holds for every page that the navigation offers, at both widths and in both themes."""

import pytest
from playwright.sync_api import Page

from tests.browser import driver
from tests.browser.conftest import OpenPage

# Of the app's background, 0 (black) to 255 (white).
_BRIGHTNESS = """() => {
    const colour = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
    const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


def _looks_well(page: Page, path: str, size: tuple[int, int], theme: str) -> None:
    assert (page.evaluate(_BRIGHTNESS) > 200) == (theme == "light"), f"{path} is not {theme}"

    overflow = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    assert overflow <= 0, f"{path} scrolls sideways by {overflow} px"

    if path == "/board":
        return  # empty until something is pinned
    pictures = page.locator(".js-plotly-plot")
    assert pictures.count() > 0, f"{path} shows no picture"
    box = pictures.first.bounding_box()
    assert box is not None, f"{path} hides its first picture"
    end = box["y"] + box["height"]
    if size == driver.WIDE:
        assert end <= size[1], f"{path}: the first picture ends at {end:.0f}, below the fold"


@pytest.mark.parametrize("size", [driver.WIDE, driver.NARROW], ids=["wide", "narrow"])
def test_a_page_opens_well_and_follows_the_theme(open_page: OpenPage, size: tuple[int, int]) -> None:
    """Opened in one theme, then switched to the other."""
    first, second = ("light", "dark") if size == driver.WIDE else ("dark", "light")
    page = open_page()
    for path in driver.page_paths(page):
        open_page(path, size, first, on=page)
        _looks_well(page, path, size, first)
        driver.show_as(page, size, second)
        page.wait_for_function(f"theme => (({_BRIGHTNESS})() > 200) === (theme === 'light')", arg=second)
        driver.wait_idle(page)
        _looks_well(page, path, size, second)
