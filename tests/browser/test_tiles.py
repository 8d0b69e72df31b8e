"""A street map under the cells: a tile server on loopback that works, or does not; none is asked by default."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.setting import declared
from dpot_app.views.geolocation.settings import Config
from tests.browser import driver
from tests.browser.test_what_people_bring import OWN_DATA, check_ins, give

ATTRIBUTION = "© The <b>test</b> tiles"
GREEN = (0, 160, 0)
# Without a GPU every pixel of a street map is work: a window half as wide, its sidebar still beside it.
SMALL = (800, 900)
EXPANDER = "On a street map (asks a tile server)"
FAILED = "The tile server does not answer with pictures: "
REMAIN = "The cells stand as they are"
MAP = ".dpot-figure:has(> .dpot-tiles) canvas"
#: What is painted: tiles that the server let the page read do not taint it.
PAINTED = "map => map.toDataURL()"
WHOLE = ".dpot-figure:has(> .dpot-tiles) .dpot-plot[aria-busy=false]"


def png() -> bytes:
    kept = io.BytesIO()
    Image.new("RGB", (256, 256), GREEN).save(kept, "PNG")
    return kept.getvalue()


class TileServer:
    """Answers below /good with pictures, /lost with 404, /page with HTML, /private without CORS, /never not at all."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.done = threading.Event()
        picture, outer = png(), self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                kind = self.path.split("/")[1]
                if kind == "never":
                    outer.done.wait(60)
                    return
                body = b"<h1>Log in</h1>" if kind == "page" else picture
                self.send_response(404 if kind == "lost" else 200)
                self.send_header("Content-Type", "text/html" if kind == "page" else "image/png")
                if kind != "private":
                    self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, kind: str) -> str:
        return f"http://127.0.0.1:{self.port}/{kind}/{{z}}/{{x}}/{{y}}.png"

    def close(self) -> None:
        self.done.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def tiles() -> Iterator[TileServer]:
    server = TileServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def opened(pages: Any, app_url: str, tiles: TileServer) -> Iterator[Page]:
    """The page with check-ins of one's own, the expander open, for all tests of this file; a server has 8 seconds."""
    with pages.keep() as page:
        driver.show_as(page, SMALL, "light")
        page.goto(app_url + OWN_DATA)
        driver.wait_idle(page)
        give(page, 0, "mine.csv", check_ins(("a", "b", "c")))
        expect(page.locator(".dpot-plot")).to_have_count(6)
        page.get_by_text(EXPANDER).click()
        driver.wait_idle(page)
        assert page.evaluate("() => window.dpotStage.patience.tiles") == 8000
        yield page


@pytest.fixture
def city(opened: Page, pages: Any, tiles: TileServer) -> Iterator[Page]:
    """That page, with no tiles and its first ε; what the tile server does wrong is no problem of it."""
    page, watch = opened, pages.watch
    tiles.asked.clear()
    yield page
    problems = [problem for problem in watch.look_at_pages() if f"127.0.0.1:{tiles.port}" not in problem]
    watch.problems.clear()
    page.unroute_all()
    driver.show_as(page, SMALL, "light")
    shown = page.get_by_label("Show", exact=True)
    if shown.count() and shown.is_checked():
        page.get_by_text("Show", exact=True).click()
        expect(page.locator(".dpot-tiles")).to_have_count(0)
    to_first_epsilon(page)
    assert not problems, "\n".join(problems)


def to_first_epsilon(page: Page) -> None:
    thumb = page.locator(".st-key-geo_epsilon input[type=range]")
    away = int(thumb.input_value()) - EPSILONS.index(2.0)
    for _ in range(abs(away)):
        thumb.press("ArrowLeft" if away > 0 else "ArrowRight")
    driver.wait_idle(page)


def fill(page: Page, name: str, text: str) -> None:
    field = page.get_by_role("textbox", name=name)
    field.fill(text)
    field.press("Enter")
    driver.wait_idle(page)


def show(page: Page, address: str, attribution: str = ATTRIBUTION) -> None:
    fill(page, "Tile address", address)
    fill(page, "Who made the map", attribution)
    page.get_by_text("Show", exact=True).click()


def in_a_hurry(page: Page) -> None:
    """A server has a second and a half to answer."""
    page.evaluate("() => { window.dpotStage.patience.tiles = 1500; }")


def colours(page: Page) -> np.ndarray:
    """The pixels of the map's middle half on the screen, (h, w, 3)."""
    map_ = page.locator(MAP)
    map_.evaluate("map => map.scrollIntoView({block: 'center'})")
    driver.wait_idle(page)
    pixels = np.asarray(Image.open(io.BytesIO(map_.screenshot())).convert("RGB"), dtype=float)
    h, w, _ = pixels.shape
    return pixels[h // 4 : 3 * h // 4, w // 4 : 3 * w // 4]


@pytest.mark.nightly
def test_no_server_is_asked_until_the_reader_wants_it_and_what_comes_lies_under_the_cells(
    city: Page, tiles: TileServer
) -> None:
    """A map is what costs: what is said of one that works is looked at on one, also on a phone."""
    expect(city.get_by_text(re.compile("It never learns the data"))).to_be_visible()
    fill(city, "Tile address", tiles.address("good"))
    fill(city, "Who made the map", ATTRIBUTION)
    assert tiles.asked == [] and city.locator(MAP).count() == 0
    city.get_by_text("Show", exact=True).click()
    expect(city.locator(".dpot-tiles")).to_have_text(f"Map: {ATTRIBUTION}")
    pixels = colours(city)
    assert len(tiles.asked) > 2 and all(re.fullmatch(r"/good/\d+/\d+/\d+\.png", path) for path in tiles.asked)
    # Half cells, half green tiles: dark violet alone has hardly any green.
    assert pixels[..., 1].mean() > 60
    assert len(np.unique(pixels.reshape(-1, 3).round(-1), axis=0)) > 1, "cells of several colours"
    _a_rectangle_is_looked_at_with_tiles_of_its_level_and_a_double_click_shows_all(city, tiles)
    driver.show_as(city, driver.NARROW, "dark")
    driver.wait_idle(city)
    _fits_a_phone_where_a_wheel_over_it_scrolls_the_page(city, tiles)
    driver.show_as(city, SMALL, "light")
    # Off again: the map goes, and no server is asked for more.
    city.get_by_text("Show", exact=True).click()
    expect(city.locator(MAP)).to_have_count(0)
    driver.wait_idle(city)
    before = len(tiles.asked)
    city.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(city)
    assert len(tiles.asked) == before
    assert "tile" not in city.url


def levels(tiles: TileServer) -> set[int]:
    return {int(path.split("/")[2]) for path in tiles.asked}


def _a_rectangle_is_looked_at_with_tiles_of_its_level_and_a_double_click_shows_all(
    city: Page, tiles: TileServer
) -> None:
    expect(city.locator(WHOLE)).to_be_visible()
    (level,), box, whole = levels(tiles), city.locator(MAP).bounding_box(), city.locator(MAP).evaluate(PAINTED)
    assert box is not None
    city.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    city.mouse.down()
    city.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"])
    expect(city.locator(".dpot-part")).to_be_visible()
    city.mouse.up()
    expect(city.locator(".dpot-part")).to_have_count(0)
    city.wait_for_function("([map, whole]) => document.querySelector(map).toDataURL() !== whole", arg=[MAP, whole])
    expect(city.locator(WHOLE)).to_be_visible()
    # A tenth as wide: two to the power of 3.3.
    assert max(levels(tiles)) in (level + 3, level + 4)
    city.mouse.dblclick(box["x"] + 10, box["y"] + 10)
    city.wait_for_function("([map, whole]) => document.querySelector(map).toDataURL() === whole", arg=[MAP, whole])
    for name in ("Closer", "Farther"):
        city.get_by_role("button", name=name).press("Enter")
    city.wait_for_function("([map, whole]) => document.querySelector(map).toDataURL() === whole", arg=[MAP, whole])


def _fits_a_phone_where_a_wheel_over_it_scrolls_the_page(city: Page, tiles: TileServer) -> None:
    expect(city.locator(".dpot-tiles")).to_have_text(f"Map: {ATTRIBUTION}")
    colours(city)
    assert driver.overflow(city) <= 0
    box = city.locator(MAP).bounding_box()
    assert box is not None and 250 < box["height"] < 500
    city.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = len(tiles.asked)
    city.mouse.wheel(0, -200)
    city.wait_for_function(
        "([map, y]) => document.querySelector(map).getBoundingClientRect().y > y", arg=[MAP, box["y"]]
    )
    assert len(tiles.asked) == before, "it is no zoom"


#: What a server does instead of sending pictures, and what is said of it.
FAULTS = {
    "lost": "it answered 404",
    "page": "it sent text/html and no picture",
    "private": "it cannot be reached, or does not let",
    "never": "nothing came within 1.5 seconds",
}


@pytest.mark.nightly
def test_a_server_without_pictures_is_named_and_the_cells_stay_and_one_that_falls_silent_holds_up_nothing(
    city: Page, tiles: TileServer
) -> None:
    driver.ready(city)
    in_a_hurry(city)
    notes = city.locator(".dpot-tiles")
    for place, (kind, why) in enumerate(FAULTS.items()):
        tiles.asked.clear()
        if place:
            fill(city, "Tile address", tiles.address(kind))
        else:
            show(city, tiles.address(kind))
        expect(notes).to_contain_text(FAILED + why)
        expect(notes).to_contain_text(REMAIN)
        assert len(tiles.asked) == 1, f"{kind}: it is asked once"
        pixels = colours(city)
        assert (pixels.min(axis=2) < 200).mean() > 0.1, f"{kind}: no cells on the white ground"
        # Everything else goes on.
        city.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
        driver.wait_idle(city)
        expect(city.locator(".dpot-title").last).to_contain_text(f"ε = {EPSILONS[EPSILONS.index(2.0) + place + 1]:g}")
        expect(notes).to_contain_text(FAILED + why)
    # Another server takes its place.
    fill(city, "Tile address", tiles.address("good"))
    expect(notes).to_have_text(f"Map: {ATTRIBUTION}")
    _one_that_falls_silent_holds_up_nothing(city)


def _one_that_falls_silent_holds_up_nothing(city: Page) -> None:
    driver.wait_idle(city)
    to_first_epsilon(city)
    city.route(re.compile(r"/good/"), lambda route: None)
    city.get_by_role("button", name="Closer").click(click_count=2)
    for epsilon in ("2.5", "3"):
        city.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
        expect(city.locator(".dpot-title").last).to_contain_text(f"ε = {epsilon}")
    # Not the title alone: the cells are those of the last value as well.
    before = city.locator(MAP).evaluate(PAINTED)
    city.get_by_role("slider", name="Privacy parameter ε").press("Home")
    city.wait_for_function("([map, whole]) => document.querySelector(map).toDataURL() !== whole", arg=[MAP, before])


@pytest.mark.nightly
def test_an_address_that_is_none_is_named_and_no_server_is_asked_and_a_fine_grid_lies_over_the_tiles_too(
    city: Page, tiles: TileServer
) -> None:
    choose_cells(city, 48)
    show(city, "not an address")
    expect(city.get_by_text(re.compile("a sign that no address has"))).to_be_visible()
    fill(city, "Tile address", "http://tiles.example/{z}/{x}/{y}.png")
    expect(city.get_by_text(re.compile("must begin with https"))).to_be_visible()
    fill(city, "Tile address", tiles.address("good"))
    _cells_of_a_fine_grid_lie_over_the_tiles(city)
    fill(city, "Who made the map", " ")
    expect(city.get_by_text(re.compile("Say who made the map"))).to_be_visible()
    assert all(path.startswith("/good/") for path in tiles.asked)
    city.get_by_text("Show", exact=True).click()
    choose_cells(city, 6)


def _cells_of_a_fine_grid_lie_over_the_tiles(city: Page) -> None:
    expect(city.locator(".dpot-tiles")).to_have_text(f"Map: {ATTRIBUTION}")
    pixels = colours(city)
    assert pixels[..., 1].mean() > 60 and (pixels.max(axis=2) < 250).mean() > 0.9, "cells over green tiles"
    assert len(np.unique(pixels.reshape(-1, 3).round(-1), axis=0)) > 1, "cells of several colours"
    # The slider changes them, and the tiles stay under them.
    before = city.locator(MAP).evaluate(PAINTED)
    city.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(city)
    expect(city.locator(".dpot-tiles")).to_have_text(f"Map: {ATTRIBUTION}")
    assert city.locator(MAP).evaluate(PAINTED) != before and colours(city)[..., 1].mean() > 60


def choose_cells(page: Page, n: int) -> None:
    """Move the slider of the grid, whose thumb knows the number of its stop."""
    driver.unfold(page)
    thumb, stops = page.locator(".st-key-geo_n input[type=range]"), declared(Config)["place.n"].grid
    assert stops is not None
    away = stops.index(n) - int(thumb.input_value())
    for _ in range(abs(away)):
        thumb.press("ArrowRight" if away > 0 else "ArrowLeft")
    driver.wait_idle(page)


@pytest.mark.nightly
def test_an_invented_city_has_no_street_map(city: Page, app_url: str, tiles: TileServer) -> None:
    city.goto(f"{app_url}/geolocation?geo_n=6")
    driver.wait_idle(city)
    city.get_by_text(EXPANDER).click()
    expect(city.get_by_text(re.compile("This city is invented"))).to_be_visible()
    expect(city.get_by_role("textbox", name="Tile address")).to_have_count(0)
    assert tiles.asked == []
