"""What a spreadsheet, a map program or a phone writes: the same visits and zones come out of every format."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import geopandas
import numpy as np
import openpyxl
import pandas as pd
import pyogrio
import pytest

from dpot_core.datasets import ColumnsError, city_grid, formats, read_checkins_csv, sniff_columns
from dpot_core.datasets.outlines import box_outline
from dpot_core.datasets.point_pairs import read_pair_csv
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import read_ratings_csv, sniff_ratings
from dpot_core.datasets.uploads import UnusableFile
from dpot_core.datasets.weights_csv import read_weights
from dpot_core.datasets.zones import read_zones_geojson
from tests.datasets import brought


@pytest.mark.parametrize("name", brought.MADE)
def test_the_same_visits_from_every_format(name: str) -> None:
    data = brought.made(name)
    header = sniff_columns(data)
    assert header.complete and len(header.first_rows) == 3
    checkins = read_checkins_csv(data)
    people = ("1",) if name in brought.ONE_PERSON else ("ann", "bob")
    assert checkins.labels == people
    found = sorted(zip(checkins.lat, checkins.lon, checkins.count, strict=True))
    np.testing.assert_allclose(found, [(48.137, 11.575, 2.0), (48.2, 11.6125, 1.0)], atol=2e-6)
    assert not checkins.notes or all(note.endswith(".") for note in checkins.notes)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("semicolon and decimal comma.csv", "Decimal commas in column 'lat'"),
        ("windows-1252.csv", "read as Windows-1252"),
        ("second sheet.xlsx", "Read from sheet 'visits' of an Excel workbook; 1 other sheet was left out."),
        ("projected.gpkg", "Turned from ETRS89 / UTM zone 32N into longitude and latitude."),
        ("track.gpx", "A GPX file is one person's"),
        ("Timeline.json", "Visits of places were read (3), positions on the way left out (1)."),
        ("geolife.zip", "Read from trajectories of 2 people, named by their folders."),
    ],
)
def test_choices_and_turns_are_said(name: str, words: str) -> None:
    assert any(words in note for note in read_checkins_csv(brought.made(name)).notes)


@pytest.mark.parametrize("name", brought.ZONES)
def test_the_same_zones_from_every_format(name: str) -> None:
    found = read_zones_geojson(brought.made(name), city_grid((11.3, 48.0, 11.9, 48.3), 5))
    assert found.names == ("West", "East")
    outer = np.vstack([rings[0] for parts in found.polygons for rings in parts])
    np.testing.assert_allclose([*outer.min(axis=0), *outer.max(axis=0)], [11.5, 48.1, 11.7, 48.2], atol=2e-6)


def layered(*layers: tuple[str, geopandas.GeoDataFrame]) -> bytes:
    """A GeoPackage whose first layer is a table without shapes."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "map.gpkg"
        pyogrio.write_dataframe(pd.DataFrame({"a": [1]}), file, layer="about", driver="GPKG")
        for name, frame in layers:
            frame.to_file(file, layer=name, driver="GPKG", engine="pyogrio", mode="a")
        return file.read_bytes()


def test_the_layer_with_what_is_wanted_is_read_whichever_stand_before_it() -> None:
    data = layered(("zones", brought.zones()), ("visits", brought.frame()))
    checkins = read_checkins_csv(data)
    assert checkins.labels == ("ann", "bob")
    assert "Read from layer 'visits' of a GeoPackage; 1 other layer was left out." in checkins.notes
    data = layered(("visits", brought.frame()), ("zones", brought.zones()))
    assert read_zones_geojson(data, city_grid((11.3, 48.0, 11.9, 48.3), 5)).names == ("West", "East")


def test_rows_of_a_sheet_are_numbered_as_the_spreadsheet_does() -> None:
    book = openpyxl.Workbook()
    for row in ([], [], ["user", "lat", "lon"], ["ann", 48.1, 11.5], ["bob", "far", 11.5]):
        book.active.append(row)
    book.save(out := io.BytesIO())
    refused(out.getvalue(), "row 5, column 'lat'")


def test_dates_among_the_attributes_of_zones_are_no_names() -> None:
    dated = brought.zones().assign(since=pd.Timestamp("2024-05-06"), district=None)
    found = read_zones_geojson(brought.written(dated, "gpkg", "GPKG"), city_grid((11.3, 48.0, 11.9, 48.3), 5))
    assert found.names == ("Zone 1", "Zone 2")
    none = brought.written(dated.iloc[:0], "gpkg", "GPKG")
    with pytest.raises(ValueError, match="the GeoPackage has no"):
        read_zones_geojson(none, city_grid((11.3, 48.0, 11.9, 48.3), 5))


def test_zones_are_named_by_texts_that_all_differ_and_the_others_are_said() -> None:
    shapes = json.loads(brought.made("zones.geojson"))
    for number, one in enumerate(shapes["features"]):
        one["properties"] = {"kind": "district", "ort": f"Ort {number}", "plz": f"8000{number}"}
    found = read_zones_geojson(json.dumps(shapes).encode(), city_grid((11.3, 48.0, 11.9, 48.3), 5))
    assert found.names == ("Ort 0", "Ort 1")
    assert "Zones are named by property 'ort'; 'plz' would do as well." in found.notes


def test_decimal_commas_only_where_they_cannot_be_thousands() -> None:
    def people(*cells: str) -> float:
        rows = "\n".join(f"1;2;{cell}" for cell in cells)
        return float(read_population_csv(f"x;y;people\n{rows}".encode(), box_outline(0, 0, 9, 9)).weights.sum())

    assert people("2,5", "1,500") == 4.0
    with pytest.raises(ValueError, match="write a decimal point"):
        people("1,500", "2,250")
    with pytest.raises(ValueError, match="write a decimal point"):
        people("1,500.5", "2,5")
    found = read_checkins_csv(b"user;lat;lon\na;48,137;11,575\n")
    assert (found.lat[0], found.lon[0]) == (48.137, 11.575)


@pytest.mark.parametrize(
    "data",
    [
        b"1::10::4::978300760\n1::11::5::978302109\n2::10::3::978301968\n",
        b"1\t10\t4\t978300760\n1\t11\t5\t978302109\n2\t10\t3\t978301968\n",
        b"10:\n1,4,2005-09-06\n2,3,2005-05-13\n11:\n1,5,2005-10-19\n",
        b"userId,movieId,rating,timestamp\n1,10,4.0,978300760\n1,11,5.0,978302109\n2,10,3.0,978301968\n",
    ],
    ids=["MovieLens 1M", "MovieLens 100K", "Netflix", "MovieLens latest"],
)
def test_ratings_as_their_publishers_write_them(data: bytes) -> None:
    assert sniff_ratings(data).complete
    found = read_ratings_csv(data, b"10::Heat: a film (1995)::Action|Crime\n11::Up::Children's\n")
    rated = {
        (found.users[user], found.films[film]): stars
        for user, film, stars in zip(found.user, found.film, found.stars, strict=True)
    }
    assert rated == {("1", "Heat: a film (1995)"): 4.0, ("1", "Up"): 5.0, ("2", "Heat: a film (1995)"): 3.0}
    assert found.genre_names == ("Action", "Children's", "Crime")


def test_a_first_row_of_numbers_is_no_heading() -> None:
    data = b"5,48.1,11.5\n6,48.2,11.6\n"
    header = sniff_columns(data)
    assert header.unnamed and header.names == ("column 1", "column 2", "column 3")
    assert header.first_rows == (("5", "48.1", "11.5"), ("6", "48.2", "11.6"))
    with pytest.raises(ColumnsError, match="say which column is which"):
        read_checkins_csv(data)
    chosen = {"user": "column 1", "lat": "column 2", "lon": "column 3"}
    found = read_checkins_csv(data, chosen)
    assert found.labels == ("5", "6") and "as they were chosen" in found.notes[0]
    with pytest.raises(ValueError, match=r"row 2, column 'column 2'"):
        read_checkins_csv(b"5,48.1,11.5\n6,far,11.6\n", chosen)


@pytest.mark.parametrize("cell", ["CRS3035RES1000mN2689000E4337000", "1kmN2689E4337"])
def test_cells_of_eurostats_grid_are_positions(cell: str) -> None:
    data = f"GRD_ID,TOT_P\n{cell},120\n".encode()
    assert sniff_population(data).complete
    found = read_population_csv(
        data,
        box_outline(5, 40, 15, 55),
        {"lon": "longitude of the cell", "lat": "latitude of the cell", "weight": "TOT_P"},
    )
    # 16.5 km east and 520.5 km south of 10 E 52 N, where a degree of latitude has 111.2 km.
    by_hand = 10 + 16.5 / (111.3 * np.cos(np.radians(47.32))), 52 - 520.5 / 111.2
    assert found.weights.sum() == 120 and (found.lon[0], found.lat[0]) == pytest.approx(by_hand, abs=3e-3)
    with pytest.raises(ValueError, match="row 3, column 'GRD_ID': 'N1' is no cell of a grid"):
        read_population_csv(f"GRD_ID,TOT_P\n{cell},1\nN1,2\n".encode(), box_outline(5, 40, 15, 55))
    assert [len(row) for row in sniff_population(b"\n".join((data, b"", data[13:]))).first_rows] == [4, 4]
    spaced = f"\nGRD_ID,TOT_P\n{cell},1\n\n"
    assert len(read_population_csv(spaced.encode(), box_outline(5, 40, 15, 55))) == 1
    with pytest.raises(ValueError, match="row 5, column 'GRD_ID': 'N1' is no cell of a grid"):
        read_population_csv(f"{spaced}N1,2\n".encode(), box_outline(5, 40, 15, 55))
    with pytest.raises(ValueError, match="a header but no rows"):
        read_population_csv(b"GRD_ID,TOT_P\n\n", box_outline(5, 40, 15, 55))


@pytest.mark.parametrize(
    "names", ["INTPTLAT,INTPTLONG", "decimalLatitude,decimalLongitude", "location-lat,location-long"]
)
def test_names_of_degrees_that_publishers_use(names: str) -> None:
    """The gazetteers of the US Census, Darwin Core and Movebank."""
    people = read_population_csv(f"{names},pop\n39.1,-94.6,5\n".encode(), box_outline(-100, 30, -90, 45))
    visits = read_checkins_csv(f"user,{names}\na,39.1,-94.6\n".encode())
    pair = read_pair_csv(f"group,{names}\na,39.1,179.9\nb,39.2,-179.9\n".encode())
    assert (people.lat[0], people.lon[0]) == (visits.lat[0], visits.lon[0]) == (39.1, -94.6)
    assert any("180th meridian" in note for note in pair.notes)


def test_other_tables_take_the_formats_too() -> None:
    book = openpyxl.Workbook()
    for row in (["group", "x", "y"], ["a", 0, 1], ["b", 0.5, 2]):
        book.active.append(row)
    book.save(out := io.BytesIO())
    pair = read_pair_csv(out.getvalue())
    assert pair.names == ("a", "b") and pair.extent == (0.5, 1.0)
    book = openpyxl.Workbook()
    for row in (["weight"], [1], [2.5]):
        book.active.append(row)
    book.save(out := io.BytesIO())
    assert read_weights(out.getvalue())[0].split() == ["1", "2.5"]


# --- what is refused, in words ------------------------------------------------------------------------------------


def refused(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        read_checkins_csv(data)
    assert not re.search(r"vsimem|pyogrio|Traceback|<class|object at", str(caught.value)), caught.value


def bomb(size: int) -> bytes:
    return brought.archive({"visits.csv": b"0" * size})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: brought.archive({"a.txt": b"1", "b.txt": b"2"}), r"table or one map alone \(it holds \.txt\)"),
        (lambda: brought.archive({}), "binary"),
        (lambda: brought.made("one sheet.xlsx")[:900], "the archive cannot be unpacked"),
        (lambda: brought.archive({"xl/workbook.xml": b"<workbook/>"}), "the Excel workbook is damaged"),
        (lambda: brought.archive({"one.shp": b"no shapes"}), "the Shapefile cannot be read"),
        (lambda: brought.archive({"one.shp": b"1", "two.shp": b"2"}), "holds 2 Shapefiles; bring one of them"),
        (lambda: brought.made("points.gpkg")[:200], "the GeoPackage cannot be read"),
        (lambda: brought.made("table.parquet")[:60], "Parquet file"),
        (lambda: brought.made("zones.gpkg"), r"no points \(Polygon\)"),
        (lambda: b'{"a": 1}', "JSON without a position|GeoJSON file cannot be read"),
        (lambda: b'{"lat": 48, "lon": 11}\n{"lat": 49, "lon": 12}\n', "GeoJSON file .* damaged, or in another format"),
        (lambda: b'<?xml version="1.0"?><kml></kml>', "the KML file cannot be read"),
        (lambda: b"[]", "this JSON holds no position"),
        (lambda: b'{"type": "FeatureCollection", "features": []}', "no points|cannot be read"),
        (lambda: b"\xd0\xcf\x11\xe0" + bytes(99), r"an old Excel workbook \(\.xls\); save it as \.xlsx or CSV"),
        (lambda: b"II*\0" + bytes(99), "the GeoTIFF cannot be read"),
        (lambda: b"<OGRVRTDataSource><OGRVRTLayer name='x'/></OGRVRTDataSource>", "no column"),
        (lambda: brought.plt([])[:-3] + b"\r\nnothing here\r\n", "no latitude and longitude"),
    ],
)  # fmt: skip
def test_damaged_and_foreign_files_are_refused_in_words(data, words: str) -> None:
    refused(data(), words)


def test_an_archive_that_unpacks_to_too_much_is_refused() -> None:
    data = bomb(300 * 2**20)
    assert len(data) < 2**20
    refused(data, "unpacks to more than 200 MiB")


def test_a_sheet_that_says_it_is_endless_costs_what_it_holds() -> None:
    data = brought.made("one sheet.xlsx")
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                content = re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"', content)
            new.writestr(name, content)
    assert read_checkins_csv(out.getvalue()).labels == ("ann", "bob")


def test_coordinates_without_a_system_must_look_like_degrees() -> None:
    without = brought.frame("EPSG:25832").set_crs(None, allow_override=True)
    refused(brought.written(without, "shp", "ESRI Shapefile"), r"does not say in which coordinates .* with its \.prj")
    degrees = brought.frame().set_crs(None, allow_override=True)
    notes = read_checkins_csv(brought.written(degrees, "shp", "ESRI Shapefile")).notes
    assert "The file names no coordinate reference system; it was read as degrees." in notes


def test_plain_text_is_told_from_what_is_packed() -> None:
    plain = {name for name in brought.MADE if formats.is_plain(brought.made(name))}
    packed = {
        name
        for name in brought.MADE
        if name.rpartition(".")[2] in ("xlsx", "parquet", "geoparquet", "gpkg", "zip", "kmz", "kml", "gpx")
    }
    assert plain == set(brought.MADE) - packed


def test_an_error_of_a_format_is_one_of_the_file() -> None:
    from dpot_app.kit.reading import within_limits

    with pytest.raises(UnusableFile, match="Shapefile cannot be read"):
        within_limits(read_checkins_csv)(brought.archive({"one.shp": b"no shapes"}))
