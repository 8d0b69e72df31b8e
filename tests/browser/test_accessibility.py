"""Every page for those who do not see it well, or use no mouse: axe-core's rules, keys, zoom, the words of figures."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

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
            page.locator(".dpot-card").nth(2).wait_for()  # the page rests for a moment before it runs
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


def test_axe_finds_nothing_serious_on_a_phone_with_its_sheet_open_nor_in_the_presenter_view(
    open_page: OpenPage,
) -> None:
    page = open_page("/geolocation", size=driver.NARROW)
    page.get_by_role("button", name="More controls").click()
    assert not findings(page)
    open_page("/ring?teach_present=true", theme="dark", on=page)
    assert not findings(page)


# What the keys stand on: its words, whether it is to be seen, and whether a ring or a coloured border says so.
_FOCUS = """() => {
    const at = document.activeElement, app = getComputedStyle(document.querySelector(".stApp"));
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = app.getPropertyValue("--dpot-blue").trim();
    const blue = getComputedStyle(probe).color;
    probe.remove();
    const own = at.getAttribute("aria-label") || at.innerText;
    const name = own || at.closest("label")?.innerText || at.value || at.title;
    let said = false;
    const table = at.closest(".stDataFrame");
    for (let one = table ?? at, up = 0; one && up < 5; one = one.parentElement, up++) {
        const css = getComputedStyle(one);
        said ||= css.outlineStyle !== "none" && parseFloat(css.outlineWidth) > 0 || css.boxShadow !== "none"
            || parseFloat(css.borderTopWidth) > 0 && css.borderTopColor === blue;
    }
    // Hidden inputs of switches and sliders lie in what is seen of them; tables are drawn, their words stand inside.
    const seen = (at.closest("label, .stSlider") ?? at).getBoundingClientRect();
    const words = name || table && "a table" || "";
    return [at.tagName, words.trim().slice(0, 60), seen.width > 0 && seen.height > 0, said];
}"""

# What a mouse can press and no key has come by; inside a group of options and a table arrow keys do.
_MISSED = """() => [...document.querySelectorAll(
        ".stApp :is(a[href], button, input, select, textarea, summary, [role=tab], [role=button])")]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && !window.walked.has(one)
        && one.getBoundingClientRect().width > 0 && !one.closest("[inert], [aria-hidden=true], [role=grid]")
        && !one.closest("[role=tablist], [role=radiogroup], [role=toolbar], .stNumberInput") && one.type !== "file"
        && one.tabIndex >= 0 && one.getAttribute("aria-label") !== "Collapse sidebar")  // seen under the mouse only
    .map(one => one.outerHTML.slice(0, 160))"""


def _walk(page: Page) -> list[tuple[str, str, bool, bool]]:
    """What Tab comes by, from the top of the page until it has been everywhere."""
    # The keys begin where the mouse has been, unless the page itself has had them since.
    page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); window.walked = new Set(); }")
    steps: list[tuple[str, str, bool, bool]] = []
    stay = 0
    for _ in range(200):
        page.keyboard.press("Tab")
        fresh = page.evaluate(
            "() => { const at = document.activeElement, fresh = !walked.has(at); walked.add(at); "
            "return at === document.body ? null : fresh; }"
        )
        # In a table Tab goes from cell to cell before it leaves.
        stay = 0 if fresh else stay + 1
        if fresh is None or stay > 12:
            return steps
        if fresh:
            steps.append(tuple(page.evaluate(_FOCUS)))
    return steps


def test_keys_reach_everything_on_every_page_and_it_is_seen_where_they_are(open_page: OpenPage) -> None:
    page = open_page()
    found = []
    for path in every_page(open_page, page):
        steps = _walk(page)
        assert any(name.endswith("Home") for _, name, _, _ in steps), f"{path}: {steps}"
        found += [f"{path}: no key leads to {one}" for one in page.evaluate(_MISSED)]
        found += [f"{path}: without a name: {step}" for step in steps if not step[1]]
        found += [f"{path}: keys go where nothing is seen: {step}" for step in steps if not step[2]]
        found += [f"{path}: nothing says that the keys are there: {step}" for step in steps if not step[3]]
    assert not found, "\n".join(found)


def test_a_page_is_opened_and_changed_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.innerText?.trim()") == "One person's release":
            break
    page.keyboard.press("Enter")
    page.get_by_test_id("stTopNavDropdownLink").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/ring")
    driver.wait_idle(page)
    page.get_by_role("tab").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab").nth(1)).to_have_attribute("aria-selected", "true")
    driver.wait_idle(page)
    entry = page.locator(".legend-entry:visible").first
    entry.focus()
    page.keyboard.press("Enter")
    expect(entry).to_have_attribute("aria-pressed", "false")
    page.keyboard.press(" ")
    expect(entry).to_have_attribute("aria-pressed", "true")


# 1280 x 1024 at 200 % and at 400 %, as WCAG has it.
ZOOMED = ((640, 512), (320, 256))

# Words that are cut where they stand: not those that people scroll to, nor those that are for screen readers only.
_CUT = """() => [...document.querySelectorAll(".stMain :is(p, h1, h2, h3, td, th, label, button, b, small)")]
    .filter(one => one.checkVisibility() && one.innerText.trim() && one.scrollWidth > one.clientWidth + 2
        && getComputedStyle(one).overflowX !== "visible" && getComputedStyle(one).overflowX !== "auto")
    .map(one => one.innerText.slice(0, 60))"""


def test_zoomed_pages_do_not_scroll_sideways_and_lose_no_words(open_page: OpenPage) -> None:
    page = open_page()
    for path in every_page(open_page, page):
        for size in ZOOMED:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            driver.wait_idle(page)
            assert driver.overflow(page) <= 0, f"{path} at {size}"
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), f"{path} at {size}"
            cut = page.evaluate(_CUT)
            assert not cut, f"{path} at {size}: cut: {cut}"
        page.set_viewport_size({"width": driver.WIDE[0], "height": driver.WIDE[1]})
        driver.wait_idle(page)


def test_every_page_has_its_landmarks_and_pictures_say_what_they_show(open_page: OpenPage) -> None:
    page = open_page()
    for path in every_page(open_page, page):
        for role in ("main", "navigation", "banner"):
            expect(page.get_by_role(role)).to_have_count(1)
        for plot in page.locator(".dpot-figure:not(.dpot-chooses):visible").all():
            title, name = (
                plot.locator(".dpot-title").inner_text(),
                plot.locator(".dpot-plot").get_attribute("aria-label"),
            )
            assert name and " ".join(title.split()) in " ".join(name.split()), f"{path}: {title}: {name}"
