"""Slide and report on paper, through Chromium's PDF: sheets counted, columns wide enough, nothing cut."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from dpot_app.batch import scenarios
from dpot_app.batch.reports import Entry, report, slide
from dpot_app.batch.scenarios import VIEWS, Scenario, picture
from dpot_app.figures.inline import lighter

#: Letters that a line of text holds at least; a letter is about half as wide as it is high.
_FEWEST = 30
_NARROW = """fewest => [...document.querySelectorAll("p, li")].filter(one => one.innerText.trim())
    .map(one => [one.clientWidth / (0.5 * parseFloat(getComputedStyle(one).fontSize)), one.innerText.slice(0, 40)])
    .filter(([letters]) => letters < fewest)"""
_CUT = """() => {
    const found = [...document.querySelectorAll("body, main, div, p, td, pre, figure")]
        .filter(one => !one.closest(".js-plotly-plot") && one.scrollWidth > one.clientWidth + 2
            && getComputedStyle(one).overflowX !== "visible").map(one => `${one.className} ${one.tagName}`);
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
        const box = plot.getBoundingClientRect(), paper = document.body.getBoundingClientRect();
        if (box.right > paper.right + 2) found.push("a picture leaves the sheet");
        for (const text of plot.querySelectorAll("text")) {
            const own = text.getBoundingClientRect();
            if (own.width && (own.left < box.left - 2 || own.right > box.right + 2)) found.push(text.textContent);
        }
    }
    return found;
}"""


def entry(key: str) -> Entry:
    scenario = Scenario(key, "What was chosen", VIEWS[key].example, chosen="Good enough for planners. " * 4)
    outcome = scenarios.run(scenario)
    return Entry(scenario, outcome.headlines, outcome.disclosure, lighter(picture(outcome).to_json()))


def printed(page: Page) -> int:
    """How many sheets a page prints on."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.nightly
@pytest.mark.parametrize("key", ["geolocation.crowd", "ring.outputs", "population.map", "mixture.line"])
def test_a_slide_prints_on_one_sheet_and_a_report_is_not_cut(browser: Browser, tmp_path: Path, key: str) -> None:
    one = entry(key)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    for name, text in {"slide": slide(one, "A title"), "report": report([one], "A title", "Which?")}.items():
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        page.set_viewport_size({"width": 1280 if name == "slide" else 680, "height": 720})
        page.goto((tmp_path / f"{name}.html").as_uri())
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        for media in ("screen", "print"):
            page.emulate_media(media=media)
            if not (name == "report" and media == "screen"):
                assert not page.evaluate(_NARROW, _FEWEST), (name, media)
                assert not page.evaluate(_CUT), (name, media)
        sheets = printed(page)
        assert sheets == 1 if name == "slide" else 2 <= sheets <= 12, (name, sheets)
    page.close()


def test_a_picture_of_unprotected_data_is_left_out_unless_it_is_asked_for_and_says_so() -> None:
    made = entry("ring.outputs")
    assert not made.unprotected and made.drawn, "simulated"
    kept = replace(made.scenario, kind="geolocation.crowd", config=VIEWS["geolocation.crowd"].example)
    object.__setattr__(kept, "data", (("check-ins", "0" * 64),))  # as if the file were here
    own = Entry(kept, made.headlines, made.disclosure, made.picture)
    for text in (report([own], "Own", ""), slide(own, "Own")):
        assert "Left out: this picture shows the data themselves" in text and 'id="figure-1"' not in text
    for text in (report([replace(own, pictured=True)], "Own", ""), slide(replace(own, pictured=True), "Own")):
        assert "It must not circulate" in text and 'id="figure-1"' in text
