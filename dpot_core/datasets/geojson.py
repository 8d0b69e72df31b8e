"""Polygons out of the bytes of a GeoJSON file, or of another map file, with an error for everything else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import shapely

from dpot_core.arguments import Array
from dpot_core.datasets.formats import map_kind
from dpot_core.datasets.uploads import check_size, decode, plain_text

#: More zones, or more vertices in all, are refused.
MAX_ZONES = 2000
MAX_VERTICES = 1_000_000
#: More rings are refused, in one zone and in all: rings inside rings take the square of their number.
MAX_RINGS_OF_ZONE = 3000
MAX_RINGS = 20_000

# What a file within these limits cannot hold more of: refused before Python makes objects of them.
_MOST = {"[": 1_200_000, "{": 200_000, ",": 4_000_000}

# What Python says of numbers that it does not read.
_LONG_NUMBER = "integer string conversion"

_NAME_KEYS = ("name", "label", "title", "id", "code", "geoid")
_NO_AREA = ("Point", "MultiPoint", "LineString", "MultiLineString")
_DEGREES = "GeoJSON must be in WGS 84 degrees, longitude (-180..180) first, latitude (-90..90) second"
# Kinds of map files that GDAL turns into GeoJSON, by what `formats` calls them.
_MAPS = {"geopackage": "geopackage", "shapefile": "shapefile", "kml": "kml", "parquet": "geoparquet"}
_WGS84 = ("CRS84", "EPSG::4326", "EPSG:4326")


@dataclass(frozen=True)
class Feature:
    """A MultiPolygon (lon, lat), its name as written in the file, and where it stands there."""

    shape: Any
    name: str
    where: str


def polygonal_features(data: bytes) -> tuple[list[Feature], list[str]]:
    """The features of a map file, all polygons or multipolygons, and notes on what was turned or left out.

    GeoJSON in degrees is read here: of a shape that is none (coordinates in quotation marks, an unknown type, brackets
    too many) GDAL makes an empty one without a word, and a zone would be missing. What GDAL reads (GeoPackage,
    Shapefile in an archive, KML, GeoParquet, GeoJSON in lines or in another coordinate system) becomes such first.

    Raises:
        ValueError: names the feature and what is wrong with it.
    """
    document, notes = _document(data)
    raw = _raw_features(document)
    if not raw:
        raise ValueError("the GeoJSON file has no features")
    if len(raw) > MAX_ZONES:
        raise ValueError(f"the GeoJSON file has {len(raw):,} features; at most {MAX_ZONES:,} are accepted")
    naming = _naming(raw, notes)
    others: Counter[str] = Counter()
    kept: list[tuple[str, str, list[Any]]] = []
    for i, item in enumerate(raw):
        where = f"feature {i + 1}"
        if not isinstance(item, dict):
            raise ValueError(f"{where} is not an object")
        geometry = item.get("geometry")
        if geometry is None:
            notes.append(f"{where.capitalize()} has no geometry and was left out.")
            continue
        kind = geometry.get("type") if isinstance(geometry, dict) else None
        if kind in _NO_AREA:
            others[str(kind)] += 1
            continue
        lines = others.total()
        areas = list(_areas(geometry, others)) if kind == "GeometryCollection" else [geometry]
        if parts := [part for area in areas for part in _parts(area, where)]:
            kept.append((where, _name(item, naming), parts))
        elif others.total() == lines:
            notes.append(f"{where.capitalize()} is empty and was left out.")
    if others:
        kinds = ", ".join(f"{times:,} {kind}" for kind, times in others.items())
        if not kept:
            raise ValueError(f"zones must be polygons; the GeoJSON file has none ({kinds})")
        notes.append(f"Shapes without an area were left out: {kinds}.")
    if not kept:
        raise ValueError("no feature of the GeoJSON file has a geometry")
    vertices = sum(len(ring) for _, _, parts in kept for part in parts for ring in part)
    if vertices > MAX_VERTICES:
        raise ValueError(f"the GeoJSON file has {vertices:,} vertices; at most {MAX_VERTICES:,} are accepted")
    rings = 0
    for where, _, parts in kept:
        rings += (own := sum(map(len, parts)))
        if own > MAX_RINGS_OF_ZONE:
            raise ValueError(f"{where} has {own:,} parts and holes; at most {MAX_RINGS_OF_ZONE:,} are accepted")
    if rings > MAX_RINGS:
        raise ValueError(f"the zones have {rings:,} parts and holes in all; at most {MAX_RINGS:,} are accepted")
    zones = [(where, name, [[_ring(ring, where) for ring in part] for part in parts]) for where, name, parts in kept]
    _turned(zones, notes)
    return [Feature(_shape(parts), name, where) for where, name, parts in zones], notes


def _document(data: bytes) -> tuple[dict[str, Any], list[str]]:
    check_size(data, "map file")
    kind, content = map_kind(data)
    if kind in _MAPS:
        from dpot_core.datasets import map_files

        text, notes = map_files.areas(content, _MAPS[kind])
        return _parsed(text.encode()), notes
    document = _parsed(content)
    crs = document.get("crs")
    if crs is None or any(code in json.dumps(crs) for code in _WGS84):
        return document, []
    from dpot_core.datasets import map_files

    text, notes = map_files.areas(content, "json")
    if not notes:  # it is turned from no system that GDAL knows
        raise ValueError(f"GeoJSON must be in WGS 84 degrees (RFC 7946); the file declares {json.dumps(crs)[:120]}")
    return _parsed(text.encode()), notes


def _parsed(data: bytes) -> dict[str, Any]:
    text, encoding = decode(data, "GeoJSON file")
    if encoding == "Windows-1252":
        raise ValueError("the GeoJSON file is not UTF-8, which the format requires")
    for sign, most in _MOST.items():
        if (there := text.count(sign)) > most:
            raise ValueError(
                f"the GeoJSON file holds {there:,} times {sign!r}; at most {most:,} are accepted: simplify it first"
            )
    # One feature a line, with or without the sign that RFC 8142 puts before each.
    lines = [line.strip("\x1e\r") for line in text.strip().split("\n")]
    if len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines[:2]):
        text = f'{{"type": "FeatureCollection", "features": [{",".join(filter(str.strip, lines))}]}}'
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("the GeoJSON file is nested too deeply") from error
    except json.JSONDecodeError as error:
        reason = f"{error.msg}, line {error.lineno}, column {error.colno}"
        raise ValueError(f"the GeoJSON file is not valid JSON: {reason}") from error
    except ValueError as error:
        if _LONG_NUMBER not in str(error):
            raise
        raise ValueError("the GeoJSON file holds a number of thousands of digits") from error
    if not isinstance(document, dict):
        raise ValueError(f"GeoJSON must be an object; got a {type(document).__name__}")
    return document


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"the GeoJSON file holds {name}, which is not a JSON number")


def _raw_features(document: dict[str, Any]) -> list[Any]:
    kind = document.get("type")
    if kind == "FeatureCollection":
        features = document.get("features")
        if not isinstance(features, list):
            raise ValueError("the FeatureCollection has no list of features")
        return features
    if kind == "Feature":
        return [document]
    if kind == "GeometryCollection" and isinstance(document.get("geometries"), list):
        return [{"geometry": geometry} for geometry in document["geometries"]]
    if isinstance(kind, str) and ("coordinates" in document or "geometries" in document):
        return [{"geometry": document, "properties": {}}]
    raise ValueError(f"GeoJSON must be a FeatureCollection, a Feature or a geometry; its type is {str(kind)[:40]!r}")


def _naming(raw: list[Any], notes: list[str]) -> str:
    """The property that names features which no usual one names: the first whose texts all differ; "" for none."""
    items = [item for item in raw if isinstance(item, dict)]
    if any(_name(item) for item in items):
        return ""
    properties = [own for item in items if isinstance(own := item.get("properties"), dict)]
    if len(properties) < len(items) or len(items) < 2:
        return ""
    texts = [
        key
        for key in properties[0]
        if all(isinstance(own.get(key), str) and own[key].strip() for own in properties)
        and len({own[key] for own in properties}) == len(properties)
    ]
    if not texts:
        return ""
    more = f"; {', '.join(repr(plain_text(key)) for key in texts[1:4])} would do as well" * (len(texts) > 1)
    notes.append(f"Zones are named by property {plain_text(texts[0])!r}{more}.")
    return texts[0]


def _name(item: dict[str, Any], naming: str = "") -> str:
    properties = item.get("properties")
    if naming and isinstance(properties, dict):
        return str(properties[naming])
    known = {str(k).lower(): v for k, v in properties.items()} if isinstance(properties, dict) else {}
    for value in (*(known.get(key) for key in _NAME_KEYS), item.get("id")):
        if isinstance(value, (str, int, float)) and str(value).strip():
            return str(value)
    return ""


def _parts(geometry: Any, where: str) -> list[Any]:
    """The coordinates as a list of polygons (lists of rings), checked to be nested lists."""
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if kind not in ("Polygon", "MultiPolygon"):
        raise ValueError(f"{where} must be a Polygon or MultiPolygon; it is a {str(kind)[:40]}")
    coordinates = geometry.get("coordinates")
    parts = [coordinates] if kind == "Polygon" else coordinates
    nested = isinstance(parts, list) and all(
        isinstance(part, list) and all(isinstance(ring, list) for ring in part) for part in parts
    )
    if not nested:
        raise ValueError(f"{where}: its coordinates are not lists of rings")
    # Without its outer ring a polygon is empty; a hole that is empty is none.
    return [[ring for ring in part if ring] for part in parts if part and part[0]]


def _areas(collection: dict[str, Any], others: Counter[str]) -> Iterator[Any]:
    """The geometries of a collection that have an area, also those of collections in it; the others are counted."""
    left = [collection]
    while left:
        geometry = left.pop()
        kind = geometry.get("type") if isinstance(geometry, dict) else None
        if kind == "GeometryCollection":
            inside = geometry.get("geometries")
            left += reversed(inside) if isinstance(inside, list) else []
        elif kind in _NO_AREA:
            others[str(kind)] += 1
        else:
            yield geometry


def _turned(zones: list[tuple[str, str, list[list[Array]]]], notes: list[str]) -> None:
    """Turn longitudes, in place, so that each zone is in one piece near its city; what is turned is noted.

    Raises:
        ValueError: names the first zone with longitudes from 180 to 360, where others have some below 0.
    """
    rings = [(where, ring) for where, _, parts in zones for part in parts for ring in part]
    beyond = [(where, ring) for where, ring in rings if ring[:, 0].max() > 180.0]
    if beyond and any(ring[:, 0].min() < 0.0 for _, ring in rings):
        where, ring = beyond[0]
        raise ValueError(f"{where}: {_DEGREES}; found {ring[:, 0].max():g}, and longitudes below 0 elsewhere")
    if beyond:
        words = "outlines with longitudes from 180 to 360 were read as degrees west (262.3 as -97.7)."
        notes.append(f"{len(beyond):,} {words}")
    across = []
    for where, _, parts in zones:
        for part in parts:
            low, high = min(ring[:, 0].min() for ring in part), max(ring[:, 0].max() for ring in part)
            if low >= 180.0 and beyond:
                for ring in part:
                    ring[:, 0] = np.round(ring[:, 0] - 360.0, 9)
            elif high - low > 180.0 and not beyond:
                # A zone is smaller than half the world: this one lies on both sides of the 180th meridian.
                across.append(where)
                for ring in part:
                    ring[:, 0] = np.where(ring[:, 0] < 0.0, ring[:, 0] + 360.0, ring[:, 0])
    if across:
        some = ", ".join(dict.fromkeys(across[:5]))
        notes.append(f"Read as lying on both sides of the 180th meridian: {some}{' and more' * (len(across) > 5)}.")


def _shape(parts: list[list[Array]]) -> Any:
    polygons = []
    for part in parts:
        rings: list[Any] = [shapely.linearrings(ring) for ring in part]
        polygons.append(shapely.polygons(rings[0], rings[1:] or None))
    return shapely.multipolygons(polygons)


def _ring(ring: list[Any], where: str) -> Array:
    """Longitude and latitude of a ring's vertices, shape (m, 2); an altitude is dropped."""
    try:
        vertices = np.array([position[:2] for position in ring])
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"{where}: its vertices must be pairs of numbers") from error
    if vertices.dtype.kind not in "iuf" or vertices.ndim != 2 or vertices.shape[1] != 2:
        raise ValueError(f"{where}: its vertices must be pairs of numbers")
    lonlat = vertices.astype(np.float64)
    good = (lonlat >= (-180.0, -90.0)) & (lonlat <= (360.0, 90.0))
    if not good.all():
        lon, lat = lonlat[int(np.argmin(good.all(axis=1)))]
        raise ValueError(f"{where}: {_DEGREES}; found {lon:g}, {lat:g}")
    # Longer rings that collapse are found when their outline is repaired.
    if len(lonlat) <= 4 and len(np.unique(lonlat, axis=0)) < 3:
        raise ValueError(f"{where}: a ring needs three different vertices or more; one has {len(lonlat)}")
    return lonlat
