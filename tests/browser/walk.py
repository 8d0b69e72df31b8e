"""A new user's walk to a defensible epsilon with its report, as ``docs/walk.md`` tells it.

Run it with ``python -m tests.browser.walk``.

Drives the running app in Chromium through what is visible on the screen only, takes the pictures of the walk, says how
long each step took, and fails if the whole takes five minutes or more.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import driver

FOLDER = driver.ROOT / "docs"
LIMIT_SECONDS, LIMIT_BYTES = 300, 200_000
# What somebody needs to read a screen before they click.
READING = 12.0

DECISION = (
    "The planners need a map of the crowd that is at most 3 km from the true one (W₁). We choose ε = 2.5 with WPM: on "
    "the simulated check-ins it gives 2.99 km; ε = 2 misses it with 3.48 km, and the other mechanisms need 5 or more. "
    "No released location shifts anybody's odds about a person by more than × 12.2. Chosen on simulated data only."
)


def begin(page: Page, address: str) -> None:
    """The first page: which question is mine?"""
    page.goto(address)
    driver.wait_idle(page)


def ask(page: Page) -> None:
    """The card "Which ε do I need?": kilometres in a city, at most 2 km, are there already."""
    page.get_by_role("link", name="Which ε do I need?").click()
    expect(page.get_by_text("At most 2 km: ε = 7.42 in the worst case").first).to_be_visible(timeout=150_000)
    driver.wait_idle(page)


def understand(page: Page) -> None:
    """What would 8 mean? Odds times 3000: too much; what would 4?"""
    page.get_by_role("button", name="What does ε = 4 mean?").click()
    page.wait_for_url("**/explain*")
    driver.wait_idle(page)


def relax(page: Page) -> None:
    """Back: the need is for the crowd's map, and 3 km would do."""
    page.get_by_role("link", name="Find my ε").click()
    slider = page.get_by_role("slider", name="How good")
    expect(slider).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(page.get_by_text("At most 3 km: ").first).to_be_visible(timeout=60_000)
    driver.wait_idle(page)


def see(page: Page) -> None:
    """The crowd's map at the epsilon found, on the geolocation page."""
    page.get_by_role("button", name="Data at hand: see it").click()
    page.wait_for_url("**/geolocation*")
    expect(page.get_by_text("Distance of each estimate").or_(page.get_by_text("k-RR decoded:")).first).to_be_visible(
        timeout=90_000
    )
    driver.wait_idle(page, timeout=120)


def pin(page: Page) -> None:
    """Pin it, and one with a smaller epsilon to compare."""
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowLeft")
    driver.wait_idle(page, timeout=120)
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)


def compare(page: Page) -> None:
    """The two side by side on the board."""
    page.get_by_test_id("stPageLink").filter(has_text="What-if board").click()
    expect(page.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    driver.wait_idle(page, timeout=120)


def write(page: Page) -> None:
    """The question that the report answers, in the reader's words."""
    page.get_by_role("tab", name="Report").click()
    driver.wait_idle(page)
    page.get_by_role("textbox", name="Title").fill("Check-ins: which ε?")
    words = page.get_by_role("textbox", name="What is to be decided")
    words.fill(DECISION)
    words.press("Control+Enter")
    driver.wait_idle(page)
    page.get_by_role("button", name="report.html").scroll_into_view_if_needed()
    page.wait_for_timeout(500)


def take(page: Page) -> None:
    """The report as a file, opened without a network."""
    # Once it is open, the page no longer needs the file.
    with tempfile.TemporaryDirectory() as folder:
        path = driver.save(page, "report.html", Path(folder))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        expect(page.get_by_text("We choose ε = 2.5").first).to_be_visible()
        page.locator(".js-plotly-plot svg.main-svg").first.wait_for()


STEPS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("ask", ask),
    ("understand", understand),
    ("relax", relax),
    ("see", see),
    ("pin", pin),
    ("compare", compare),
    ("write", write),
    ("report", take),
)


def picture(page: Page, name: str) -> None:
    """A picture of what is on the screen, with few enough colours to be small."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = FOLDER / f"walk-{name}.png"
    image.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size >= LIMIT_BYTES:
        sys.exit(f"{path.name} has {path.stat().st_size:,} bytes; fewer than {LIMIT_BYTES:,} are wanted")


def main() -> None:
    """Walk, take the pictures, say how long it took."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    FOLDER.mkdir(exist_ok=True)
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable)
        page, watch = driver.new_page(browser)
        start = time.monotonic()
        begin(page, address)
        picture(page, "1-begin")
        for number, (name, step) in enumerate(STEPS, start=2):
            before = time.monotonic()
            step(page)
            picture(page, f"{number}-{name}")
            print(f"{name}: {time.monotonic() - before:.1f} s of the machine")
        machine = time.monotonic() - start
        total = machine + READING * (len(STEPS) + 1)
        print(f"machine {machine:.0f} s, with {READING:g} s of reading for each screen {total:.0f} s")
        problems = watch.look_at_pages()
        browser.close()
    if problems:
        sys.exit("\n".join(problems))
    if total >= LIMIT_SECONDS:
        sys.exit(f"the walk took {total:.0f} s; fewer than {LIMIT_SECONDS} are wanted")


if __name__ == "__main__":
    main()
