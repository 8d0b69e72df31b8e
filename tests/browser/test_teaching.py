"""Teaching mode and the presenter's layout, as a lecturer uses them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from dpot_app.views.table import LESSONS
from tests.browser import driver
from tests.browser.conftest import OpenPage


@pytest.mark.nightly
def test_formulas_and_answers_appear_and_a_link_carries_them(open_page: OpenPage) -> None:
    page = open_page("/ring")
    expect(page.locator(".katex")).to_have_count(0)
    page.get_by_text("Teaching mode").click()
    driver.wait_idle(page)
    assert "teach_on=true" in page.url
    assert page.locator(".katex-display").count() == len(LESSONS["ring"].formulas)
    assert page.locator(".katex-error").count() == 0
    page.get_by_text("Answer to 1").click()
    expect(page.get_by_text("the promise is used up")).to_be_visible()
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    link = page.get_by_test_id("stCode").filter(has_text="ring_epsilon").inner_text().strip()
    assert parse_qs(urlsplit(link).query)["teach_on"] == ["true"]
    theirs = open_page(f"/ring?{urlsplit(link).query}")
    expect(theirs.get_by_test_id("stAlert")).to_have_count(0)
    assert theirs.locator(".katex-display").count() == len(LESSONS["ring"].formulas)


@pytest.mark.nightly
def test_large_type_is_large_and_keeps_the_page_in_its_width(open_page: OpenPage) -> None:
    page = open_page("/ring?teach_large=true")
    # Polled: on a busy machine the page comes to rest before its style, and its letters, have come.
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '20px'")
    size_of_letters = (
        "parseFloat(getComputedStyle(document.querySelector('.dpot-plot [data-part=axes] text')).fontSize)"
    )
    page.wait_for_function(f"() => {size_of_letters} > 13")
    assert driver.overflow(page) <= 0
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
