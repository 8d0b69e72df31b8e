"""Files as people have them: what is not used or not there is said by count, and costs neither the file nor a guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpot_core import datasets
from dpot_core.datasets import box_outline, us_outline
from dpot_core.datasets.city_grid import city_grid
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import read_ratings_csv, sniff_ratings
from dpot_core.datasets.weights_csv import read_weights

US = us_outline()
GRID = city_grid((-98.0, 30.1, -97.5, 30.5), 10)

Reader = Callable[[bytes], Any]

#: By page: what sniffs, what reads, a header, and rows that fit it.
READERS: dict[str, tuple[Reader, Reader, str, list[str]]] = {
    "population": (sniff_population, lambda data: read_population_csv(data, US), "lon,lat", ["-98,39", "-97,40"]),
    "check-ins": (
        datasets.sniff_columns,
        datasets.read_checkins_csv,
        "user,lat,lon",
        ["a,30.1,-97.5", "b,30.2,-97.6"],
    ),
    "ratings": (sniff_ratings, read_ratings_csv, "user,film,rating", ["a,1,4", "b,1,3"]),
    "pairs": (datasets.sniff_pair, datasets.read_pair_csv, "group,x,y", ["a,1,2", "b,3,4"]),
}


def table(header: str, rows: list[str]) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


@pytest.mark.parametrize("page", READERS)
@pytest.mark.parametrize("name", ["pop_density", "2020", "Z"])
def test_numbers_that_are_not_used_are_said(page: str, name: str) -> None:
    sniff, read, header, rows = READERS[page]
    data = table(f"{header},{name},note", [f"{row},{1000 + at},x" for at, row in enumerate(rows)])
    assert sniff(data).unused == (name,)
    (note,) = [note for note in read(data).notes if "Not used" in note]
    assert repr(name) in note and "note'" not in note
    assert not sniff(table(header, rows)).unused
    assert not any("Not used" in note for note in read(table(header, rows)).notes)


@pytest.mark.parametrize("page", READERS)
@pytest.mark.parametrize(
    "cells", [("'1,200'", "'900'"), ("12 345", "7"), ("20", "D"), ("20", "*"), ("10%", "3%"), ("-", "3")]
)
def test_numbers_written_in_another_way_or_suppressed_in_part_are_said(page: str, cells: tuple[str, str]) -> None:
    sniff, read, header, rows = READERS[page]
    quoted = [cell.replace("'", '"') for cell in cells]
    data = table(f"{header},Z", [f"{row},{cell}" for row, cell in zip(rows, quoted, strict=True)])
    assert sniff(data).unused == ("Z",)
    assert any("Not used" in note and "'Z'" in note for note in read(data).notes)


@pytest.mark.parametrize("cell", ['"1,005,000"', "12 345", "10%", "D", "*", "#N/A"])
def test_people_are_never_rows_where_one_number_of_them_cannot_be_read(cell: str) -> None:
    rows = [f"{-98 + at / 10},39,20000" for at in range(9)]
    with pytest.raises(ValueError, match="row 11, column 'pop_2020': weight must be a number"):
        read_population_csv(table("lon,lat,pop_2020", [*rows, f"-97,40,{cell}"]), US)


@pytest.mark.parametrize("cells", [('"1,000"', '"2,000"'), ("1 000", "2"), ('"1,500"', "2")])
def test_no_weight_becomes_two(cells: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"row 2: .* is no weight; write a decimal point"):
        read_weights(table("bin,count", [f"{name},{cell}" for name, cell in zip("ab", cells, strict=True)]))


def test_two_sets_of_degrees_are_read_as_degrees() -> None:
    pair = datasets.read_pair_csv(table("group,lon,lat", ["a,11,48", "a,0,0", "b,11.1,48.1"]))
    assert len(pair.first) == 1 and pair.extent == pytest.approx((0.1, 0.1))
    assert any("0, latitude 0" in note for note in pair.notes)
    fiji = ["a,179.9,-16", "a,-179.9,-16.1", "b,179.95,-16.2"]
    pair = datasets.read_pair_csv(table("group,lon,lat", fiji))
    assert pair.extent == pytest.approx((0.2, 0.2)) and any("180th meridian" in note for note in pair.notes)
    # Coordinates of one's own are none.
    assert len(datasets.read_pair_csv(table("group,x,y", ["a,11,48", "a,0,0", "b,11.1,48.1"])).first) == 2


def test_a_film_that_stands_twice_is_said() -> None:
    ratings, films = b"user,film,rating\na,1,4\na,2,3\nb,1,3\nb,2,5\n", b"film,title\n1,One\n2,Two\n2,Other\n"
    notes = read_ratings_csv(ratings, films=films).notes
    assert any(note.startswith("1 row of the film file names a film that another row names") for note in notes)


def test_people_who_are_not_counted_are_said() -> None:
    data = b"name,lat,lng,Z\nT0,39,-98,1000000\nT1,40,-97,100\n"
    people = read_population_csv(data, US)
    assert people.totals.tolist() == [2]
    assert people.notes == ("Not used, though there are numbers in it: column 'Z'. Every row counts as one person.",)
    people = read_population_csv(data, US, {"lat": "lat", "lon": "lng", "weight": "Z"})
    assert (people.totals.tolist(), people.notes) == ([1_000_100], ())


@pytest.mark.parametrize(
    "name", ["pop_2020", "TotalPop", "POP100", "TOT_P_2018", "Population 2020", "population (people)"]
)
def test_people_are_counted_where_one_column_can_only_be_their_number(name: str) -> None:
    data = f"name,lat,lng,{name}\nT0,39,-98,1000000\nT1,40,-97,100\n".encode()
    read = (f"Column {name!r} was read as the number of people of each row.",)
    found = sniff_population(data)
    by_alias = name == "population (people)"
    assert found.guess["weight"] == name and found.likely == (() if by_alias else (name,)) and not found.unused
    for mapping in (None, found.guess):
        people = read_population_csv(data, US, mapping)
        assert (people.totals.tolist(), people.notes) == ([1_000_100], () if by_alias else read)
    # Asked for otherwise, or with another column of numbers, it is not guessed.
    assert read_population_csv(data, US, {"lat": "lat", "lon": "lng"}).totals.tolist() == [2]
    two = f"lat,lng,{name},Z\n39,-98,1000000,1\n40,-97,100,1\n".encode()
    assert by_alias or sniff_population(two).unused == (name, "Z")


@pytest.mark.parametrize("page", READERS)
@pytest.mark.parametrize("missing", ["", " ", "NA", "NaN", "null"])
def test_a_row_without_a_number_is_left_out(page: str, missing: str) -> None:
    _, read, header, rows = READERS[page]
    without = ",".join([*rows[0].split(",")[:-1], missing])
    result = read(table(header, [*rows, without]))
    assert any("1 of 3 rows without a number in column" in note for note in result.notes), result.notes
    with pytest.raises(ValueError, match=r"every row of the .* lacks a number in column"):
        read(table(header, [without]))


def test_no_position_is_no_place() -> None:
    rows = ["A,0,0", "A,0.0,-0", "B,0,0", "B,0,0", "A,48.1,11.5", "B,48.2,11.6", "C,48.3,11.6"]
    checkins = datasets.read_checkins_csv(table("user,lat,lon", rows))
    assert checkins.lat.tolist() == [48.1, 48.2, 48.3]
    assert checkins.notes == ("4 rows at longitude 0, latitude 0, which stands for no position, were left out.",)
    people = read_population_csv(b"lon,lat\n0,0\n-98,39\n", US)
    assert people.totals.tolist() == [1] and "1 row at longitude 0" in people.notes[0]
    with pytest.raises(ValueError, match="every row lies at 0, 0"):
        datasets.read_checkins_csv(b"user,lat,lon\na,0,0\n")
    # On the equator or the first meridian people do live.
    assert len(datasets.read_checkins_csv(b"user,lat,lon\na,0,9.4\na,51.5,0\n")) == 2


def test_longitudes_from_0_to_360() -> None:
    checkins = datasets.read_checkins_csv(b"user,lat,lon\nA,30.2,262.3\nB,30.3,262.2\n")
    assert checkins.lon.tolist() == [-97.7, -97.8] and "262.3 as -97.7" in checkins.notes[0]
    people = read_population_csv(b"lon,lat\n262.3,30.2\n", US)
    assert people.points.tolist() == [[-97.7, 30.2]] and len(people.notes) == 1
    with pytest.raises(ValueError, match=r"row 2, column 'lon'.*got '262.3'"):
        datasets.read_checkins_csv(b"user,lat,lon\nA,30.2,262.3\nB,30.3,-97.8\n")


def test_fractions_of_people_are_rounded_and_keep_their_sum() -> None:
    people = read_population_csv(b"lat,lon,population\n30.2,-97.7,1.5\n29.8,-95.4,3.25\n31,-97,0.25\n", US)
    assert people.totals.tolist() == [5] and (people.weights == np.floor(people.weights)).all()
    assert people.notes == ("Fractions of people were rounded to whole people: 5 in all.",)


def test_degrees_in_a_plane_are_said() -> None:
    said = "In a box longitude and latitude are coordinates of a plane: distances are in degrees."
    wide = box_outline(-1e6, -1e6, 1e6, 1e6)
    assert read_population_csv(b"lon,lat\n-9.1,38.7\n-8.6,41.1\n", wide).notes == (said,)
    assert not read_population_csv(b"x,y\n-9.1,38.7\n-8.6,41.1\n", wide).notes
    assert not read_population_csv(b"lon,lat\n5e5,4.3e5\n4e5,4.2e5\n", wide).notes
    assert not read_population_csv(b"lon,lat\n-97.7,30.2\n-97.8,30.3\n", US).notes


def test_a_city_on_both_sides_of_the_180th_meridian() -> None:
    checkins = datasets.read_checkins_csv(b"user,lat,lon\nA,-16.80,179.95\nB,-16.85,-179.95\nA,-16.82,179.90\n")
    grid = city_grid(checkins, 10)
    assert 15.5 < grid.width < 16.5 and (grid.cells_of(checkins) >= 0).all()
    assert np.ptp(grid.cells[..., 0]) < 0.2, "a cell's corners lie near each other"
    assert 179.8 < grid.box[0] < grid.box[2] < 180.2


def test_a_city_that_is_too_wide_is_told_what_to_do_on_the_page() -> None:
    checkins = datasets.read_checkins_csv(b"user,lat,lon\nA,30,-97\nB,48,11\n")
    with pytest.raises(ValueError, match="choose 50 under “Keep km around the busiest spot”") as refused:
        city_grid(checkins, 10)
    assert "(" not in str(refused.value) and "km=" not in str(refused.value)


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_a_line_break_in_a_heading_is_a_space(break_: str) -> None:
    data = f'user,"lat{break_}(deg)",lon{break_}A,48.1,11.5{break_}B,48.2,11.6{break_}'.encode()
    assert datasets.sniff_columns(data).names == ("user", "lat (deg)", "lon")
    assert datasets.read_checkins_csv(data).lat.tolist() == [48.1, 48.2]


def _feature(kind: str, coordinates: str) -> str:
    return f'{{"type": "Feature", "properties": {{}}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}'


_SQUARE = _feature("Polygon", "[[[-97.8,30.2],[-97.7,30.2],[-97.7,30.3],[-97.8,30.2]]]")


@pytest.mark.parametrize("kind", ["Point", "MultiPoint", "LineString", "MultiLineString"])
def test_a_shape_without_area_is_no_zone(kind: str) -> None:
    other = _feature(kind, "[-97.7, 30.3]")

    def read(*features: str) -> Any:
        data = f'{{"type": "FeatureCollection", "features": [{", ".join(features)}]}}'
        return datasets.read_zones_geojson(data.encode(), GRID)

    zones = read(_SQUARE, other, _SQUARE, other)
    assert len(zones) == 2 and zones.notes[0] == f"Shapes without an area were left out: 2 {kind}."
    with pytest.raises(ValueError, match="zones must be polygons; the GeoJSON file has none"):
        read(other)


@pytest.mark.parametrize(
    "empty",
    [
        _feature("Polygon", "[]"),
        _feature("Polygon", "[[]]"),
        _feature("MultiPolygon", "[]"),
        '{"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": []}}',
    ],
)
def test_a_zone_without_a_place_is_left_out_and_said(empty: str) -> None:
    data = f'{{"type": "FeatureCollection", "features": [{_SQUARE}, {empty}]}}'
    zones = datasets.read_zones_geojson(data.encode(), GRID)
    assert len(zones) == 1 and "Feature 2 is empty and was left out." in zones.notes
