"""What is told to those who listen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage


@pytest.mark.nightly
def test_a_move_is_said_once_it_rests_and_titles_are_headings(open_page: OpenPage) -> None:
    page = open_page("/ring")
    title = page.get_by_role("heading", level=4).first
    words = title.inner_text()
    expect(page.locator(".dpot-take").first).to_have_accessible_name(
        f"Save this picture, or read its numbers: {title.evaluate('one => one.textContent')}"
    )
    said = page.locator(".dpot-said[aria-live=polite]")
    expect(said).to_have_text("")
    page.locator(".st-key-ring_epsilon input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(title).not_to_have_text(words)
    expect(said).to_contain_text(title.inner_text())
