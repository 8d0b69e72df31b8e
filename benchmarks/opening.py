"""How long people wait for a page, in Chromium: a first visit, the next page, a server that has just been started.

Beside each stands a page of bare Streamlit, started or opened in the same turn with an empty browser cache too. On two
quiet cores that takes a second; the aims are what people wait for without a thought: 3 s, 0.8 s to the next page.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measurement import Measurement
from tests.browser import driver

BARE = "import streamlit as st\n\nst.title('Bare')\nst.slider('Value', 0, 10)\n"
ROUNDS = 3

#: How many times the bare page's seconds each may take.
FIRST, NEXT, START = 3.0, 0.8, 4.0

#: A picture that can be looked at; on the board, which is empty at first, and on the papers' page: what they say.
_SEEN = """path => [...document.querySelectorAll(
    path === "bare" ? "[data-testid=stSlider]" : ["/board", "/papers"].includes(path)
        ? "[data-testid=stMain] [data-testid=stMarkdown] p"
        : ".dpot-plot svg, .dpot-plot canvas"
)].some(piece => piece.getBoundingClientRect().height > (["bare", "/board", "/papers"].includes(path) ? 5 : 80)
    && !piece.closest('[data-stale="true"]'))"""


def opened(browser: Browser, address: str, path: str) -> tuple[float, str]:
    """Seconds from the address to the first picture with an empty cache, and how much was fetched for it."""
    page, watch = driver.new_page(browser)
    page.goto(address + ("" if path == "bare" else path), wait_until="commit")
    page.wait_for_function(_SEEN, arg=path, timeout=120_000)
    seconds = float(page.evaluate("performance.now()")) / 1000
    fetched = page.evaluate(
        "[performance.getEntriesByType('resource').length,"
        " performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)]"
    )
    driver.wait_idle(page)
    note = "; ".join([f"{fetched[0]} files, {fetched[1] / 1e6:.1f} MB", *watch.look_at_pages()])
    page.context.close()
    return seconds, note


# The function stands in it as text: the app's own pages forbid `eval`.
_CLOCK = f"""path => {{
    const there = {_SEEN};
    window.seen = window.clicked = 0;
    addEventListener("click", event => {{ window.clicked = event.timeStamp; }}, true);
    const look = () => {{
        if (window.clicked && location.pathname === path && there(path)) window.seen = performance.now();
        else requestAnimationFrame(look);
    }};
    look();
}}"""


def followed(page: Page, path: str) -> float:
    """Seconds from a click in the navigation to the first picture of the next page; it comes from the empty board."""
    driver.follow(page, "/board")
    page.evaluate(_CLOCK, path)
    driver.follow(page, path)
    return float(page.evaluate("window.seen - window.clicked")) / 1000


def measure() -> Iterator[Measurement]:
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        browser = driver.launch(playwright, executable, optimise=True)
        began = time.monotonic()
        with driver.running_app(script) as bare:
            opened(browser, bare, "bare")
            yield from _pages(browser, bare, time.monotonic() - began)
        browser.close()


def _pages(browser: Browser, bare: str, bare_started: float) -> Iterator[Measurement]:
    began = time.monotonic()
    with driver.running_app() as address:
        page, _ = driver.new_page(browser)
        page.goto(address, wait_until="commit")
        page.wait_for_function(_SEEN, arg="/", timeout=120_000)
        started = time.monotonic() - began
        yield Measurement("server start to the first page", started, "of a bare page", bare_started, START)
        driver.wait_idle(page)
        paths, bares = driver.page_paths(page), []
        for path in paths:
            opened(browser, address, path)  # the server imports and computes
            turns = [(*opened(browser, address, path), opened(browser, bare, "bare")[0]) for _ in range(ROUNDS)]
            seconds, note, reference = sorted(turns, key=lambda turn: turn[0] / turn[2])[ROUNDS // 2]
            bares.append(reference)
            yield Measurement(
                f"{path}: empty cache to the first picture", seconds, "a bare page", reference, FIRST, note
            )
        for path in paths:
            if path not in ("/", "/board"):
                took = statistics.median(followed(page, path) for _ in range(ROUNDS))
                yield Measurement(f"{path}: from another page", took, "a bare page", statistics.median(bares), NEXT)
