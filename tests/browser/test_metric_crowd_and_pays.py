"""The metric privacy page as people use it: the released crowd, when it pays, a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_metric import titles


@pytest.mark.nightly
def test_the_crowd_with_one_shuffler_and_alone(open_page: OpenPage) -> None:
    page = open_page("/metric?metric_n=6&metric_view=Release+the+crowd")
    assert titles(page)[0].startswith("Shuffled, each report says more")
    expect(page.locator(".dpot-plot")).to_have_count(3)
    strip = page.get_by_role("note", name="Privacy guarantee")
    expect(strip).to_contain_text("one shuffler sees all reports")
    page.get_by_role("radio", name="Everybody alone").click()
    driver.wait_idle(page)
    assert titles(page)[0].startswith("Shuffled, each report says more")  # 300 reports of one person are enough
    assert "metric_shuffler=local" in page.url
    expect(strip).not_to_contain_text("one shuffler")


@pytest.mark.nightly
def test_when_it_pays_and_what_is_taken_away(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/metric?metric_n=6&metric_view=When+does+it+pay%3F&metric_users=1,000&metric_clusters=4")
    first = titles(page)[0]
    assert first.startswith("Privacy by distance") and "no one trusted" in first
    page.get_by_role("radio", name="One party").click()
    expect(page.locator(".dpot-title").first).to_contain_text("one party trusted")
    driver.wait_idle(page)
    page.get_by_text("Take it away: sheet, link, numbers, figures, Python").click()
    text = driver.save(page, "error-over-ratio.csv", tmp_path).read_text(encoding="utf-8-sig")
    assert text.startswith("simulated,alpha/epsilon,k,release,promise") and "whole user" in text
