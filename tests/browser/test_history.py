"""Back and forward in the browser: a page and a tab are steps, each with the settings that it was left with."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def epsilon(page: Page) -> str | None:
    return page.get_by_role("slider", name="Privacy parameter ε").first.get_attribute("aria-valuetext")


def set_epsilon(page: Page, key: str) -> str | None:
    page.get_by_role("slider", name="Privacy parameter ε").first.press(key)
    at = epsilon(page)
    # Keys are gathered into one report, later where the machine is busy; an address leaves out what is usual.
    page.wait_for_url(lambda url: f"_epsilon={at}" in url or (at == "2" and "_epsilon=" not in url))
    driver.wait_idle(page)
    return at


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    driver.wait_idle(page)


def where(page: Page) -> tuple[str, str | None, list[str]]:
    """The page, its epsilon, and its tab."""
    tabs = page.get_by_role("tab", selected=True).all_inner_texts()
    return urlsplit(page.url).path, epsilon(page), tabs


def goes(page: Page, step: Callable[[], object], to: tuple[str, str | None, list[str]]) -> None:
    step()
    page.wait_for_url(lambda url: urlsplit(url).path == to[0])
    for name in to[2]:
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("slider", name="Privacy parameter ε").first).to_have_attribute(
        "aria-valuetext", to[1] or ""
    )
    driver.wait_idle(page)
    assert where(page) == to


def test_back_and_forward_pass_through_pages_and_tabs_with_their_settings(open_page: OpenPage) -> None:
    page = open_page()
    set_epsilon(page, "ArrowRight")
    steps = [where(page)]
    driver.follow(page, "/ring")
    set_epsilon(page, "ArrowLeft")
    steps.append(where(page))
    open_tab(page, "Base measure")
    set_epsilon(page, "ArrowLeft")
    steps.append(where(page))
    assert len({(path, *tabs) for path, _, tabs in steps}) == 3 and len({at for _, at, _ in steps}) == 3
    for step in reversed(steps[:-1]):
        goes(page, page.go_back, step)
    for step in steps[1:]:
        goes(page, page.go_forward, step)


def base(page: Page) -> str:
    return page.get_by_test_id("stSidebar").get_by_role("combobox", name="Base measure").input_value()


def choose(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("combobox", name="Base measure").click()
    page.get_by_role("option", name=name, exact=True).click()
    driver.wait_idle(page)


def test_back_brings_an_option_back_by_its_name_by_an_old_word_and_where_the_address_has_none(
    open_page: OpenPage,
) -> None:
    page = open_page("/ring?ring_k=6&ring_base=Uniform")
    assert base(page) == "Uniform"
    open_tab(page, "Base measure")
    choose(page, "Minimax")
    assert parse_qs(urlsplit(page.url).query)["ring_base"] == ["minimax"]
    open_tab(page, "Best guess")
    choose(page, "Best uniform")
    assert "ring_base" not in page.url
    open_tab(page, "Convergence")
    choose(page, "Uniform")
    for step, words in ((page.go_back, "Best uniform"), (page.go_back, "Minimax"), (page.go_back, "Uniform")):
        step()
        expect(page.get_by_role("combobox", name="Base measure")).to_have_value(words)
        driver.wait_idle(page)
        assert base(page) == words


@pytest.mark.nightly
def test_a_page_opened_again_has_its_settings_in_its_address(open_page: OpenPage) -> None:
    """A reader who comes back by the menu finds the page as it was, and Back finds it so as well."""
    page = open_page("/ring?ring_seed=9")
    at = set_epsilon(page, "ArrowRight")
    said = page.locator(".dpot-title").first.inner_text()
    driver.follow(page, "/geolocation")
    assert "ring_" not in page.url
    driver.follow(page, "/ring")
    assert epsilon(page) == at and page.locator(".dpot-title").first.inner_text() == said
    assert parse_qs(urlsplit(page.url).query) == {"ring_epsilon": [at], "ring_seed": ["9"]}
    there = where(page)
    driver.follow(page, "/")
    goes(page, page.go_back, there)


@pytest.mark.nightly
def test_settings_that_came_into_the_address_late_are_those_of_the_step(open_page: OpenPage) -> None:
    """What Streamlit does on a busy server: the page is opened, gets its settings, loses them, and is left."""
    page = open_page("/explain")
    for address in ("/ring", "/ring?ring_epsilon=2.5", "/ring", "/"):
        page.evaluate("address => history.pushState({}, '', address)", address)
    page.go_back()
    assert urlsplit(page.url).path == "/ring" and parse_qs(urlsplit(page.url).query) == {"ring_epsilon": ["2.5"]}
    driver.wait_idle(page)


@pytest.mark.nightly
def test_an_old_link_that_is_handed_on_does_not_hold_people_back(open_page: OpenPage) -> None:
    """Streamlit hands it on before the page can say that this is no step, but not a second time."""
    page = open_page("/explain")
    open_page("/?ring_epsilon=5&ring_k=17", on=page)
    page.wait_for_url("**/ring?**")
    driver.wait_idle(page)
    assert epsilon(page) == "5"
    for _ in range(3):
        page.go_back()
        page.wait_for_timeout(500)
        driver.wait_idle(page)
        if urlsplit(page.url).path == "/explain":
            return
    raise AssertionError(page.url)


@pytest.mark.nightly
def test_every_page_has_its_name_in_the_browser_and_its_menu_says_that_it_is_open(open_page: OpenPage) -> None:
    page = open_page()
    names = [page.title()]
    assert page.locator("html").get_attribute("lang") == "en"
    for path in ("/board", "/ring", "/sinkhorn"):
        driver.follow(page, path)
        names.append(page.title())
        here = page.locator("[data-testid=stTopNav] [aria-current]")
        expect(here).to_have_count(1)
        names.append(here.inner_text().split("\n")[-1])
    app = "Privacy and distance"
    board, ring, transport = (f"{name} · {app}" for name in ("What-if board", "Finite ring", "Private transport"))
    menus = "One person's release", "Many people's data"
    assert names == [app, board, "What-if board", ring, menus[0], transport, menus[1]]


@pytest.mark.nightly
def test_a_page_without_controls_has_no_bar_beside_it(open_page: OpenPage) -> None:
    page = open_page("/ring")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    for path in ("/", "/board"):
        driver.follow(page, path)
        expect(page.get_by_test_id("stSidebar")).to_be_hidden()
        box = page.get_by_test_id("stMain").bounding_box()
        assert box is not None and box["width"] == driver.WIDE[0]
        driver.follow(page, "/ring")
        expect(page.get_by_test_id("stSidebar")).to_be_visible()
