"""The page that finds the smallest epsilon, as people use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


@pytest.mark.nightly
def test_a_need_is_answered_and_leads_to_its_page(open_page: OpenPage) -> None:
    page = open_page("/decide?decide_need=Worst-case+distance+on+a+ring")
    title = page.get_by_text("in the worst case").first
    expect(title).to_contain_text("At most 4 steps: ε = 3.1 in the worst case (WPM")
    page.get_by_role("slider", name="How good").press("ArrowLeft")
    driver.wait_idle(page)
    told = page.get_by_text("At most 3 steps: ").first.inner_text()
    said = re.search(r"(ε = [\d.]+) in the worst case", told)
    assert said is not None
    assert "decide_ring_target=3" in page.url
    page.get_by_role("button", name="Worst case: see it").click()
    page.wait_for_url("**/ring*")
    driver.wait_idle(page)
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text(said[1])
    expect(page.get_by_role("tab", name="Worst case", exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.nightly
def test_another_need_is_chosen_and_its_promise_warns_of_looking_at_private_data(open_page: OpenPage) -> None:
    """The walk (``tests/browser/walk.py``) does the same with the city, which takes longer."""
    page = open_page("/decide?decide_need=Liked+recommendations", theme="dark")
    expect(page.get_by_text("At least 10%: ε = 1.5 for the data at hand (WPM; k-RR needs 4)").first).to_be_visible()
    expect(page.get_by_text("not reached").first).to_be_visible()
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("choosing ε by looking at")
    page.get_by_role("combobox", name="What must be possible").click()
    page.get_by_role("option", name="Worst-case total variation on k points").click()
    expect(page.get_by_text("At most 0.3: ε = 4.22 in the worst case").first).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    page.get_by_role("radio", name="Data at hand").click()
    driver.wait_idle(page)
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("choosing ε by looking at")
