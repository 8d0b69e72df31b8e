"""Every page on paper: what is on it and what is not, whole, under its title and with what its controls say."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.every_page import QUICK
from tests.browser.test_layout import OVER
from tests.browser.test_printed import printed

#: Pixels across a sheet of A4 between its margins of 12 mm.
_SHEET = 703
# What is cut or leaves the sheet, and what is for the screen and yet there.
_WRONG = """sheet => {
    const found = new Set(), shown = one => one.checkVisibility() && one.getClientRects().length;
    const all = (what) => [...document.querySelectorAll(what)].filter(shown);
    const called = one => [one.dataset?.testid, one.getAttribute("class") ?? one.tagName, one.textContent].join(" ");
    const say = (what, one) => found.add(`${what}: ${called(one)}`.slice(0, 120));
    for (const one of all(".stMain *")) {
        if (one.closest(".dpot-plot, .dpot-said, .katex") || !one.textContent.trim()) continue;
        const { left, right } = one.getBoundingClientRect(), { overflowX, overflowY } = getComputedStyle(one);
        if (right > sheet + 1 || left < -1) say("leaves the sheet", one);
        const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
        const cut = (wide > 2 && overflowX !== "visible") || (high > 2 && overflowY !== "visible");
        if (one.clientWidth && cut) say("is cut", one);
    }
    for (const picture of all(".dpot-plot")) {
        const box = picture.getBoundingClientRect();
        if (box.right > sheet + 1 || box.left < -1) say("leaves the sheet", picture.parentElement);
        for (const part of picture.querySelectorAll("canvas, svg, text")) {
            const { left, right, bottom, width } = part.getBoundingClientRect();
            // A canvas on which nothing is painted has no pixels.
            const drawn = width && (part.tagName !== "CANVAS" || part.width);
            if (drawn && (left < box.left - 3 || right > box.right + 3 || bottom > box.bottom + 3))
                say(`leaves its picture (${picture.ariaLabel.slice(0, 30)})`, part);
        }
    }
    for (const one of all("[data-testid=stSidebar], header, .dpot-take, .dpot-play, .stButton, .stDownloadButton"))
        say("is for the screen", one);
    return [...found];
}"""


def on_paper(page: Page, lies: bool) -> None:
    """As it is when the browser is about to print, and after it has."""
    page.evaluate("name => window.dispatchEvent(new Event(name))", "beforeprint" if lies else "afterprint")
    driver.wait_idle(page)


@pytest.mark.nightly
def test_every_page_prints_whole_with_what_its_controls_say(open_page: OpenPage) -> None:
    page, wrong = open_page(), {}
    for path in driver.page_paths(page):
        open_page(QUICK.get(path, path), on=page)
        if path == "/board":
            page.get_by_role("button", name="Put an example on the board").click()
            page.locator(".dpot-card").nth(2).wait_for()
            driver.wait_idle(page)
        asked = page.get_by_test_id("stSidebar").locator(".stSlider").count()
        page.set_viewport_size({"width": 900 if path == "/ring" else 1400, "height": 900})
        driver.wait_idle(page)
        on_paper(page, True)
        found = page.evaluate(_WRONG, _SHEET) + page.evaluate(OVER)
        if page.locator(".dpot-settings > div").count() < asked:
            found.append("does not say what its controls do")
        if not page.get_by_test_id("stHeading").first.is_visible():
            found.append("has no title")
        on_paper(page, False)
        most = 75 if path == "/papers" else 12  # a row of its own for each statement of six papers
        if not 1 <= (sheets := printed(page)) <= most:
            found.append(f"prints on {sheets} sheets")
        if found:
            wrong[path] = found
    assert not wrong, "\n".join(f"{path}: {one}" for path, found in wrong.items() for one in found)


@pytest.mark.nightly
def test_a_page_is_as_before_once_it_is_printed(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=4", size=driver.NARROW)
    width = page.locator(".dpot-picture").first.evaluate("one => one.clientWidth")
    on_paper(page, True)
    expect(page.locator(".dpot-settings")).to_contain_text("Privacy parameter ε (nats)4")
    assert page.locator(".dpot-picture").first.evaluate("one => one.clientWidth") > width
    on_paper(page, False)
    expect(page.locator(".dpot-settings")).to_have_count(0)
    assert page.locator(".dpot-picture").first.evaluate("one => one.clientWidth") == width
