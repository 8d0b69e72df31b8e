"""Pictures of every page and tab, for people to look at: ``make screenshots``, then see the folder ``screenshots``.

Each at two widths and in two themes: as it opens, and at its whole length (``-whole``).
"""

import sys
from collections.abc import Iterator
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from dpot_app.views.table import PAGES
from tests.browser import driver

FOLDER = driver.ROOT / "screenshots"


def _length(page: Page) -> int:
    return int(page.get_by_test_id("stMain").evaluate("main => main.scrollHeight"))


def places(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Name and address of every page, and of every tab beyond the one it opens with."""
    for path in paths:
        key = path.strip("/")
        yield key or "start", path
        if key in PAGES:
            for tab, (_, opened) in list(PAGES[key].tabs.items())[1:]:
                yield f"{key}-{tab}", f"{path}?{urlencode({f'{PAGES[key].prefix}_view': opened.label})}"


def main() -> None:
    """Start the app, take the pictures, name every problem that the browser noticed."""
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    FOLDER.mkdir(exist_ok=True)
    problems: list[str] = []
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable)
        start, _ = driver.new_page(browser)
        start.goto(address)
        driver.wait_idle(start)
        paths = driver.page_paths(start)
        start.context.close()
        for name, path in places(paths):
            for size in (driver.WIDE, driver.NARROW):
                for theme in ("light", "dark"):
                    page, watch = driver.new_page(browser, size, theme)
                    page.goto(address + path)
                    driver.wait_idle(page)
                    picture = FOLDER / f"{name}-{size[0]}x{size[1]}-{theme}.png"
                    page.screenshot(path=picture)
                    page.set_viewport_size({"width": size[0], "height": max(size[1], _length(page) + 80)})
                    driver.wait_idle(page)
                    page.screenshot(path=picture.with_stem(f"{picture.stem}-whole"))
                    print(picture.relative_to(driver.ROOT))
                    problems += [f"{picture.stem}: {problem}" for problem in watch.look_at_pages()]
                    page.context.close()
        browser.close()
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
