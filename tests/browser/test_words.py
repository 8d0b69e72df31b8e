"""The field's words behind the question mark beside a page's title: by hover, by keys and by a tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage

SENTENCE = "Wasserstein projection mechanism: among the outputs that privacy allows"


@pytest.mark.parametrize("how", ["hover", "keys"])
def test_words_are_explained(open_page: OpenPage, how: str) -> None:
    page = open_page("/ring")
    mark = page.get_by_test_id("stHeading").first.get_by_role("button")
    if how == "hover":
        mark.hover()
    else:
        mark.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
    box = page.get_by_test_id("stTooltipContent")
    expect(box).to_contain_text(SENTENCE)
    size = box.bounding_box()
    assert size is not None and size["y"] >= 0 and size["y"] + size["height"] <= driver.WIDE[1]
