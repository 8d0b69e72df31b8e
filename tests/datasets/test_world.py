"""Cities of the world: found by name, on a map with land, with invented people who live on it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
import shapely

from dpot_core.datasets.simulated_world import simulated_people
from dpot_core.datasets.world import cities_in, city_of, find_cities, land_in, world_cities

DATA = Path(__file__).resolve().parents[2] / "data"
SIX = ("Munich, DE", "Lagos, NG", "Osaka, JP", "Lima, PE", "Sydney, AU", "Vancouver, CA")


@pytest.fixture(scope="module")
def build():
    spec = importlib.util.spec_from_file_location("build_world", DATA / "build_world.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.nightly
def test_the_cities_are_rebuilt_byte_for_byte(build) -> None:
    assert (DATA / "world_cities.csv").read_bytes() == build.cities().encode("utf-8")


@pytest.mark.parametrize("made", ["land", "countries"])
def test_outlines_are_rebuilt_number_by_number(build, made: str) -> None:
    atlas = os.environ.get("DPOT_WORLD_ATLAS")
    if not atlas:
        pytest.skip("the variable DPOT_WORLD_ATLAS names no folder of the npm package world-atlas (see data/README.md)")
    with np.load(DATA / f"world_{made}.npz") as kept:
        for name, array in getattr(build, made)(Path(atlas)).items():
            np.testing.assert_array_equal(kept[name], array)


def test_labels_differ_and_the_largest_come_first() -> None:
    cities = world_cities()
    assert len({city.label for city in cities}) == len(cities) > 12_000
    people = [city.population for city in cities]
    assert people == sorted(people, reverse=True) and people[-1] >= 50_000


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("Munich", "Munich, DE"),
        ("  mUNICH ", "Munich, DE"),
        ("sao paulo", "São Paulo, BR"),
        ("Springfield", "Springfield, US"),
        ("Vienna, AT", "Vienna, AT"),
        ("york", "York, GB"),
    ],
)
def test_a_city_is_found_by_its_name(typed: str, label: str) -> None:
    found = find_cities(typed)
    assert label in [city.label for city in found]
    assert city_of(typed) == found[0] and city_of(label).label == label


def test_a_city_that_there_is_not_is_said() -> None:
    assert find_cities("") == find_cities("xyzzy") == ()
    with pytest.raises(ValueError, match=r"no city 'xyzzy' among 12,\d+ cities"):
        city_of("xyzzy")


@pytest.mark.parametrize("label", SIX)
def test_people_live_on_land_and_on_the_map(label: str) -> None:
    city = city_of(label)
    west, south, east, north = city.box
    assert west < city.lon < east and south < city.lat < north
    people = simulated_people(city, 200)
    assert people.simulated and people.n_users == 200 and people.title == f"Simulated people in {label}"
    assert people.totals.min() >= 10
    land = land_in(city.box)
    # What is not drawn on land within sixty tries lies in the middle of a town, which may be at a quay.
    middles = {(round(town.lon, 3), round(town.lat, 3)) for town in cities_in(city.box)}
    off = ~shapely.contains_xy(land, people.lon, people.lat)
    assert {(round(x, 3), round(y, 3)) for x, y in zip(people.lon[off], people.lat[off], strict=True)} <= middles
    assert simulated_people(city, 200) == people and simulated_people(city, 200, seed=2) != people


@pytest.mark.parametrize(("label", "least", "most"), [("Munich, DE", 1.0, 1.0), ("Sydney, AU", 0.4, 0.8)])
def test_land_and_sea(label: str, least: float, most: float) -> None:
    box = city_of(label).box
    assert least - 1e-9 <= land_in(box).area / shapely.box(*box).area <= most + 1e-9
    # Half a degree into the open Pacific there is none.
    assert land_in((-140.5, 0.0, -140.0, 0.5)).is_empty
