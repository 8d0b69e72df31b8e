"""The ring page as people use it: sliders, links, files, numbers of their own."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from dpot_app.kit.script import written
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.settings import Config, Ring
from tests.browser import driver
from tests.browser.conftest import OpenPage


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The ring page, 1400 x 900, light, idle."""
    return open_page("/ring")


def headline(page: Page) -> str:
    """What the first picture says."""
    return page.locator(".dpot-title").first.inner_text()


def move(page: Page, slider: str, key: str) -> None:
    page.get_by_role("slider", name=slider).press(key)
    driver.wait_idle(page)


def open_take_away(page: Page) -> None:
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)


def link_of(page: Page) -> str:
    return page.get_by_test_id("stCode").filter(has_text="ring_epsilon").inner_text().strip()


def test_a_slider_changes_picture_promise_and_address_and_another_view_nothing_of_them(page: Page) -> None:
    before = headline(page)
    move(page, "Privacy parameter ε", "ArrowRight")
    assert headline(page) != before
    assert headline(page).startswith("At ε = 2.5 ")
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 2.5")
    assert parse_qs(urlsplit(page.url).query) == {"ring_epsilon": ["2.5"]}

    # Another view leaves the first picture alone.
    first = page.locator(".dpot-plot").first
    first.evaluate("element => { element.dataset.witness = 'same'; }")
    page.get_by_role("tab", name="Base measure").click()
    driver.wait_idle(page)
    expect(page.get_by_text("Certificate (cutting planes")).to_be_visible()
    assert first.evaluate("element => element.dataset.witness") == "same"


def test_the_copied_link_shows_the_same_to_another_reader(open_page: OpenPage) -> None:
    mine = open_page("/ring?ring_epsilon=5&ring_k=17&ring_input=Two+bumps&ring_view=Transport+plan")
    open_take_away(mine)
    address = urlsplit(link_of(mine))
    theirs = open_page(f"{address.path}?{address.query}")
    assert headline(theirs) == headline(mine)
    expect(theirs.get_by_role("tab", name="Transport plan")).to_have_attribute("aria-selected", "true")
    expect(theirs.get_by_test_id("stAlert")).to_have_count(0)


def test_the_download_holds_the_numbers_drawn(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    page = open_page("/ring?ring_k=12")
    open_take_away(page)
    config = Config(ring=Ring(k=12))
    result = run(config)

    def save(name: str) -> Path:
        path = driver.save(page, name, tmp_path)
        assert path.name == f"ring-{name}"
        return path

    with save("distributions.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["wpm output (not private)"]) for row in rows] == pytest.approx(
        list(result.outputs["wpm"]), abs=1e-12
    )

    content = json.loads(save("numbers.json").read_text(encoding="utf-8"))
    assert content["tables"]["distances"]["wasserstein (not private)"] == pytest.approx(list(result.distances.values()))
    assert content["config"]["promise"]["together"]["epsilon"] == 2.0
    assert content["config"]["promise"]["words"][0].startswith("Demonstration, not a release.")
    assert content["config"]["settings"]["ring"]["k"] == 12

    document = save("distributions.html")
    offline, watch = driver.new_page(browser)
    offline.context.set_offline(True)
    offline.goto(document.as_uri())
    offline.wait_for_selector(".js-plotly-plot svg.main-svg .barlayer path")
    assert offline.get_by_text("At ε = 2 WPM moves the input").count() == 1
    assert not watch.look_at_pages()
    offline.context.close()

    snippet = page.get_by_test_id("stCode").filter(has_text="PAGES").inner_text()
    assert written(config) in " ".join(snippet.split())


@pytest.mark.nightly
def test_numbers_can_be_uploaded_and_typed_into_a_table(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_input=My+numbers&ring_k=5")
    page.get_by_role("button", name="Upload, type or paint").click()
    content = "weight\n1\n2\n3\n4\n0\n"
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": "weights.csv", "mimeType": "text/csv", "buffer": content.encode("utf-16")}
    )
    driver.wait_idle(page)
    expect(page.get_by_role("textbox", name="Weights of the points")).to_have_value("1\n2\n3\n4\n0\n")
    expect(page.get_by_text("Divide by their sum, 10")).to_be_visible()

    box = page.get_by_role("textbox", name="Weights of the points")
    box.fill("1,2,3,4,5")
    box.press("Control+Enter")
    driver.wait_idle(page)
    page.get_by_role("tab", name="Type").click()
    driver.wait_idle(page)
    driver.type_into_table(page, row=1, across=0.75, text="9")
    driver.wait_idle(page)
    expect(box).to_have_value("1, 9, 3, 4, 5")


@pytest.mark.nightly
def test_on_a_phone_in_the_dark_the_input_can_be_seen_and_every_view_fits(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_picture=Unrolled", size=driver.NARROW, theme="dark")
    bar = page.locator(".dpot-plot [data-kind=bar] rect").first
    assert bar.evaluate("bar => getComputedStyle(bar).fill") == "rgb(201, 201, 201)"
    page = open_page("/ring", size=driver.NARROW, theme="dark")
    outline = page.locator(".dpot-plot [data-kind=scatterpolar] [data-part=line][stroke='#C9C9C9'][d^=M]")
    expect(outline).to_have_count(1)
    driver.every_tab_fits(page, page.get_by_role("tab").all_inner_texts())


def middle(page: Page) -> tuple[float, float]:
    """Of the ring: between its names for points 0 and 15."""
    boxes = [page.locator(".dpot-plot").first.get_by_text(text, exact=True).bounding_box() for text in ("0", "15")]
    assert all(boxes)
    return tuple(np.mean([[box["x"] + box["width"] / 2, box["y"] + box["height"] / 2] for box in boxes if box], axis=0))


@pytest.mark.nightly
def test_the_truth_is_put_where_the_ring_is_tapped_and_goes_where_it_is_dragged(open_page: OpenPage) -> None:
    page = open_page("/ring")
    x, y = middle(page)
    # A quarter round a ring of 30, clockwise from the top, is between points 7 and 8.
    page.mouse.click(x + 150, y + 10)
    expect(page.get_by_role("spinbutton", name="Point", exact=True)).to_have_value("8")
    expect(page).to_have_url(re.compile("ring_input=dirac.*ring_point=8|ring_point=8.*ring_input=dirac"))
    driver.wait_idle(page)
    bars = page.locator("[data-kind=barpolar]").first
    before = bars.locator("path").first.get_attribute("d")
    page.mouse.move(x + 150, y + 10)
    page.mouse.down()
    page.mouse.move(x, y - 150, steps=6)
    # The picture turns under the hand, before Python knows.
    assert bars.locator("path").first.get_attribute("d") != before
    assert "ring_point=8" in page.url
    page.mouse.up()
    expect(page.get_by_role("spinbutton", name="Point", exact=True)).to_have_value("0")
    driver.wait_idle(page)
    # The same place again, after the field has said another one.
    page.get_by_role("spinbutton", name="Point", exact=True).fill("5")
    page.get_by_role("spinbutton", name="Point", exact=True).press("Enter")
    driver.wait_idle(page)
    page.mouse.click(x, y - 150)
    expect(page.get_by_role("spinbutton", name="Point", exact=True)).to_have_value("0")


def test_a_finger_drags_the_truth_and_elsewhere_scrolls(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_input=One+point", size=driver.NARROW)
    x, y = middle(page)
    touch = """([x, y]) => {
        const plot = document.elementFromPoint(x, y).closest(".dpot-plot");
        const there = new Touch({ identifier: 1, target: plot, clientX: x, clientY: y });
        return !plot.dispatchEvent(new TouchEvent("touchstart", { touches: [there], bubbles: true, cancelable: true }));
    }"""
    handle = page.locator("[data-kind=scatterpolar] [data-part=points] path").first.bounding_box()
    assert handle is not None
    on = [handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2]
    assert page.evaluate(touch, on), "the page does not scroll"
    assert not page.evaluate(touch, [x, y + 100])
