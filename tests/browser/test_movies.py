"""The movies page as people use it: sliders, users by name, a profile of one's own, slow work given up, phones."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from dpot_core.datasets import simulated_films
from tests.browser import driver
from tests.browser.conftest import OpenPage

#: The profile, WPM, Genre KPM and EM beside each other; the worst cases, what is liked, and one map large.
PICTURES = 7
NASTY = "<img src=x onerror=alert(1)>"


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.locator(".dpot-title, [data-testid=stMarkdown] strong").all_inner_texts()


@pytest.mark.nightly
def test_the_maps_follow_the_slider_and_the_user(open_page: OpenPage) -> None:
    page = open_page("/movies")
    before = titles(page)
    maps = page.locator(".dpot-plot")
    expect(maps).to_have_count(PICTURES)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    # The profile stays as it is; what each mechanism releases of it, and what stands below, does not.
    moved = titles(page)
    assert moved[0] == before[0]
    assert not any(old == new for old, new in zip(before[1:4], moved[1:4], strict=True))
    box = page.get_by_role("combobox", name=re.compile("Test user, by name"))
    box.click()
    box.fill("user 354")
    page.get_by_role("option", name="user 354", exact=True).click()
    driver.wait_idle(page)
    page.get_by_text("What user 354 rated, and").click()
    driver.wait_idle(page)
    assert any(title.startswith("user 354 rated") for title in titles(page))
    maps.first.hover()
    drawn = page.get_by_text(re.compile("a demonstration with a seed, not a release"))
    expect(drawn).to_contain_text("Draw 1,")
    page.get_by_role("button", name="Draw a film").click()
    expect(drawn).to_contain_text("Draw 2,")
    expect(page).to_have_url(re.compile("movies_draw=2"))


@pytest.mark.nightly
def test_a_profile_of_ones_own_is_typed_in_and_kept(open_page: OpenPage) -> None:
    page = open_page("/movies?movies_own=true")
    expect(page.get_by_text("Give stars to at least one film")).to_be_visible()
    driver.type_into_table(page, row=0, across=0.95, text="5")
    expect(page.locator(".dpot-plot")).to_have_count(PICTURES)
    driver.wait_idle(page)
    page.get_by_text("What (my own profile) rated, and").click()
    driver.wait_idle(page)
    assert any("my own profile) rated 1 film" in title for title in titles(page))
    page.get_by_role("tab", name="Everyone").click()
    page.get_by_role("tab", name="What the adversary learns").click()
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot")).to_have_count(2)
    assert "profile" not in page.url


@pytest.mark.nightly
def test_everyone_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/movies?movies_view=Everyone&movies_candidates=60", size=driver.NARROW, theme="dark")
    expect(page.locator(".dpot-plot")).to_have_count(1)
    driver.wait_idle(page)
    assert titles(page)[0].startswith("WPM beats Genre KPM")
    box = page.locator(".dpot-plot").bounding_box()
    assert box is not None and box["x"] + box["width"] <= 390


@pytest.mark.nightly
def test_titles_of_ones_own_are_no_markup(open_page: OpenPage) -> None:
    data = simulated_films(40, 60)
    rows = zip(data.user, data.film, data.stars, strict=True)
    ratings = "\n".join(["user,film,rating", *(f"{NASTY} {u},{f},{s:g}" for u, f, s in rows)])
    films = "\n".join(["film,title,genres", *(f"{f},{NASTY} {f},<b>A</b>|B" for f in range(60))])
    page = open_page("/movies?movies_data=My+CSV+files")
    files = page.locator("input[type=file]")
    files.nth(0).set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": ratings.encode()})
    expect(page.locator(".dpot-plot")).to_have_count(PICTURES)
    driver.wait_idle(page)
    files.nth(1).set_input_files({"name": "films.csv", "mimeType": "text/csv", "buffer": films.encode()})
    page.get_by_text(re.compile("the ten likeliest films")).click()
    expect(page.locator(".dpot-table").get_by_text("<b>A</b>").first).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    large = page.locator(".dpot-plot").last
    large.locator("g[data-trace] path[d^=M]").last.hover(force=True)
    expect(large.locator(".dpot-hover")).to_contain_text(NASTY)
    assert page.locator("img[src='x'], image[href='x']").count() == 0
