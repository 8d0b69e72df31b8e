"""The page about what epsilon means, as people use it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage

VIEWS = ("One release", "Privacy by distance", "Several releases", "Known deployments")


@pytest.mark.nightly
def test_epsilon_and_prior_change_the_hundred_people(open_page: OpenPage) -> None:
    page = open_page("/explain")
    title = page.get_by_text("no output turns a belief of").first
    before = title.inner_text()
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert title.inner_text() != before and "At ε = 2.5 " in title.inner_text()
    page.get_by_role("slider", name="Belief before the release").press("ArrowRight")
    driver.wait_idle(page)
    assert "a belief of 11 of 100" in title.inner_text()
    assert "explain_prior=11" in page.url
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 2.5")


@pytest.mark.nightly
def test_every_view_fits_a_phone_and_epsilons_of_ones_own_add_up(open_page: OpenPage) -> None:
    page = open_page("/explain", size=driver.NARROW, theme="dark")
    driver.every_tab_fits(page, VIEWS)
    page.get_by_role("tab", name="Several releases").click()
    box = page.get_by_role("textbox", name="ε of each release")
    box.fill("0.1, 0.2, 0.3")
    box.press("Control+Enter")
    expect(page.get_by_text("0.1 + 0.2 + 0.3 = 3/5")).to_be_visible()
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 0.6")
    # Long numbers have their place: names break.
    page = open_page("/explain?explain_epsilon=10&explain_prior=99", size=driver.NARROW)
    wide, room = page.locator(".dpot-table").evaluate("table => [table.scrollWidth, table.clientWidth]")
    assert wide <= room
