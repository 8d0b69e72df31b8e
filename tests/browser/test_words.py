"""The field's words behind the question mark beside a page's title: by hover, by keys and by a tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.nightly

SENTENCE = "Wasserstein projection mechanism. Of all output distributions that privacy allows"


def test_words_are_explained_by_hover_and_by_keys(open_page: OpenPage) -> None:
    page = open_page("/ring")
    mark = page.get_by_test_id("stHeading").first.get_by_role("button")
    mark.hover()
    _explained(page)
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    mark.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    _explained(page)


def _explained(page: Page) -> None:
    box = page.get_by_test_id("stTooltipContent")
    expect(box).to_contain_text(SENTENCE)
    size = box.bounding_box()
    assert size is not None and size["y"] >= 0 and size["y"] + size["height"] <= driver.WIDE[1]
