"""The geolocation page as people use it: people, crowds, slow work given up."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.get_by_test_id("stMarkdown").locator("strong").all_inner_texts()


def test_sliders_and_people_change_the_maps(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10")
    person, moved = titles(page)[:2]
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert titles(page)[0] == person and titles(page)[1] != moved
    page.get_by_test_id("stNumberInputStepUp").click()
    driver.wait_idle(page)
    assert titles(page)[0] != person
    assert "geo_person=2" in page.url
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    assert page.locator(".js-plotly-plot .hm image").count() == 6


def test_the_crowd_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_view=The+crowd", size=driver.NARROW, theme="dark")
    assert "nearest" in titles(page)[2]
    maps = page.locator(".js-plotly-plot").nth(1).locator(".hm image")
    boxes = [box for box in (image.bounding_box() for image in maps.all()) if box is not None]
    assert len(boxes) == 4 and min(box["width"] for box in boxes) > 120
    assert max(box["x"] + box["width"] for box in boxes) < 390


def test_slow_work_counts_and_can_be_abandoned_and_taken_up_again(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=24&geo_least=40&geo_lambda=exact")
    page.get_by_role("tab", name="The crowd").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"\d+ of \d+ done"), timeout=30_000)
    page.get_by_role("button", name="Abandon").click()
    expect(page.get_by_text(re.compile("Abandoned: "))).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"\d+ of \d+ done"), timeout=30_000)
    page.get_by_role("button", name="Abandon").click()
    expect(page.get_by_text(re.compile("Abandoned: "))).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    expect(page.get_by_text(re.compile("Abandoned: "))).to_have_count(0, timeout=30_000)
    page.get_by_role("tab", name="One person").click()
    driver.wait_idle(page)
    assert titles(page)[1].startswith("At ε = 2.5 ")
