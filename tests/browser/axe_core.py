"""The rules of axe-core, which pages are held against."""

import functools
from pathlib import Path

from playwright.sync_api import Page

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
