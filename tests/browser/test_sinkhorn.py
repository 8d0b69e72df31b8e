"""The private transport page as people use it: sliders, views, a point that walks, slow work given up."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.locator(".dpot-title").all_inner_texts()


@pytest.mark.nightly
def test_the_private_plan_follows_epsilon_and_the_exact_one_does_not(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn")
    expect(page.locator(".dpot-plot:has(svg)")).to_have_count(7)
    before = titles(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    after = titles(page)
    assert [t for t in after if t.startswith("Exact")] == [t for t in before if t.startswith("Exact")]
    assert [t for t in after if t.startswith("Noisy Sinkhorn")] != [t for t in before if t.startswith("Noisy Sinkhorn")]
    page.locator(".dpot-plot").nth(4).scroll_into_view_if_needed()
    box = page.locator(".dpot-plot").nth(4).bounding_box()
    for share in np.linspace(0.3, 0.9, 30):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.35 * box["height"])
        if "% of the mass" in "".join(page.locator(".dpot-hover:visible").all_inner_texts()):
            return
    raise AssertionError("no arrow says how much of the mass it moves")


@pytest.mark.nightly
def test_the_address_says_where_the_page_begins_and_back_leaves_it(open_page: OpenPage) -> None:
    page = open_page()
    driver.follow(page, "/sinkhorn")
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    page.wait_for_function("() => /sinkhorn_version=2/.test(location.search) && /epsilon/.test(location.search)")
    driver.wait_idle(page)
    address, said = page.url, titles(page)
    assert any("η = 0.015 |c|" in title for title in said)
    page.go_back()
    page.wait_for_function("() => location.pathname === '/'")
    assert titles(open_page(address[address.index("/sinkhorn") :])) == said


# The middle of what is blue on the canvas of a picture, in its pixels: the first data set, while it has not set out.
_BLUE = """(plot, [red, green, blue]) => {
    const canvas = plot.querySelector("canvas"), { width, height } = canvas;
    const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
    let [count, across] = [0, 0];
    for (let place = 0; place < width * height; place += 1) {
        const at = [red, green, blue].map((want, way) => Math.abs(pixels[4 * place + way] - want));
        if (pixels[4 * place + 3] > 200 && Math.max(...at) < 12) [count, across] = [count + 1, across + place % width];
    }
    return [count, across / Math.max(count, 1)];
}"""
BLUE, VERMILION = [0, 114, 178], [213, 94, 0]


def first_set(page: Page, colour: list[int] = BLUE) -> list[tuple[float, float]]:
    """Of both panels: how many pixels have the colour, and where their middle is."""
    return [tuple(page.locator(".dpot-plot").nth(place).evaluate(_BLUE, colour)) for place in (0, 1)]


@pytest.mark.nightly
def test_the_mass_moves_in_both_panels_and_stops_under_a_finger(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=1000&sinkhorn_epsilon=5")
    page.emulate_media(reduced_motion="no-preference")
    before = first_set(page)
    assert all(count > 500 for count, _ in before)
    page.get_by_role("button", name="Move the mass").first.click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(2)
    page.wait_for_timeout(2500)
    # On their way particles take the colour of the other set.
    assert all(count < 0.1 * was for (count, _), (was, _) in zip(first_set(page), before, strict=True))
    page.locator(".dpot-plot").nth(1).click(position={"x": 200, "y": 200})
    expect(page.get_by_role("button", name="Move the mass")).to_have_count(2)
    picture = "plot => plot.querySelector('canvas').toDataURL()"
    stopped = [page.locator(".dpot-plot").nth(place).evaluate(picture) for place in (0, 1)]
    page.wait_for_timeout(500)
    assert stopped == [page.locator(".dpot-plot").nth(place).evaluate(picture) for place in (0, 1)]
    # What stands still somewhere on its way follows epsilon there.
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowLeft")
    driver.wait_idle(page)
    exact, private = (page.locator(".dpot-plot").nth(place).evaluate(picture) for place in (0, 1))
    assert exact == stopped[0] and private != stopped[1]


@pytest.mark.nightly
def test_where_little_motion_is_wanted_the_mass_is_there_at_once_and_back(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=1000&sinkhorn_along=Histograms+first")
    assert any(title.startswith("Plan by Histograms first: ") for title in titles(page))
    before = first_set(page)
    page.get_by_role("button", name="Move the mass").last.click()
    assert all(count == 0 for count, _ in first_set(page))
    page.get_by_role("button", name="Move it back").first.click()
    assert first_set(page) == before


@pytest.mark.nightly
def test_the_views_and_the_point_that_walks(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=500&sinkhorn_cells=4")
    for view in ("Potentials", "Convergence"):
        page.get_by_role("tab", name=view).click()
        driver.wait_idle(page)
    page.get_by_role("tab", name="What the paper's theorem assumes").click()
    expect(page.get_by_text("The points stand still.")).to_be_visible()
    driver.wait_idle(page)
    driver.ready(page)
    page.get_by_role("slider", name=re.compile("Where one point moves to")).press("Home")
    # With the next frame, before Python has been asked.
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("() => document.querySelector('.dpot-title').textContent").startswith("One point moves to 0:")
    driver.wait_idle(page)
    assert any("moves to 0:" in title for title in titles(page))


@pytest.mark.nightly
def test_the_cost_chart_shows_errors_and_costs(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=100&sinkhorn_cells=3&sinkhorn_rounds=1&sinkhorn_view=Cost+alone")
    expect(page.locator(".dpot-plot:has(svg)")).to_have_count(1)
    driver.wait_idle(page)
    expect(page.locator(".legend-entry").get_by_text("Direct Laplace")).to_be_visible()
    page.get_by_text("Released cost", exact=True).click()
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot").get_by_text("released cost")).to_be_visible()


@pytest.mark.nightly
def test_the_paper_is_marked_as_not_proven_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(
        "/sinkhorn?sinkhorn_n=500&sinkhorn_cells=4&sinkhorn_guarantee=Paper%2C+not+proven", driver.NARROW, "dark"
    )
    expect(page.get_by_text("what the paper claims")).to_be_visible()
    page.get_by_text("Budget: who pays for what").click()
    expect(page.get_by_text("noise / sensitivity")).to_be_visible()
    assert driver.overflow(page) <= 0
