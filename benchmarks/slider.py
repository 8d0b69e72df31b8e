"""From another setting's change to the redrawn page, in Chromium: a new value against one that is remembered."""

import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from benchmarks.measurement import Measurement
from tests.browser import driver

#: Address of each page, and a slider on it that no frames follow: Python answers.
PAGES = {
    "ring": ("/ring", "Points on the ring (k)"),
    "geolocation": ("/geolocation", "Cells per side of the grid"),
    "mixture": ("/mixture", "Variance of the modes"),
    "movies": ("/movies", "Films that can be released"),
    "population": ("/population", "Atoms of the barycenter, m"),
    "metric": ("/metric", "… moved within so many km"),
    "private transport": ("/sinkhorn", "Entropic weight η"),
    "find my epsilon": ("/decide?decide_need=Worst-case+distance+on+a+ring", "Points (k)"),
}
STEPS = 6

_NOTE_PRESS = "addEventListener('keydown', () => { window.pressed = performance.now(); }, {once: true, capture: true})"


def _press(page: Page, name: str, key: str) -> float:
    """Seconds from the key press until the page no longer changes; the slider itself waits 0.2 s of them."""
    page.evaluate(_NOTE_PRESS)
    page.get_by_role("slider", name=name).first.press(key)
    page.wait_for_function("window.lastChange > window.pressed")
    driver.wait_idle(page, quiet=0.5)
    return float(page.evaluate("window.lastChange - window.pressed")) / 1000


def measure() -> Iterator[Measurement]:
    """Walk down through values that nobody has asked for yet, each time one step back and forth again."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable, optimise=True)
        for name, (path, slider) in PAGES.items():
            page, watch = driver.new_page(browser)
            page.goto(address + path)
            driver.wait_idle(page)
            for closed in page.locator("[data-testid=stSidebar] details:not([open]) summary").all()[::-1]:
                closed.click()
            driver.wait_idle(page)
            for key in ("ArrowLeft", "ArrowRight", "ArrowLeft"):
                _press(page, slider, key)  # first runs import and compile
            new, known = [], []
            for _ in range(STEPS):
                # In turns, so that a busy moment of the machine hits both sides of the ratio.
                new.append(_press(page, slider, "ArrowLeft"))
                known.append(_press(page, slider, "ArrowRight"))
                known.append(_press(page, slider, "ArrowLeft"))
            problems = watch.look_at_pages()
            page.context.close()
            yield Measurement(
                f"{name}: another setting to the redrawn page, new value",
                statistics.median(new),
                "a value in its cache",
                statistics.median(known),
                1.25,
                "; ".join(problems),
            )
        browser.close()
