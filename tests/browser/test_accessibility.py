"""For those who use no mouse: keys alone. What holds on every page is in ``every_page.py``."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def test_a_page_is_opened_and_changed_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.innerText?.trim()") == "One person's release":
            break
    page.keyboard.press("Enter")
    page.get_by_test_id("stTopNavDropdownLink").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/ring")
    driver.wait_idle(page)
    page.get_by_role("tab").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab").nth(1)).to_have_attribute("aria-selected", "true")
    driver.wait_idle(page)
    entry = page.locator(".legend-entry:visible").first
    entry.focus()
    page.keyboard.press("Enter")
    expect(entry).to_have_attribute("aria-pressed", "false")
    page.keyboard.press(" ")
    expect(entry).to_have_attribute("aria-pressed", "true")
