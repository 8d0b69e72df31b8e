"""The metric privacy page as people use it: sliders in words, questions, a hard region, a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.locator(".dpot-title").all_inner_texts()


@pytest.mark.nightly
def test_sliders_in_words_change_alpha_the_picture_and_the_promise(open_page: OpenPage) -> None:
    page = open_page("/metric?metric_n=6")
    assert titles(page)[0].endswith("costs ε = α = 69.2")
    page.get_by_role("slider", name="Second: moved up to (km)").press("ArrowRight")
    driver.wait_idle(page)
    assert titles(page)[0].endswith("costs ε = α = 34.6")
    assert "metric_km2=1" in page.url
    strip = page.get_by_role("note", name="Privacy guarantee")
    expect(strip).to_contain_text("everything moved by at most 1 km")
    expect(strip).to_contain_text("α = 34.6")
    page.get_by_role("radio", name="The paper's example").click()
    driver.wait_idle(page)
    assert titles(page)[0].endswith("costs ε = α = 25")
    expect(strip).to_contain_text("everything moved by at most 100 miles")


@pytest.mark.nightly
def test_a_question_its_noise_and_what_cannot_be_asked(open_page: OpenPage) -> None:
    page = open_page("/metric?metric_n=6&metric_view=Ask+a+question&metric_edge=0")
    local = titles(page)[0]
    assert local.startswith("Each of 500 people adds noise: off by ")
    page.get_by_role("radio", name="A trusted curator").click()
    driver.wait_idle(page)
    assert titles(page)[0].startswith("A curator adds noise") and titles(page)[0] != local
    page.get_by_text("The question on the map").click()
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot").nth(2)).to_be_visible()
    expect(page.locator(".dpot-plot")).to_have_count(3)
    page.get_by_role("combobox", name="Question").click()
    page.get_by_role("option", name="Share of time in a region").click()
    expect(page.get_by_text("a region with a hard edge is not Lipschitz")).to_be_visible(timeout=30_000)
    page.get_by_role("slider", name="Soft edge").press("ArrowRight")
    driver.wait_idle(page)
    assert "percentage points" in titles(page)[0]


@pytest.mark.nightly
def test_every_view_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(
        "/metric?metric_n=6&metric_view=Ask+a+question&metric_query=Mean+position", size=driver.NARROW, theme="dark"
    )
    for view, count in (("Ask a question", 2), ("Release the crowd", 3), ("When does it pay?", 2)):
        page.get_by_role("tab", name=view).click()
        driver.wait_idle(page)
        boxes = [plot.bounding_box() for plot in page.locator(".dpot-plot").all()]
        assert len(boxes) == count and all(box is not None and box["x"] + box["width"] <= 390 for box in boxes), view
