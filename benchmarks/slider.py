"""From another setting's change to the redrawn page, in Chromium: a new value against one that is remembered.

And one person on fine grids, whose frames would take too long: from a new epsilon to the picture.
"""

import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.live import thumb_of
from benchmarks.measurement import Measurement
from dpot_app.cities.place import CROWD_SIDE, MAX_SIDE, SIDES
from tests.browser import driver

#: Address of each page, and a slider on it that no frames follow: Python answers.
PAGES = {
    "ring": ("/ring", "Points on the ring (k)"),
    "geolocation": ("/geolocation", "Cells per side of the grid"),
    "mixture": ("/mixture", "Largest distance of a mean from 0"),
    "movies": ("/movies", "Films that can be released"),
    "population": ("/population", "Slack δ of the perturbation"),
    "metric": ("/metric", "Second: moved up to (km)"),
    "private transport": ("/sinkhorn", "Entropic weight η"),
    "find my epsilon": ("/decide?decide_need=Worst-case+distance+on+a+ring", "Points (k)"),
}
STEPS = 6
#: How many times the seconds of a value in the cache a new one may take, whose numbers are computed.
AIM = 1.75
#: Where curves against epsilon are computed anew, too, below a bar that counts: until the last of them is there.
WITH_CURVES = {"geolocation": 6.0, "mixture": 12.0, "population": 75.0}

#: Where on the slider's track epsilon goes on the finest grid: to values that were not asked for.
PLACES = (0.9, 0.15, 0.7, 0.3, 0.82, 0.05, 0.6, 0.97, 0.22, 0.5, 0.76, 0.12)
#: How many times the seconds of a remembered value may pass there, and to a first picture on the crowd's finest grid.
EPSILON, FIRST = 7.0, 4.0

_NOTE_PRESS = "addEventListener('keydown', () => { window.pressed = performance.now(); }, {once: true, capture: true})"


def pressed(page: Page, name: str, key: str) -> float:
    """Seconds from the key press until the page no longer changes; the slider itself waits 0.2 s of them."""
    page.evaluate(_NOTE_PRESS)
    page.get_by_role("slider", name=name).first.press(key)
    page.wait_for_function("() => window.lastChange > window.pressed")
    driver.wait_idle(page, quiet=0.5)
    return float(page.evaluate("window.lastChange - window.pressed")) / 1000


def ends(page: Page, name: str) -> tuple[float, float]:
    """How far a slider's thumb is from its left end and from its right one; at an end a key changes nothing."""
    thumb = page.get_by_role("slider", name=name).first
    now, low, high = thumb.evaluate("thumb => [thumb.value, thumb.min, thumb.max].map(Number)")
    return now - low, high - now


NOTE_PICTURES = """() => {
    addEventListener("pointerup", () => { window.released = performance.now(); }, true);
    new MutationObserver(changes => {
        if (changes.some(({ target }) => (target.closest ? target : target.parentElement)?.closest(".dpot-plot")))
            window.drawn = performance.now();
    }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
}"""


def released_at(page: Page, place: float, slider: str = "geo_epsilon") -> float:
    """Seconds from the mouse button's release at a place of a slider's track, 0 to 1, to a picture's last change."""
    _, y, left, width = thumb_of(page, slider)
    page.evaluate("() => { window.released = window.drawn = 0; }")
    page.mouse.click(left + place * width, y)
    page.wait_for_function("() => window.released && window.drawn > window.released")
    driver.wait_idle(page, quiet=0.5)
    return float(page.evaluate("() => window.drawn - window.released")) / 1000


def _fine_grids(browser: Browser, address: str) -> Iterator[Measurement]:
    page, watch = driver.new_page(browser)
    page.goto(f"{address}/geolocation?geo_n={MAX_SIDE}")
    driver.wait_idle(page)
    page.evaluate(NOTE_PICTURES)
    taken = [released_at(page, place) for place in PLACES]
    again = [released_at(page, place) for place in PLACES]
    note = f"the first {taken[0]:.2f} s, the longest later {max(taken[1:]):.2f} s; {'; '.join(watch.look_at_pages())}"
    page.context.close()
    what = f"one person, {MAX_SIDE} x {MAX_SIDE}: a new epsilon to the picture, median"
    yield Measurement(what, statistics.median(taken), "the same ones again", statistics.median(again), EPSILON, note)
    beyond, again = [], []
    for person in range(40, 40 + STEPS):
        page, _ = driver.new_page(browser)
        page.goto(f"{address}/geolocation?geo_n=10&geo_person={person}")
        driver.wait_idle(page)
        driver.unfold(page)
        page.evaluate(NOTE_PICTURES)
        finest = SIDES.index(CROWD_SIDE) / (len(SIDES) - 1)
        beyond.append(released_at(page, finest, "geo_n"))
        released_at(page, 0.0, "geo_n")
        again.append(released_at(page, finest, "geo_n"))
        page.context.close()
    what = f"{CROWD_SIDE} x {CROWD_SIDE}: a person's first picture, median"
    yield Measurement(what, statistics.median(beyond), "the same one again", statistics.median(again), FIRST)


def measure() -> Iterator[Measurement]:
    """Walk through values that were not asked for yet, each time one step back and forth again."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable, optimise=True)
        for name, (path, slider) in PAGES.items():
            page, watch = driver.new_page(browser)
            page.goto(address + path)
            driver.wait_idle(page)
            driver.unfold(page)
            left, right = ends(page, slider)
            onward, back = ("ArrowLeft", "ArrowRight") if left > right else ("ArrowRight", "ArrowLeft")
            for key in (onward, back, onward):
                pressed(page, slider, key)  # first runs import and compile
            new, known = [], []
            while len(new) < STEPS and ends(page, slider)[onward == "ArrowRight"] > 0:
                # In turns, so that a busy moment of the machine hits both sides of the ratio.
                new.append(pressed(page, slider, onward))
                known.append(pressed(page, slider, back))
                known.append(pressed(page, slider, onward))
            problems = watch.look_at_pages()
            page.context.close()
            yield Measurement(
                f"{name}: another setting to the redrawn page, new value",
                statistics.median(new),
                "a value in its cache",
                statistics.median(known),
                WITH_CURVES.get(name, AIM),
                "; ".join(problems),
            )
        yield from _fine_grids(browser, address)
        browser.close()
