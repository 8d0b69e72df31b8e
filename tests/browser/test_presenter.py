"""The page for a room, and the page on a narrow screen: one picture, and the control that matters within reach."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.axe_core import findings
from tests.browser.conftest import OpenPage

ZOOMED = (640, 400)  # 1280 x 800 at 200 %


def epsilon(page: Page) -> str | None:
    return page.locator("[class*=_epsilon] input[type=range]").first.get_attribute("aria-valuetext")


def headline(page: Page) -> str:
    return page.locator(".dpot-title").first.inner_text()


# Sizes of the letters in pictures that are to be seen.
_LETTERS = """() => [...document.querySelectorAll(".dpot-plot text")].filter(text => text.textContent
    && text.getBoundingClientRect().width).map(text => parseFloat(getComputedStyle(text).fontSize))"""


@pytest.mark.nightly
def test_a_link_opens_the_presenter_view_and_keys_move_epsilon(open_page: OpenPage) -> None:
    page = open_page("/ring?teach_present=true&ring_picture=Unrolled")
    for chrome in ("stHeader", "stSidebar"):
        expect(page.get_by_test_id(chrome)).to_be_hidden()
    expect(page.get_by_role("button", name="Pin to the board")).to_be_hidden()
    box = page.locator(".dpot-plot").first.bounding_box()
    assert box is not None and box["width"] > 0.9 * driver.WIDE[0] and box["y"] + box["height"] < driver.WIDE[1]
    assert not findings(page)
    driver.show_as(page, driver.WIDE, "dark")
    driver.wait_idle(page)
    assert not findings(page), "in the dark theme"
    before, said = epsilon(page), headline(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    driver.wait_idle(page)
    assert epsilon(page) != before and headline(page) != said
    assert f"ring_epsilon={epsilon(page)}" in page.url
    bar = page.get_by_role("toolbar", name="Presenter view")
    expect(bar).to_contain_text(f"Privacy parameter ε (nats): {epsilon(page)}")
    bar.get_by_role("button", name="Less").click()
    bar.get_by_role("button", name="Less").click()
    page.wait_for_timeout(300)
    driver.wait_idle(page)
    assert epsilon(page) == before and headline(page) == said
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(bar).to_have_count(0)
    driver.wait_idle(page)
    assert "teach_present" not in page.url
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '16px'")


@pytest.mark.nightly
def test_large_letters_reach_every_label_at_once(open_page: OpenPage) -> None:
    page = open_page("/geolocation?teach_large=true")
    page.wait_for_function(f"() => Math.min(...({_LETTERS})()) >= 15")
    page.get_by_text("Large type").click()
    page.wait_for_function(f"() => Math.min(...({_LETTERS})()) < 13")
    driver.wait_idle(page)
    page.get_by_text("Large type").click()
    page.wait_for_function(f"() => Math.min(...({_LETTERS})()) >= 15")
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '20px'")


def _in_view(page: Page, size: tuple[int, int]) -> None:
    slider = page.locator(".st-key-ring_epsilon").bounding_box()
    assert slider is not None and slider["y"] > size[1] / 2 and slider["y"] + slider["height"] <= size[1]


@pytest.mark.nightly
def test_on_a_phone_epsilon_stands_below_the_picture_and_a_sheet_leaves_it_in_view(open_page: OpenPage) -> None:
    page = open_page("/ring", size=driver.NARROW)
    _in_view(page, driver.NARROW)
    expect(page.locator(".st-key-ring_p")).to_be_visible()
    expect(page.locator(".st-key-ring_k")).to_be_hidden()
    before = headline(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    page.wait_for_timeout(300)
    driver.wait_idle(page)
    assert headline(page) != before
    page.get_by_role("button", name="More controls").click()
    expect(page.locator(".st-key-ring_k")).to_be_visible()
    sheet, picture = page.get_by_test_id("stSidebar").bounding_box(), page.locator(".dpot-plot").first.bounding_box()
    assert sheet is not None and picture is not None
    assert picture["y"] > 0 and sheet["y"] > picture["y"] + 300 and sheet["y"] + sheet["height"] <= driver.NARROW[1]
    page.locator(".st-key-ring_input").get_by_role("combobox").click()
    page.get_by_role("option", name="One point").click()
    driver.wait_idle(page)
    assert "ring_input=dirac" in page.url
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-ring_k")).to_be_hidden()
    _in_view(page, driver.NARROW)
    # The list of pages is where it was.
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Home").click()
    driver.wait_idle(page)
    expect(page.get_by_role("button", name="More controls")).to_have_count(0)


@pytest.mark.nightly
def test_at_200_percent_the_bar_leaves_the_picture_in_view(open_page: OpenPage) -> None:
    page = open_page("/ring", size=ZOOMED)
    _in_view(page, ZOOMED)
    side = page.get_by_test_id("stSidebar").bounding_box()
    assert side is not None and side["height"] < ZOOMED[1] / 3
