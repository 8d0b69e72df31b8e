"""Every page that the navigation offers, opened on a phone; what holds on a wide screen is in ``every_page.py``."""

from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from dpot_app.kit.lesson import Lesson
from dpot_app.views.table import LESSONS
from tests.browser import driver
from tests.browser.axe_core import findings
from tests.browser.conftest import OpenPage
from tests.browser.every_page import QUICK, THEMES, looks_well, switch

# By day; the others are opened on a wide screen by tests of their own.
ON_A_PHONE = ("/", "/decide", "/board", "/geolocation")


def _looks_well(page: Page, path: str, theme: str) -> None:
    assert not (wrong := list(looks_well(page, path, driver.NARROW, theme))), f"{path}: {wrong}"


def _formulas_are_shown(page: Page, lesson: Lesson) -> None:
    expect(page.locator(".katex-display").nth(len(lesson.formulas) - 1)).to_be_attached()
    assert page.locator(".katex-error").count() == 0


@pytest.mark.parametrize(
    "asked", [pytest.param(ON_A_PHONE, id="few"), pytest.param((), id="every", marks=pytest.mark.nightly)]
)
def test_a_page_opens_well_on_a_phone_follows_the_theme_and_shows_its_formulas(
    open_page: OpenPage, asked: tuple[str, ...]
) -> None:
    """Opened at its address, with teaching mode on: all that there can be on a page stands on it."""
    page = open_page()
    offered = driver.page_paths(page)
    assert {path.strip("/") for path in offered} >= {*LESSONS.keys(), *(path.strip("/") for path in asked)}
    paths = asked or offered
    for path, theme in zip(paths, cycle(("dark", "light"))):
        address = QUICK.get(path, path)
        open_page(f"{address}{'&' if '?' in address else '?'}teach_on=true", driver.NARROW, theme, on=page)
        _looks_well(page, path, theme)
        if lesson := LESSONS.get(path.strip("/")):
            _formulas_are_shown(page, lesson)
        if path == "/geolocation":
            page.get_by_role("button", name="More controls").click()
            assert not findings(page), "axe-core, with the sheet of controls open"
    switch(page, driver.NARROW, other := THEMES[theme])
    _looks_well(page, path, other)
