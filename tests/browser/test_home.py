"""The home page and the guided tour as people use them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from dpot_app.shell.home.places import TOUR
from dpot_app.views.ring.outputs.results import run
from dpot_app.views.ring.settings import Config, Ring, Source
from tests.browser import driver
from tests.browser.conftest import OpenPage


def headline(page: Page) -> str:
    """What the first picture says."""
    return page.locator(".dpot-title").first.inner_text()


@pytest.mark.nightly
def test_a_link_from_when_the_ring_was_the_first_page_still_opens_it(open_page: OpenPage) -> None:
    page = open_page("/?ring_epsilon=5&ring_k=17&ring_mechanisms=WPM&ring_mechanisms=k-RR&ring_view=Base+measure")
    page.wait_for_url("**/ring?**")
    driver.wait_idle(page)
    assert urlsplit(page.url).path == "/ring"
    assert parse_qs(urlsplit(page.url).query) == {
        "ring_epsilon": ["5"],
        "ring_k": ["17"],
        "ring_mechanisms": ["WPM", "k-RR"],
        "ring_view": ["Base measure"],
    }
    assert headline(page).startswith("At ε = 5 WPM moves the input by")
    expect(page.get_by_role("tab", name="Base measure")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    link = page.get_by_test_id("stCode").filter(has_text="ring_epsilon").inner_text()
    assert urlsplit(link.strip()).path == "/ring"


@pytest.mark.nightly
def test_everything_is_in_one_screen_and_a_card_opens_its_page(page: Page) -> None:
    bottom = page.get_by_role("button", name="Guided tour").bounding_box()
    assert bottom is not None and bottom["y"] + bottom["height"] < driver.WIDE[1]
    before = headline(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert headline(page) != before and headline(page).startswith("At ε = 2.5 ")
    assert "home_epsilon=2.5" in page.url
    page.get_by_role("link", name="What does a released location tell?").click()
    page.wait_for_url(lambda url: urlsplit(url).path == "/geolocation")
    driver.wait_idle(page)
    expect(page.get_by_role("slider", name="Privacy parameter ε")).to_be_visible()


@pytest.mark.nightly
def test_six_captions_change_one_picture_by_button_and_by_arrow_keys(page: Page) -> None:
    page.get_by_role("button", name="Guided tour").click()
    driver.wait_idle(page)
    page.evaluate("() => { window.kept = document.querySelector('.dpot-figure'); }")
    for number, step in enumerate(TOUR, start=1):
        expect(page.get_by_text(f"{number} of {len(TOUR)}: {step.title}")).to_be_visible()
        driver.wait_idle(page)
        assert page.evaluate("() => window.kept === document.querySelector('.dpot-figure')"), "drawn anew"
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        if number == 1:
            page.get_by_role("button", name="Next").click()
        elif number < len(TOUR):
            page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(f"5 of 6: {TOUR[4].title}")).to_be_visible()
    driver.wait_idle(page)
    # Keys on the slider are the slider's.
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert "At ε = 6 " in headline(page)
    expect(page.get_by_text(f"5 of 6: {TOUR[4].title}")).to_be_visible()


@pytest.mark.nightly
def test_the_tour_leads_to_prepared_pages_and_back(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=5&ring_k=12")
    driver.go_to(page, "Home")
    page.get_by_role("button", name="Guided tour").click()
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
        driver.wait_idle(page)
    page.get_by_role("button", name="Five mechanisms on this ring").click()
    page.wait_for_url("**/ring?**")
    driver.wait_idle(page)
    far = run(
        Config(ring=Ring(k=30, p=1), source=Source(kind="dirac"), epsilon=2.0, mechanisms=("wpm", "kpm"))
    ).distances
    assert (
        headline(page) == f"At ε = 2 WPM moves the input by W₁ = {far['wpm']:.3g} steps, KPM by {far['kpm']:.3g} steps"
    )
    page.get_by_role("link", name="Return to the tour").click()
    # The bar of the page that is left says "step 3 of 6" as well.
    expect(page.get_by_text(f"3 of 6: {TOUR[2].title}", exact=True)).to_be_visible()
    driver.wait_idle(page)
    page.get_by_role("button", name="Close the tour").click()
    driver.wait_idle(page)
    expect(page.get_by_role("button", name="Guided tour")).to_be_visible()
