"""Cells and tiles of a street map, pixel by pixel, on an empty page: a tile's colour says which one it is."""

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from dpot_app.cities.tiles import Tiles
from dpot_app.figures.street_map import on_mercator, street_map
from dpot_app.figures.style import new_figure, title_apart
from dpot_app.figures.traces import heat
from dpot_core.datasets.city_grid import CityGrid, city_grid
from tests.browser.renderer import Spec, plain, show

SIDE = 6


@pytest.fixture(scope="module")
def grid() -> CityGrid:
    """Cells around a town at the edge of its UTM zone, where they are turned most."""
    return city_grid((11.3, 47.2, 11.5, 47.35), SIDE)


@pytest.fixture
def streets(canvas: Page) -> Iterator[Page]:
    yield canvas
    canvas.evaluate("() => window.piece?.destroy()")
    canvas.unroute_all()


def pixels(page: Page) -> np.ndarray:
    """The canvas, (h, w, 4)."""
    data = page.evaluate(
        """() => {
            const canvas = document.querySelector("#a canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return [canvas.height, canvas.width, Array.from(data)];
        }"""
    )
    return np.array(data[2], dtype=np.uint8).reshape(data[0], data[1], 4)


def test_see_through_cells_with_corners_have_no_lines_between_them_and_say_what_they_are(canvas: Page) -> None:
    """Two colours, and nothing where no cell is; the mouse is told the cell that it is in."""
    x, y = np.meshgrid(np.arange(4.0), np.arange(4.0))
    x, y = x + 0.2 * y, y - 0.1 * x
    table = np.indices((3, 3)).sum(axis=0) % 2
    cells = heat(x, y, table, hover="%{customdata}", customdata=np.arange(9).reshape(3, 3), opacity=0.5)
    look: dict[str, Any] = {"visible": False, "range": [-1, 4]}
    colours = {"coloraxis": {"cmin": 0, "cmax": 1, "colorscale": "Viridis", "showscale": False}}
    margin = {"t": 0, "l": 0, "r": 0, "b": 0, "pad": 0}
    figure = new_figure("", 500, [cells | {"coloraxis": "coloraxis"}], xaxis=look, yaxis=look, margin=margin, **colours)
    show(canvas, plain(figure), width=500)
    found = pixels(canvas)
    seen = Counter(map(tuple, found.reshape(-1, 4).tolist()))
    assert len(seen) == 3, "one between two others would be a line"
    clear = seen.pop((0, 0, 0, 0))
    # Nine cells of area 1 + 0.02, of 25 units.
    assert clear / 500**2 == pytest.approx(1 - 9 * 1.02 / 25, abs=0.002)
    box = canvas.locator("#a canvas").bounding_box()
    assert box is not None
    for cell, (row, column) in enumerate(np.ndindex(3, 3)):
        east, north = (corner[row : row + 2, column : column + 2].mean() for corner in (x, y))
        canvas.mouse.move(box["x"] + 100 * (east + 1), box["y"] + 500 - 100 * (north + 1))
        expect(canvas.locator(".dpot-hover")).to_have_text(str(cell))


_MOUNT = """async spec => {
    const [{ Picture }, { Stage }] = await Promise.all([import("/pieces.js"), import("/stage.js")]);
    document.getElementById("a").style.width = "600px";
    window.piece = new Picture(new Stage(), document.getElementById("a"));
    piece.update({name: "one", families: {}, at: {}, screen: {title: "Streets", spec, alt: ""}});
}"""


def shade(zoom: int, x: int, y: int) -> tuple[int, int, int]:
    return (37 * x % 256, 53 * y % 256, 11 * zoom)


def served(page: Page, asked: list[tuple[int, int, int]]) -> None:
    """Tiles of one colour each."""

    def answer(route: Route) -> None:
        zoom, x, y = map(int, route.request.url.removesuffix(".png").split("/")[-3:])
        asked.append((zoom, x, y))
        kept = io.BytesIO()
        Image.new("RGB", (256, 256), shade(zoom, x, y)).save(kept, "PNG")
        route.fulfill(body=kept.getvalue(), content_type="image/png")

    page.route("**/tiles/**", answer)


def spec_of(grid: CityGrid, address: str) -> Spec:
    """A street map whose cells have no values, so that its tiles are seen as they are."""
    _, spec = title_apart(plain(street_map(grid, np.full(SIDE**2, np.nan), "", 0.5, Tiles(address, "A mapmaker"))))
    return spec


def test_every_tile_lies_where_it_is_on_the_earth(streets: Page, grid: CityGrid) -> None:
    """Against the rule by which tiles are numbered, at the places of cells."""
    asked: list[tuple[int, int, int]] = []
    served(streets, asked)
    streets.evaluate(_MOUNT, spec_of(grid, "/tiles/{z}/{x}/{y}.png"))
    expect(streets.locator(".dpot-tiles")).to_have_text("Map: A mapmaker")
    expect(streets.locator("#a [aria-busy=false]")).to_be_visible()
    ranges = np.array(streets.evaluate("() => piece.drawn.ranges()"))
    found, (zoom,) = pixels(streets), {zoom for zoom, _, _ in asked}
    assert len(asked) == len(set(asked)) > 4
    # 256 pixels are drawn as 181 to 362.
    across = 600 / (ranges[0, 1] - ranges[0, 0]) * 360 / 2**zoom
    assert 181 <= across <= 362
    height = round(600 * (ranges[1, 1] - ranges[1, 0]) / (ranges[0, 1] - ranges[0, 0]))
    tiles = set()
    for (lon, lat), (x, y) in zip(grid.centres_lonlat, on_mercator(grid, grid.space.points), strict=True):
        # The number of a tile, as OpenStreetMap defines it.
        turn = np.radians(lat)
        number = np.array([(lon + 180) / 360, (1 - np.log(np.tan(turn) + 1 / np.cos(turn)) / np.pi) / 2]) * 2**zoom
        if (np.abs(number - np.rint(number)) < 0.01).any():
            continue  # two pixels from an edge
        column, row = map(int, number)
        tiles.add((column, row))
        place = (np.array([x, y]) - ranges[:, 0]) / (ranges[:, 1] - ranges[:, 0])
        pixel = found[int((1 - place[1]) * height), int(place[0] * 600)]
        assert tuple(pixel) == (*shade(zoom, column, row), 255)
    assert len(tiles) > 3
    streets.evaluate("() => piece.destroy()")
    expect(streets.locator(".dpot-tiles, .dpot-over")).to_have_count(0)


def test_a_server_is_asked_once_until_a_picture_has_come(streets: Page, grid: CityGrid, pages: Any) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404)

    streets.route("**/tiles/**", refuse)
    streets.evaluate(_MOUNT, spec_of(grid, "/tiles/{z}/{x}/{y}.png"))
    expect(streets.locator(".dpot-tiles.dpot-failed")).to_contain_text("does not answer with pictures: it answered 404")
    streets.get_by_role("button", name="Closer").click()
    assert len(asked) == 1
    pages.watch.problems[:] = [problem for problem in pages.watch.problems if "/tiles/" not in problem]
