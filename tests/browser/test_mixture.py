"""The mixture page as people use it: sliders, tabs, modes of their own, slow work, a phone."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpot_core.studies.mixture.line.results import run_line
from dpot_core.studies.mixture.published import published_modes
from dpot_core.studies.mixture.settings import Config
from tests.browser import driver
from tests.browser.conftest import OpenPage


def headline(page: Page) -> str:
    """What the first picture says."""
    return page.get_by_test_id("stMarkdown").filter(has_text="At ε = ").first.inner_text()


def test_a_slider_changes_picture_promise_and_address(open_page: OpenPage) -> None:
    page = open_page("/mixture")
    assert headline(page).startswith("At ε = 1 KPM costs this input a KL of 0.0318")
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert headline(page).startswith("At ε = 1.2 ")
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 1.2")
    assert "mix_epsilon=1.2" in page.url


def test_the_line_draws_curves_band_bars_and_columns(open_page: OpenPage) -> None:
    chart = open_page("/mixture").locator(".js-plotly-plot").first
    expect(chart.locator(".scatterlayer .trace")).to_have_count(5)
    expect(chart.locator(".barlayer .point path")).to_have_count(64)
    expect(chart.locator(".shapelayer path")).to_have_count(2)


def test_tabs_draw_the_plane_and_the_sphere(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_plane_cells=12")
    page.get_by_role("tab", name="Plane").click()
    driver.wait_idle(page)
    maps = page.locator(".js-plotly-plot")
    expect(maps.first.locator(".heatmaplayer image")).to_have_count(4)
    expect(page.get_by_text("KPM moves 8.51 % of the mass")).to_be_visible()
    # Squares stay squares.
    box = maps.first.locator(".heatmaplayer image").first.bounding_box()
    assert box is not None and box["width"] == pytest.approx(box["height"], rel=0.03)
    page.get_by_role("tab", name="Sphere").click()
    driver.wait_idle(page)
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


def test_slow_work_counts_and_can_be_abandoned(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_source=Random&mix_many=1000&mix_many_seed=77")
    page.get_by_role("tab", name="Worst of many").click()
    page.get_by_role("button", name="Abandon").click(timeout=30_000)
    driver.wait_idle(page)
    expect(page.get_by_text(re.compile(r"Abandoned: \d+ of 1,000 done\."))).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert headline(page).startswith("At ε = 1 ")


def test_what_is_taken_away_holds_the_numbers_drawn(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/mixture?mix_modes=Fig.+4+of+the+paper&mix_paper=3&mix_mechanisms=KPM")
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="line-densities.csv", exact=True).click()
    download.value.save_as(tmp_path / "numbers.csv")
    with (tmp_path / "numbers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = run_line(Config(published_modes()[2], mechanisms=("kpm",)))
    assert [float(row["kpm (not private)"]) for row in rows] == pytest.approx(list(found.densities["kpm"]), abs=1e-12)


def test_on_a_phone_every_view_fits(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_plane_cells=12", size=driver.NARROW, theme="dark")
    driver.every_tab_fits(page, ["Line", "Plane", "Sphere"])
