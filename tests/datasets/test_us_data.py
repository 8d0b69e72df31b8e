"""The embedded places and outlines: rebuilt from their packages, and what they say."""

import csv
import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
import shapely

from dpot_core.datasets import POPULATIONS, load_places, us_outline
from dpot_core.datasets.outlines import county_lines

DATA = Path(__file__).resolve().parents[2] / "data"
ATLAS = "DPOT_US_ATLAS"


@pytest.fixture(scope="module")
def build():
    spec = importlib.util.spec_from_file_location("build_us", DATA / "build_us.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.nightly
def test_the_places_are_rebuilt_byte_for_byte(build):
    assert (DATA / "us_places.csv").read_bytes() == build.places().encode("utf-8")


@pytest.mark.parametrize(("name", "make"), [("us_states.geojson", "outlines"), ("us_counties.json", "counties")])
def test_the_lines_are_rebuilt_byte_for_byte(build, name, make):
    atlas = os.environ.get(ATLAS)
    if not atlas:
        pytest.skip(f"the variable {ATLAS} names no folder of the npm package us-atlas (see data/README.md)")
    assert (DATA / name).read_bytes() == getattr(build, make)(Path(atlas)).encode("utf-8")


@pytest.mark.slow
def test_a_part_that_is_no_place_is_said(build, tmp_path, monkeypatch):
    (tmp_path / "us_parts.csv").write_text("geonameid,name,state,reason\n5110302,Brooklin,NY,inside New York City\n")
    monkeypatch.setattr(build, "DATA", tmp_path)
    with pytest.raises(ValueError, match="Brooklin"):
        build.places()


def test_every_part_that_is_left_out_has_a_reason():
    with open(DATA / "us_parts.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {row["name"] for row in rows}
    assert names >= {"Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island", "South Boston", "Hollywood"}
    assert {row["reason"].split(" ")[0] for row in rows} == {"inside", "GeoNames", "part", "entered"}
    assert len({row["geonameid"] for row in rows}) == len(rows)
    boroughs = {f"{name}, NY" for name in ("Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island")}
    assert not boroughs & set(load_places().names)


def test_places_are_those_of_the_contiguous_states():
    places = load_places()
    assert (len(places), places.group_names) == (2998, ("Northeast", "Midwest", "South", "West"))
    assert places.names[0] == "New York City, NY"
    assert 170e6 < places.totals.sum() < 200e6
    assert load_places("everybody").totals.tolist() == [places.totals.sum()]
    assert {name[-2:] for name in places.names} == {area["postal"] for area in places.outline.labels}
    assert not places.simulated
    assert "CC BY 4.0" in places.licence
    with pytest.raises(ValueError, match="groups must be one of everybody, regions; got 'race'"):
        load_places("race")


def test_places_lie_in_their_state():
    places, outline = load_places(), us_outline()
    shapes = {}
    for label, (_, rings) in zip(outline.labels, outline.areas, strict=True):
        shapes[label["postal"]] = shapely.union_all([shapely.Polygon(ring) for ring in rings])
    far = [
        name
        for name, point in zip(places.names, places.points, strict=True)
        if shapely.distance(shapes[name[-2:]], shapely.Point(point)) > 0.03
    ]
    assert far == []


def test_neighbours_share_their_border():
    outline = us_outline()
    assert len(outline.areas) == 49
    total = sum(shapely.Polygon(ring).area for _, rings in outline.areas for ring in rings)
    assert outline.region.area == pytest.approx(total, abs=1e-9)
    # No gap between states; the one hole that is left would be one.
    assert sum(len(part.interiors) for part in outline.region.geoms) == 0
    assert (DATA / "us_states.geojson").stat().st_size < 300_000


@pytest.mark.slow
def test_county_lines_are_those_of_the_box_and_lie_within_states():
    assert (DATA / "us_counties.json").stat().st_size < 500_000
    austin = (-97.95, 30.10, -97.55, 30.52)
    lines = county_lines(austin)
    points = np.vstack(lines)
    assert all(len(line) > 1 for line in lines) and len(points) > 5
    assert (points >= np.array(austin[:2]) - 1e-9).all() and (points <= np.array(austin[2:]) + 1e-9).all()
    # Round Rock and Cedar Park are in Williamson County; Austin, its airport and Pflugerville are in Travis County.
    found, (austin, airport, pflugerville, round_rock, cedar_park) = (
        shapely.MultiLineString(lines),
        [(-97.743, 30.267), (-97.67, 30.195), (-97.62, 30.439), (-97.679, 30.508), (-97.82, 30.505)],
    )
    for start, end, apart in [
        (austin, pflugerville, False),
        (austin, airport, False),
        (round_rock, cedar_park, False),
        (pflugerville, round_rock, True),
        (austin, cedar_park, True),
    ]:
        assert shapely.intersects(found, shapely.LineString([start, end])) == apart
    # Of all lines hardly any is outside a state, or runs along a border between two.
    everywhere = np.vstack(county_lines((-125.0, 24.0, -66.0, 50.0)))
    assert 31_000 < len(everywhere) < 32_000
    assert us_outline().contains(everywhere).mean() > 0.99
    assert county_lines((2.2, 48.8, 2.5, 48.95)) == ()
    with pytest.raises(ValueError, match="west < east"):
        county_lines((1.0, 0.0, 0.0, 1.0))


def test_the_outline_knows_in_from_out():
    outline = us_outline()
    assert outline.contains([[-98.0, 39.0], [-74.0, 40.8], [-150.0, 62.0], [-157.8, 21.3], [-97.0, 27.0]]).tolist() == [
        *(True, True),
        *(False, False, False),
    ]


def test_every_place_and_the_regions_of_the_census():
    assert POPULATIONS["places"].load() == load_places()
    # Four places by hand.
    where = dict(zip(load_places().names, np.argmax(load_places().weights, axis=0), strict=True))
    regions = {name: load_places().group_names[where[name]] for name in ("Boston, MA", "Chicago, IL", "Washington, DC")}
    assert regions == {"Boston, MA": "Northeast", "Chicago, IL": "Midwest", "Washington, DC": "South"}
