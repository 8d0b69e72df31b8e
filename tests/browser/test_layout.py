"""Nothing moves on a page while it comes, and nothing lies over something else on one that stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go
import pytest
from playwright.sync_api import Browser, Page

from dpot_app.figures.map_writing import IN_DARK, place_names
from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.every_page import QUICK
from tests.browser.renderer import plain, show

#: Cumulative layout shift below which a page is good: https://web.dev/articles/cls
GOOD = 0.1

_NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries()) if (!hadRecentInput) {
        const named = ({ node }) => (node?.nodeType === 1 ? node : node?.parentElement)?.closest("[class]");
        const moved = sources.map(named).map(one => one && (one.dataset.testid || one.className)).join(", ");
        window.shifts.push([startTime, value, moved]);
    }
}).observe({type: "layout-shift", buffered: true});
"""


def cumulative(shifts: list[tuple[float, float, str]]) -> float:
    """The largest sum over a window: of at most 5 seconds, without a pause of more than one."""
    most = window = 0.0
    began = last = -1e9
    for when, value, _ in shifts:
        if when - last > 1000 or when - began > 5000:
            window, began = 0.0, when
        window, last = window + value, when
        most = max(most, window)
    return most


def test_shifts_are_summed_in_windows() -> None:
    assert cumulative([(0, 0.1, ""), (900, 0.1, ""), (2000, 0.05, "")]) == pytest.approx(0.2)
    assert cumulative([(900.0 * step, 0.1, "") for step in range(7)]) == pytest.approx(0.6)


@pytest.mark.nightly
@pytest.mark.parametrize("size", [driver.WIDE, driver.NARROW], ids=["wide", "narrow"])
def test_nothing_moves_while_a_page_comes(app_url: str, browser: Browser, open_page: OpenPage, size: Any) -> None:
    """Each page in a browser that has nothing yet, and animations as they are."""
    moved = {}
    for path in driver.page_paths(open_page()):
        page, watch = driver.new_page(browser, size)
        page.add_init_script(_NOTE_SHIFTS)
        page.goto(app_url + QUICK.get(path, path))
        driver.wait_idle(page)
        shifts = page.evaluate("() => window.shifts")
        if cumulative(shifts) >= GOOD:
            moved[path] = [(round(value, 3), what) for _, value, what in shifts]
        assert not watch.look_at_pages()
        page.context.close()
    assert not moved, "\n".join(f"{path}: {one}" for path, one in moved.items())


# Of rectangles of words (each line of each text) and of controls that are seen, the pairs that lie over each other.
OVER = """() => {
    const seen = { opacityProperty: true, visibilityProperty: true }, found = [];
    const add = (one, box, words) => {
        if (box.width < 2 || box.height < 2 || !one.checkVisibility(seen)) return;
        let { left, top, right, bottom } = box;
        for (let up = one; up && up !== document.body; up = up.parentElement) {
            const { overflowX, position, clipPath } = getComputedStyle(up);
            if (position === "fixed" || clipPath.startsWith("inset")) return;
            if (overflowX === "visible" || up === one) continue;
            const edge = up.getBoundingClientRect();
            [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
            [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
        }
        if (right - left > 2 && bottom - top > 2)
            found.push({ one, left, top, right, bottom, words: words.trim().slice(0, 40) });
    };
    const app = document.querySelector(".stApp"), texts = document.createTreeWalker(app, NodeFilter.SHOW_TEXT);
    const drawn = "svg, style, script, header, .dpot-moves, [data-testid=stDataFrame]";
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (!text.data.trim() || text.parentElement.closest(drawn)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) add(text.parentElement, box, text.data);
    }
    for (const one of app.querySelectorAll("button, input, textarea, summary, .dpot-plot")) {
        const words = `[${one.tagName} ${one.ariaLabel || one.textContent || one.className}]`;
        // The ends of a row of tabs that goes on lie over it, and what moves particles over their picture.
        if (one.closest("header, .dpot-moves") || /^Scroll tabs/.test(one.ariaLabel)) continue;
        add(one, one.getBoundingClientRect(), words);
    }
    const over = new Set(), label = one => one.closest("label") ?? one;
    // A picture without a title has its menu in its corner.
    const menu = (a, b) => a.closest(".dpot-take") && b.matches(".dpot-plot");
    found.sort((a, b) => a.top - b.top).forEach((upper, number) => {
        for (const lower of found.slice(number + 1)) {
            if (lower.top > upper.bottom - 3) break;
            const across = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
            const down = Math.min(upper.bottom, lower.bottom) - lower.top;
            const [a, b] = [upper.one, lower.one];
            // A switch and its words are one control.
            if (across > 3 && down > 3 && !a.contains(b) && !b.contains(a) && label(a) !== label(b)
                && !menu(a, b) && !menu(b, a))
                over.add(`“${upper.words}” and “${lower.words}”`);
        }
    });
    return [...over];
}"""

WIDTHS = (driver.WIDE, (1024, 768), (768, 1024), driver.NARROW)


def overlaps(page: Page) -> Iterator[str]:
    for size in WIDTHS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        driver.wait_idle(page)
        yield from (f"{size[0]} px: {one}" for one in page.evaluate(OVER))


@pytest.mark.nightly
def test_overlapping_controls_are_found(page: Page) -> None:
    button = '<button style="position: absolute; left: 10px; top: 5px">Over the title</button>'
    page.get_by_test_id("stHeading").first.evaluate("(one, html) => one.insertAdjacentHTML('beforeend', html)", button)
    assert any("Over the title" in one for one in page.evaluate(OVER))


@pytest.mark.nightly
def test_no_text_and_no_control_lies_over_another_at_four_widths(open_page: OpenPage) -> None:
    """With buttons that play, which only those have who have nothing against motion."""
    page = open_page(motion="no-preference")
    wrong = {}
    for path in driver.page_paths(page):
        open_page(QUICK.get(path, path), motion="no-preference", on=page)
        if path == "/board":
            page.get_by_role("button", name="Put an example on the board").click()
            page.locator(".dpot-card").nth(2).wait_for()
        if found := list(overlaps(page)):
            wrong[path] = found
    assert not wrong, "\n".join(f"{path}: {one}" for path, found in wrong.items() for one in found)


def test_names_on_maps_give_way_to_other_words_and_to_names_before_them(canvas: Page) -> None:
    """In reach of the other words, of the first name, of a mark that is drawn over it, and free."""
    places = [
        *(("first", 1.0, 1.0), ("second", 1.05, 1.0), ("third", 4.0, 4.0), ("fourth", 8.0, 8.0)),
        ("fifth", 1.0, 8.0),
    ]
    names = place_names(places, 0.0, 10.0, IN_DARK)
    words = {"type": "scatter", "mode": "text", "x": [4.0], "y": [4.0], "text": ["words of weight"]}
    fixed = {"range": [0, 10]}
    star = {"type": "scatter", "mode": "markers", "marker": {"size": 12}, "x": [1.4], "y": [8.0]}
    hidden = star | {"y": [4.0], "x": [8.4], "visible": False}
    show(canvas, plain(go.Figure([*names, words, star, hidden], {"xaxis": fixed, "yaxis": fixed})))
    drawn = canvas.locator("#a [data-part=texts] text").evaluate_all(
        "all => all.filter(one => one.getAttribute('display') !== 'none').map(one => one.textContent)"
    )
    assert sorted(drawn) == ["first", "fourth", "words of weight"]
