"""Films of pictures under a moving finger: contact sheets to look at, and the moving picture of docs/running.md.

``python -m tests.browser.film`` writes a sheet a page into ``screenshots/``; ``... readme`` writes data/live.webp.
"""

import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.live import thumb_of
from tests.browser import driver

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "home": ("/", "home_epsilon"),
    "ring": ("/ring", "ring_epsilon"),
    "geolocation": ("/geolocation", "geo_epsilon"),
    "population": ("/population", "pop_epsilon"),
}
SECONDS = 10.0
EVERY = 0.1


def opened(page: Page, address: str) -> None:
    page.goto(address)
    driver.wait_idle(page)
    page.wait_for_function("() => window.dpotStage.complete()")


def dragged(page: Page, slider: str) -> Iterator[tuple[float, Image.Image]]:
    """Screenshots while the thumb goes from end to end and back, with the seconds since the first."""
    x, y, left, width = thumb_of(page, slider)
    page.mouse.move(x, y)
    page.mouse.down()
    start = time.monotonic()
    while (now := time.monotonic() - start) < SECONDS:
        share = abs((x - left) / width + now / 2.5) % 2
        page.mouse.move(left + width * (share if share < 1 else 2 - share), y, steps=2)
        yield now, Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        time.sleep(max(0.0, EVERY - (time.monotonic() - start - now)))
    page.mouse.up()
    driver.wait_idle(page)
    yield SECONDS, Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def sheet(pictures: list[Image.Image], columns: int = 8) -> Image.Image:
    small = [picture.resize((picture.width // 4, picture.height // 4)) for picture in pictures]
    wide, high = small[0].size
    page = Image.new("RGB", (columns * wide, -(-len(small) // columns) * high), "white")
    for place, picture in enumerate(small):
        page.paste(picture, (place % columns * wide, place // columns * high))
    return page


def readme(page: Page, address: str) -> None:
    """Ten seconds of the ring, small enough for a document."""
    page.set_viewport_size({"width": 1100, "height": 620})
    opened(page, address + "/ring?ring_k=24")
    shots = [*dragged(page, "ring_epsilon")]
    pictures = [picture.resize((825, 465), Image.Resampling.LANCZOS) for _, picture in shots]
    times = [moment for moment, _ in shots]
    durations = [round(1000 * (then - now)) for now, then in zip(times, [*times[1:], SECONDS + 1], strict=True)]
    file = ROOT / "data" / "live.webp"
    pictures[0].save(file, save_all=True, append_images=pictures[1:], duration=durations, loop=0, quality=60, method=4)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.2f} MB, {len(pictures)} pictures")


def main() -> None:
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable, optimise=True)
        page, _ = driver.new_page(browser)
        if sys.argv[1:] == ["readme"]:
            readme(page, address)
        else:
            (ROOT / "screenshots").mkdir(exist_ok=True)
            for name, (path, slider) in PAGES.items():
                opened(page, address + path)
                pictures = [picture for _, picture in dragged(page, slider)]
                sheet(pictures).save(ROOT / "screenshots" / f"film-{name}.png")
                print(f"screenshots/film-{name}.png: {len(pictures)} pictures")
        browser.close()


if __name__ == "__main__":
    main()
