"""The geolocation page as people use it: people, crowds, slow work given up, files of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from dpot_core.cities.city import make_city
from dpot_core.cities.place import Place
from dpot_core.datasets import simulated_city
from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.studies.geolocation.examples import zones_geojson

NASTY = "<img src=x onerror=alert(1)>"


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.get_by_test_id("stMarkdown").locator("strong").all_inner_texts()


def test_a_shared_link_works_on_a_server_that_nobody_has_used_yet(browser: Browser) -> None:
    with driver.running_app() as address:
        page, watch = driver.new_page(browser)
        page.goto(f"{address}/geolocation?geo_n=6&geo_epsilon=1")
        driver.wait_idle(page)
        expect(page.get_by_test_id("stTopNavLink")).not_to_have_count(0)
        expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
        assert titles(page)[1].startswith("At ε = 1 WPM moves this person's distribution by")
        problems = watch.look_at_pages()
        page.context.close()
    assert not problems


def test_sliders_and_people_change_the_maps(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10")
    person, moved = titles(page)[:2]
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    assert titles(page)[0] == person and titles(page)[1] != moved
    page.get_by_test_id("stNumberInputStepUp").click()
    driver.wait_idle(page)
    assert titles(page)[0] != person
    assert "geo_person=2" in page.url
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    assert page.locator(".js-plotly-plot .hm image").count() == 6


def test_the_crowd_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_view=The+crowd", size=driver.NARROW, theme="dark")
    assert "nearest" in titles(page)[2]
    maps = page.locator(".js-plotly-plot").nth(1).locator(".hm image")
    boxes = [box for box in (image.bounding_box() for image in maps.all()) if box is not None]
    assert len(boxes) == 4 and min(box["width"] for box in boxes) > 120
    assert max(box["x"] + box["width"] for box in boxes) < 390


def test_slow_work_counts_and_can_be_abandoned_and_taken_up_again(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=24&geo_least=40&geo_lambda=exact")
    page.get_by_role("tab", name="The crowd").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"\d+ of \d+ done"), timeout=30_000)
    page.get_by_role("button", name="Abandon").click()
    expect(page.get_by_text(re.compile("Abandoned: "))).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    expect(page.get_by_text(re.compile("Abandoned: "))).to_have_count(0, timeout=30_000)
    page.get_by_role("tab", name="One person").click()
    driver.wait_idle(page)
    assert titles(page)[1].startswith("At ε = 2.5 ")


def test_files_of_ones_own_are_read_and_their_names_are_no_markup(open_page: OpenPage) -> None:
    data = simulated_city(15)
    rows = zip(data.user, data.lat, data.lon, strict=True)
    table = "\n".join(["user,lat,lon", *(f"{NASTY} {user},{lat},{lon}" for user, lat, lon in rows)])
    zones = zones_geojson(make_city(data, Place(n=6)), (NASTY, "<b>East</b>", "North"))
    page = open_page("/geolocation?geo_n=6&geo_least=1&geo_data=My+CSV+file&geo_outputs=My+zones")
    files = page.locator("input[type=file]")
    files.nth(0).set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode()})
    expect(page.get_by_text("Columns of the file")).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    files.nth(1).set_input_files({"name": "zones.geojson", "mimeType": "application/json", "buffer": zones})
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=30_000)
    driver.wait_idle(page)
    assert titles(page)[0].startswith(NASTY)
    page.locator(".js-plotly-plot").nth(1).locator(".nsewdrag").first.hover()
    expect(page.locator(".hovertext").first).to_be_visible()
    assert page.locator("img[src='x'], image[href='x']").count() == 0
    page.get_by_text("Data, distances, settings").click()
    expect(page.get_by_text("Zones: 3 from zones.geojson")).to_be_visible()
