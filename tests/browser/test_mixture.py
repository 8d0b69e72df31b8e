"""The mixture page as people use it: sliders, tabs, modes of their own, slow work, a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage


def headline(page: Page) -> str:
    """What the first picture says."""
    return page.get_by_test_id("stMarkdown").filter(has_text="At ε = ").first.inner_text()


def test_the_line_draws_curves_band_bars_and_columns_and_follows_a_slider(open_page: OpenPage) -> None:
    page = open_page("/mixture")
    chart = page.locator(".js-plotly-plot").first
    expect(chart.locator(".scatterlayer .trace")).to_have_count(5)
    expect(chart.locator(".barlayer .point path")).to_have_count(64)
    expect(chart.locator(".shapelayer path")).to_have_count(2)
    assert headline(page).startswith("At ε = 1 KPM costs this input a KL of 0.0318")
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert headline(page).startswith("At ε = 1.2 ")
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 1.2")
    assert "mix_epsilon=1.2" in page.url


def test_tabs_draw_the_plane_and_the_sphere_and_fit_a_phone(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_plane_cells=12", size=driver.NARROW, theme="dark")
    page.get_by_role("tab", name="Plane").click()
    driver.wait_idle(page)
    maps = page.locator(".js-plotly-plot")
    expect(maps.first.locator(".heatmaplayer image")).to_have_count(4)
    expect(page.get_by_text("KPM moves 8.51 % of the mass")).to_be_visible()
    # Squares stay squares.
    box = maps.first.locator(".heatmaplayer image").first.bounding_box()
    assert box is not None and box["width"] == pytest.approx(box["height"], rel=0.03)
    assert driver.overflow(page) <= 0
    page.get_by_role("tab", name="Sphere").click()
    driver.wait_idle(page)
    assert driver.overflow(page) <= 0
    expect(page.get_by_text("300 releases for one input, p = 1")).to_be_visible()
    expect(page.locator(".js-plotly-plot canvas").first).to_be_attached()
    assert "mix_view=Sphere" in page.url


def test_modes_can_be_typed_into_the_table(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_modes=My+own&mix_own=0:0.5;0.5:0.5")
    before = headline(page)
    # The column of means; the left one picks rows.
    driver.type_into_table(page, row=0, across=0.35, text="-0.9")
    driver.wait_idle(page)
    assert headline(page) != before
    page.get_by_role("button", name="Paste modes").click()
    expect(page.get_by_role("textbox", name="Modes: one per line")).to_have_value("-0.9, 0.5\n0.5, 0.5")


def test_a_mean_outside_is_named_and_one_click_helps(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_modes=One+mode&mix_mean=1.4")
    expect(page.get_by_test_id("stAlert")).to_contain_text("would hold it")
    page.get_by_role("button", name="Enlarge the family to radius 1.5").click()
    driver.wait_idle(page)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    assert headline(page).startswith("At ε = 1 KPM")
    assert "mix_radius=1.5" in page.url
