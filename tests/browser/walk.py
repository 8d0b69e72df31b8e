"""The walks that ``docs/`` tells: from a file to the sheet, to a decision, through a lesson, to a comparison.

Run them with ``python -m tests.browser.walk``, or some of them: ``python -m tests.browser.walk lesson``.

Drives the running app in Chromium through what is visible on the screen only, takes the pictures of the walks, says how
long each step took, and fails if a walk takes longer than a reader has for it.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Sequence

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import driver, walk_steps
from tests.browser.walk_steps import DOCS, Step

LIMIT_SECONDS, LIMIT_BYTES = 300, 200_000
# What a reader needs to read a screen before they click.
READING = 12.0

#: Name of the document and of its pictures, and the steps.
WALKS: dict[str, tuple[Step, ...]] = {
    "walk": walk_steps.CUSTOMERS,
    "board": walk_steps.DECIDE,
    "lesson": walk_steps.lesson(),
    "researcher": walk_steps.RESEARCH,
}


def pictures(name: str) -> list[str]:
    """Names of a walk's pictures, in order."""
    return [f"{name}-{number}-{step}.png" for number, (step, _) in enumerate(WALKS[name], start=1)]


def picture(page: Page, name: str) -> None:
    """A picture of what is on the screen, with few enough colours to be small."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = DOCS / name
    image.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size >= LIMIT_BYTES:
        sys.exit(f"{path.name} has {path.stat().st_size:,} bytes; fewer than {LIMIT_BYTES:,} are wanted")


def go(browser: Browser, address: str, name: str) -> list[str]:
    """Walk, take the pictures, say how long it took; what was wrong."""
    page, watch = driver.new_page(browser)
    start = time.monotonic()
    for (step, do), file in zip(WALKS[name], pictures(name), strict=True):
        before = time.monotonic()
        do(page, address)
        picture(page, file)
        print(f"{name}, {step}: {time.monotonic() - before:.1f} s of the machine")
    machine = time.monotonic() - start
    total = machine + READING * len(WALKS[name])
    print(f"{name}: machine {machine:.0f} s, with {READING:g} s of reading for each screen {total:.0f} s")
    problems = watch.look_at_pages()
    page.context.close()
    if total >= LIMIT_SECONDS:
        problems.append(f"the {name} took {total:.0f} s; fewer than {LIMIT_SECONDS} are wanted")
    return problems


def main(chosen: Sequence[str]) -> None:
    """The walks that are named, or all of them."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    DOCS.mkdir(exist_ok=True)
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable)
        problems = {name: go(browser, address, name) for name in chosen or WALKS}
        browser.close()
    bad = [f"{name}: {problem}" for name, found in problems.items() for problem in found]
    print(
        *bad,
        f"{sum(not found for found in problems.values())} passed, {sum(map(bool, problems.values()))} failed",
        sep="\n",
    )
    if bad:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
