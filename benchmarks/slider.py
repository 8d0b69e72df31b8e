"""From a slider's change to the redrawn page, in Chromium: a new value against one whose result is cached."""

import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from benchmarks.measurement import Measurement
from tests.browser import driver

PAGES = {"ring": "/ring", "geolocation": "/geolocation", "movies": "/movies", "population": "/population"}
STEPS = 8

_NOTE_PRESS = "addEventListener('keydown', () => { window.pressed = performance.now(); }, {once: true, capture: true})"
_STRIP_AGREES = """
value => [...document.querySelectorAll('.dpot-strip b')].some(element => element.textContent === `ε = ${value}`)
"""


def _press(page: Page, key: str) -> float:
    """Seconds from the key press until the page no longer changes; the slider itself waits 0.2 s of them."""
    slider = page.get_by_role("slider", name="Privacy parameter ε")
    page.evaluate(_NOTE_PRESS)
    slider.press(key)
    page.wait_for_function(_STRIP_AGREES, arg=slider.get_attribute("aria-valuetext"), timeout=60_000)
    driver.wait_idle(page)
    return float(page.evaluate("window.lastChange - window.pressed")) / 1000


def measure() -> Iterator[Measurement]:
    """Walk down through values that nobody has asked for yet, each time one step back and forth again."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable)
        for name, path in PAGES.items():
            page, watch = driver.new_page(browser)
            page.goto(address + path)
            driver.wait_idle(page)
            for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
                _press(page, key)  # first runs import and compile
            new, known = [], []
            for _ in range(STEPS):
                # In turns, so that a busy moment of the machine hits both sides of the ratio.
                new.append(_press(page, "ArrowLeft"))
                known.append(_press(page, "ArrowRight"))
                known.append(_press(page, "ArrowLeft"))
            problems = watch.look_at_pages()
            page.context.close()
            yield Measurement(
                f"{name} page: slider to redrawn page, new value",
                statistics.median(new),
                "a value in its cache",
                statistics.median(known),
                1.5,
                "; ".join(problems),
            )
        browser.close()
