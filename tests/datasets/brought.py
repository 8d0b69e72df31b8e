"""Files in every format that is read, all with the same three visits: made by libraries, or after their formats."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import geopandas
import numpy as np
import openpyxl
import pandas as pd
import shapely
from PIL import Image, TiffImagePlugin

#: user, lat, lon.
VISITS = (("ann", 48.137, 11.575), ("ann", 48.137, 11.575), ("bob", 48.2, 11.6125))
_COLUMNS = ["user", "lat", "lon"]


def _lines(delimiter: str = ",", *, head: str = "user,lat,lon", comma: bool = False, more: str = "") -> str:
    rows = [delimiter.join([user, str(lat), str(lon)]) + more for user, lat, lon in VISITS]
    rows = [row.replace(".", ",") for row in rows] if comma else rows
    return "\r\n".join([head.replace(",", delimiter), *rows, ""])


def _workbook(*, first: str = "", before: int = 0) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    if first:
        sheet = book.create_sheet(first)
        book.create_sheet("more").append(["other", 1])
    for _ in range(before):
        sheet.append([])
    sheet.append([*_COLUMNS, "when"])
    for row in VISITS:
        sheet.append([*row, datetime(2024, 5, 6, 7, 8)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def frame(crs: str = "EPSG:4326", names: str = "user") -> geopandas.GeoDataFrame:
    at = geopandas.points_from_xy([lon for *_, lon in VISITS], [lat for _, lat, _ in VISITS])
    return geopandas.GeoDataFrame({names: [user for user, *_ in VISITS]}, geometry=at, crs="EPSG:4326").to_crs(crs)


def zones(crs: str = "EPSG:4326") -> geopandas.GeoDataFrame:
    """Two squares side by side."""
    boxes = [shapely.box(11.5, 48.1, 11.6, 48.2), shapely.box(11.6, 48.1, 11.7, 48.2)]
    return geopandas.GeoDataFrame({"district": ["West", "East"]}, geometry=boxes, crs="EPSG:4326").to_crs(crs)


def written(data: geopandas.GeoDataFrame, ending: str, driver: str, **more: object) -> bytes:
    """What GDAL writes; a Shapefile's parts in an archive, in a folder."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing coordinate system, which some files are about
        file = Path(folder) / f"made.{ending}"
        data.to_file(file, driver=driver, engine="pyogrio", **more)
        if ending != "shp":
            return file.read_bytes()
        return archive({f"maps/{part.name}": part.read_bytes() for part in sorted(Path(folder).iterdir())})


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def _parquet() -> bytes:
    return pd.DataFrame(VISITS, columns=_COLUMNS).to_parquet()


def _geoparquet() -> bytes:
    out = io.BytesIO()
    frame("EPSG:25832").to_parquet(out)
    return out.getvalue()


def _kml() -> bytes:
    places = "".join(
        f"<Placemark><ExtendedData><Data name='user'><value>{user}</value></Data></ExtendedData>"
        f"<Point><coordinates>{lon},{lat},0</coordinates></Point></Placemark>"
        for user, lat, lon in VISITS
    )
    return (
        "<?xml version='1.0' encoding='UTF-8'?><kml xmlns='http://www.opengis.net/kml/2.2'><Document>"
        f"<Schema name='s' id='s'><SimpleField name='user' type='string'/></Schema>{places}</Document></kml>"
    ).encode()


def _gpx() -> bytes:
    steps = "".join(
        f"<trkpt lat='{lat}' lon='{lon}'><time>2024-05-06T07:08:09Z</time></trkpt>" for _, lat, lon in VISITS
    )
    return (
        "<?xml version='1.0'?><gpx version='1.1' creator='x' xmlns='http://www.topografix.com/GPX/1/1'>"
        "<wpt lat='1' lon='2'/>"
        f"<trk><trkseg>{steps}</trkseg></trk></gpx>"
    ).encode()


def _takeout(kind: str) -> bytes:
    if kind == "records":
        made: object = {
            "locations": [{"latitudeE7": round(lat * 1e7), "longitudeE7": round(lon * 1e7)} for _, lat, lon in VISITS]
        }
    elif kind == "months":
        made = {
            "timelineObjects": [
                {"placeVisit": {"location": {"latitudeE7": round(lat * 1e7), "longitudeE7": round(lon * 1e7)}}}
                for _, lat, lon in VISITS
            ]
            + [{"activitySegment": {"startLocation": {"latitudeE7": 1, "longitudeE7": 2}}}]
        }
    elif kind == "segments":
        made = {
            "semanticSegments": [
                {"visit": {"topCandidate": {"placeLocation": {"latLng": f"{lat}°, {lon}°"}}}} for _, lat, lon in VISITS
            ]
            + [{"timelinePath": [{"point": "1.0°, 2.0°", "time": "x"}]}]
        }
    else:
        made = [{"visit": {"topCandidate": {"placeLocation": f"geo:{lat},{lon}"}}} for _, lat, lon in VISITS]
    return json.dumps(made, ensure_ascii=False).encode()


def plt(rows: list[tuple[float, float]]) -> bytes:
    head = (
        "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n"
    )
    return (head + "".join(f"{lat},{lon},0,492,39744.1,2008-10-23,02:53:04\r\n" for lat, lon in rows)).encode()


def _geolife() -> bytes:
    return archive(
        {
            "Data/ann/Trajectory/1.plt": plt([(48.137, 11.575)] * 2),
            "Data/bob/Trajectory/1.plt": plt([(48.2, 11.6125)]),
            "__MACOSX/Data/._1.plt": b"junk",
        }
    )


def _collection(crs: dict[str, object] | None = None) -> bytes:
    features = [
        {"type": "Feature", "properties": {"user": user}, "geometry": {"type": "Point", "coordinates": [lon, lat]}}
        for user, lat, lon in VISITS
    ]
    return json.dumps({"type": "FeatureCollection", "features": features, **({"crs": crs} if crs else {})}).encode()


def _geojson_lines() -> bytes:
    return "\n".join(json.dumps(one) for one in json.loads(_collection())["features"]).encode()


#: name -> what makes it. Those of `ONE_PERSON` name no user.
MADE: dict[str, Callable[[], bytes]] = {
    "comma.csv": lambda: _lines().encode(),
    "semicolon.csv": lambda: _lines(";").encode(),
    "semicolon and decimal comma.csv": lambda: _lines(";", comma=True).encode(),
    "tab.tsv": lambda: _lines("\t").encode(),
    "bar.txt": lambda: _lines("|").encode(),
    "sep=;.csv": lambda: ("sep=;\r\n" + _lines(";", comma=True)).encode("utf-8-sig"),
    "utf-16.csv": lambda: _lines().encode("utf-16"),
    "windows-1252.csv": lambda: _lines(head="user,lat,lon,Größe", more=",1 €").encode("cp1252"),
    "times.csv": lambda: _lines(head="user,lat,lon,when", more=",2024-05-06T07:08:09+02:00").encode(),
    "quoted heading.csv": lambda: _lines(head='user,lat,"lon"').encode(),
    "one sheet.xlsx": _workbook,
    "second sheet.xlsx": lambda: _workbook(first="visits"),
    "empty rows before.xlsx": lambda: _workbook(before=3),
    "table.parquet": _parquet,
    "points.geoparquet": _geoparquet,
    "points.geojson": _collection,
    "points.geojsonl": _geojson_lines,
    "points.gpkg": lambda: written(frame(), "gpkg", "GPKG"),
    "projected.gpkg": lambda: written(frame("EPSG:25832"), "gpkg", "GPKG"),
    "web.gpkg": lambda: written(frame("EPSG:3857"), "gpkg", "GPKG"),
    "shapefile.zip": lambda: written(frame("EPSG:31468"), "shp", "ESRI Shapefile"),
    "points.kml": _kml,
    "points.kmz": lambda: archive({"doc.kml": _kml(), "files/icon.png": b"\x89PNG"}),
    "table in an archive.zip": lambda: archive({"export/visits.csv": _lines().encode()}),
    "geolife.zip": _geolife,
    "track.gpx": _gpx,
    "Records.json": lambda: _takeout("records"),
    "2024_MAY.json": lambda: _takeout("months"),
    "Timeline.json": lambda: _takeout("segments"),
    "location-history.json": lambda: _takeout("list"),
    "track.plt": lambda: plt([(lat, lon) for _, lat, lon in VISITS]),
}
ONE_PERSON = ("track.gpx", "Records.json", "2024_MAY.json", "Timeline.json", "location-history.json", "track.plt")

#: Zones, likewise.
ZONES: dict[str, Callable[[], bytes]] = {
    "zones.geojson": lambda: written(zones(), "geojson", "GeoJSON"),
    "projected.geojson": lambda: written(zones("EPSG:25832"), "geojson", "GeoJSON"),
    "zones.geojsonl": lambda: written(zones(), "geojsonl", "GeoJSONSeq"),
    "zones.gpkg": lambda: written(zones("EPSG:25832"), "gpkg", "GPKG"),
    "zones.zip": lambda: written(zones("EPSG:31468"), "shp", "ESRI Shapefile"),
    "zones.kml": lambda: written(zones().rename(columns={"district": "Name"}), "kml", "KML"),
    "zones.parquet": lambda: zones("EPSG:25832").to_parquet(buffer := io.BytesIO()) or buffer.getvalue(),
}


#: Columns and rows of the cells with people, and how many; all other cells have none, or no value.
PEOPLE = ((1, 0, 2.0), (3, 2, 40.0), (0, 2, 5.0))


def geotiff(
    keys: tuple[tuple[int, int], ...],
    west: float,
    north: float,
    side: float,
    *,
    citation: str = "",
    missing: float | None = None,
    kind: str = "float32",
    **written_as: str,
) -> bytes:
    """A grid of 4 x 3 cells with `PEOPLE`, its corner at (west, north); keys are pairs of a number and its value."""
    cells = np.full((3, 4), 0.0 if missing is None else missing, dtype=kind)
    for column, row, number in PEOPLE:
        cells[row, column] = number
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags.tagtype.update({33550: 12, 33922: 12, 34735: 3, 34737: 2, 42113: 2})
    tags[33550], tags[33922] = (side, side, 0.0), (0.0, 0.0, 0.0, west, north, 0.0)
    directory = [value for key, number in keys for value in (key, 0, 1, number)]
    if citation:
        directory += [1026, 34737, len(citation) + 1, 0]
        tags[34737] = f"{citation}|"
    tags[34735] = (1, 1, 0, len(directory) // 4, *directory)
    if missing is not None:
        tags[42113] = f"{missing:.17g}"
    Image.fromarray(cells).save(out := io.BytesIO(), "TIFF", tiffinfo=tags, **written_as)
    return out.getvalue()


#: Grids of people in degrees, or in the coordinates that their keys name.
GRIDS: dict[str, Callable[[], bytes]] = {
    "worldpop.tif": lambda: geotiff(
        ((1024, 2), (1025, 1), (2048, 4326)), 11.5, 48.2, 0.1, missing=-99999.0, compression="tiff_lzw"
    ),
    "whole numbers.tif": lambda: geotiff(((1024, 2), (2048, 4326)), 11.5, 48.2, 0.1, kind="int32"),
    "missing in four bytes.tif": lambda: geotiff(((2048, 4326),), 11.5, 48.2, 0.1, missing=-3.4028234663852886e38),
    "no number.tif": lambda: geotiff(((2048, 4326),), 11.5, 48.2, 0.1, missing=float("nan")),
    "points of the grid.tif": lambda: geotiff(((1024, 2), (1025, 2), (2048, 4326)), 11.55, 48.15, 0.1),
    "no system.tif": lambda: geotiff((), 11.5, 48.2, 0.1, compression="tiff_adobe_deflate"),
    "worldpop.zip": lambda: archive(
        {"grid/people.tif": geotiff(((2048, 4326),), 11.5, 48.2, 0.1), "grid/read me.pdf": b"%PDF"}
    ),
    "metres.tif": lambda: geotiff(((1024, 1), (3072, 3857)), 1_280_000.0, 6_140_000.0, 1000.0),
    "ghsl.tif": lambda: geotiff(
        ((1024, 1), (3072, 32767)), 900_000.0, 5_700_000.0, 1000.0, citation="World_Mollweide", missing=-200.0
    ),
}


@cache
def made(name: str) -> bytes:
    """A file by its name."""
    return {**MADE, **ZONES, **GRIDS}[name]()
