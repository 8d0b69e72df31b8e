"""Every page for those who do not see it well, or use no mouse: axe-core's rules, keys, zoom, the words of figures."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_every_page import QUICK, THEMES

AXE = Path(__file__).parent / "axe" / "axe.min.js"

# What axe-core calls serious or critical, with the elements that it means.
_LOOK = """async () => {
    const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: rules });
    return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(
        ({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
            `${id}: ${html.slice(0, 160)}: ${(any[0] ?? all[0] ?? none[0])?.message}`));
}"""


@functools.cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


def findings(page: Page) -> list[str]:
    """What axe-core finds serious or critical on what is shown."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    return list(page.evaluate(_LOOK))


def every_page(open_page: OpenPage, page: Page) -> Any:
    """Every page of the app, one after the other within a session; gives its path."""
    for path in driver.page_paths(page):
        if path in QUICK:
            open_page(QUICK[path], on=page)
        else:
            driver.follow(page, path)
        yield path


def test_axe_finds_nothing_serious_on_any_page_in_either_theme(open_page: OpenPage) -> None:
    page, found, theme = open_page(), [], "light"
    for path in every_page(open_page, page):
        if path == "/board":
            page.get_by_role("button", name="Put an example on the board").click()
            driver.wait_idle(page)
        for _ in range(2):
            found += [f"{path}, {theme}: {one}" for one in findings(page)]
            theme = THEMES[theme]
            driver.show_as(page, driver.WIDE, theme)
            page.wait_for_function(
                "theme => getComputedStyle(document.querySelector('.stApp')).colorScheme === theme", arg=theme
            )
            driver.wait_idle(page)
    assert not found, "\n".join(found)
