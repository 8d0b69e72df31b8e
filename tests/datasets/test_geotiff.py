"""Grids of people as GeoTIFF: the same cells from every way of writing them, against pyproj."""

from __future__ import annotations

import io

import numpy as np
import pyproj
import pytest
from PIL import Image

from dpot_core.datasets import city_grid, geotiff
from dpot_core.datasets.outlines import box_outline
from dpot_core.datasets.population_csv import read_population_csv
from dpot_core.datasets.zones import read_zones_geojson
from tests.datasets import brought

_WORLD = box_outline(-180.0, -90.0, 180.0, 90.0)
#: Grids that are not in degrees: their system and their north-west corner, and the side of a cell.
_PROJECTED = {
    "metres.tif": ("EPSG:3857", 1_280_000.0, 6_140_000.0, 1000.0),
    "ghsl.tif": ("ESRI:54009", 900_000.0, 5_700_000.0, 1000.0),
}


def refused(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_population_csv(data, _WORLD)


@pytest.mark.parametrize("name", brought.GRIDS)
def test_the_same_people_from_every_grid(name: str) -> None:
    system, west, north, side = _PROJECTED.get(name, ("EPSG:4326", 11.5, 48.2, 0.1))
    turn = pyproj.Transformer.from_crs(system, "EPSG:4326", always_xy=True)
    expected = sorted(
        (*turn.transform(west + (column + 0.5) * side, north - (row + 0.5) * side), number)
        for column, row, number in brought.PEOPLE
    )
    found = read_population_csv(brought.made(name), _WORLD)
    np.testing.assert_allclose(sorted(zip(found.lon, found.lat, found.weights[0], strict=True)), expected, atol=1e-9)
    said = " ".join(found.notes)
    assert ("Turned from " in said) == (name in _PROJECTED)
    assert ("names no coordinate reference system" in said) == (name == "no system.tif")


def test_a_grid_is_no_map_of_zones() -> None:
    with pytest.raises(ValueError, match="a TIFF picture"):
        read_zones_geojson(brought.made("worldpop.tif"), city_grid((11.3, 48.0, 11.9, 48.3), 5))


def test_a_grid_of_something_else_than_people_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def grid(**more: object) -> bytes:
        return brought.geotiff(((2048, 4326),), 11.5, 48.2, 0.1, **more)

    def saved(mode: str) -> bytes:
        Image.new(mode, (4, 3)).save(out := io.BytesIO(), "TIFF")
        return out.getvalue()

    for data, words in (
        (saved("RGB"), "holds colours; it must have one band"),
        (saved("L"), "holds colours; it must have one band of 16 or more bits"),
        (saved("F"), "does not say where its cells lie"),
        (brought.geotiff(((2048, 4326),), 11.5, 48.2, -0.1), "does not say where its cells lie"),
        (brought.geotiff(((3072, 32767),), 0.0, 0.0, 1.0, citation="Mine"), "without an EPSG code"),
        (brought.geotiff(((1024, 1), (2048, 4326)), 0.0, 0.0, 1.0), "without an EPSG code"),
        (brought.geotiff((), 1e6, 1e6, 1000.0), "does not say in which coordinates"),
        (grid(missing=-5.0).replace(b"-5\0", b"no\0"), "says 'no' for cells without a value; that must be a number"),
        (grid()[:150], "is damaged, or not one band of numbers"),
    ):
        refused(data, words)
    kept = grid(kind="float32", missing=-5.0).replace(b"-5\0", b"-6\0")
    assert "Cells with a number below 0 were left out: 9." in read_population_csv(kept, _WORLD).notes
    monkeypatch.setattr(geotiff, "MAX_GRID_CELLS", 11)
    refused(grid(), "more than 11 cells; bring a part of it")
    monkeypatch.setattr(geotiff, "MAX_GRID_CELLS", 12)
    monkeypatch.setattr(geotiff, "MAX_ROWS", 2)
    refused(grid(), "3 cells with people; at most 2 are accepted")
