"""The private transport page as people use it: sliders, views, a point that walks, slow work given up."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.locator(".dpot-title").all_inner_texts()


def test_the_private_plan_follows_epsilon_and_the_exact_one_does_not(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn")
    expect(page.locator(".dpot-plot:has(svg)")).to_have_count(5)
    before = titles(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    after = titles(page)
    assert [t for t in after if t.startswith("Exact")] == [t for t in before if t.startswith("Exact")]
    assert [t for t in after if t.startswith("Noisy Sinkhorn")] != [t for t in before if t.startswith("Noisy Sinkhorn")]
    box = page.locator(".dpot-plot").nth(2).bounding_box()
    for share in np.linspace(0.3, 0.9, 30):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.35 * box["height"])
        if "% of the mass" in "".join(page.locator(".dpot-hover:visible").all_inner_texts()):
            return
    raise AssertionError("no arrow says how much of the mass it moves")


def test_the_views_and_the_point_that_walks(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=500&sinkhorn_cells=4")
    for view in ("Potentials", "Convergence"):
        page.get_by_role("tab", name=view).click()
        driver.wait_idle(page)
    page.get_by_role("tab", name="What the paper's theorem assumes").click()
    expect(page.get_by_text("The points stand still.")).to_be_visible()
    driver.wait_idle(page)
    page.wait_for_function("() => window.dpotStage.complete()")
    page.get_by_role("slider", name=re.compile("Where one point moves to")).press("Home")
    # With the next frame, before Python has been asked.
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("() => document.querySelector('.dpot-title').textContent").startswith("One point moves to 0:")
    driver.wait_idle(page)
    assert any("moves to 0:" in title for title in titles(page))


def test_the_cost_chart_shows_errors_and_costs(open_page: OpenPage) -> None:
    page = open_page("/sinkhorn?sinkhorn_n=100&sinkhorn_cells=3&sinkhorn_rounds=1&sinkhorn_view=Cost+alone")
    expect(page.locator(".dpot-plot:has(svg)")).to_have_count(1, timeout=60_000)
    driver.wait_idle(page)
    expect(page.locator(".legend-entry").get_by_text("Direct Laplace")).to_be_visible()
    page.get_by_text("Released cost", exact=True).click()
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot").get_by_text("released cost")).to_be_visible()


def test_the_paper_is_marked_as_not_proven_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(
        "/sinkhorn?sinkhorn_n=500&sinkhorn_cells=4&sinkhorn_guarantee=Paper%2C+not+proven", driver.NARROW, "dark"
    )
    expect(page.get_by_text("what the paper claims")).to_be_visible()
    page.get_by_text("Budget: who pays for what").click()
    expect(page.get_by_text("noise / sensitivity")).to_be_visible()
    assert driver.overflow(page) <= 0
