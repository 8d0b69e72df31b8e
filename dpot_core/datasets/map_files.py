"""Map files (GeoPackage, Shapefile, KML, GPX, GeoJSON, GeoParquet, GeoTIFF): points as rows, zones as GeoJSON.

Everything is read from memory, in longitude and latitude of WGS 84 when it is given back.
"""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from collections.abc import Sequence
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pyogrio
import shapely

from dpot_core.datasets import geotiff
from dpot_core.datasets.csv_bounds import MAX_COLUMNS, MAX_ROWS
from dpot_core.datasets.uploads import plain_text
from dpot_core.privacy.numerals import counted

#: What each kind is called.
_NAMES = {
    "geopackage": "GeoPackage",
    "shapefile": "Shapefile",
    "kml": "KML file",
    "gpx": "GPX file",
    "json": "GeoJSON file",
    "geoparquet": "GeoParquet file",
    "geotiff": "GeoTIFF",
}
#: Layers of a GPX file: the first that holds points is read. Waypoints are places that a person marked.
_GPX = ("track_points", "route_points", "waypoints")
_DEGREES = "EPSG:4326"
_POINTS, _AREAS = ("Point", "MultiPoint"), ("Polygon", "MultiPolygon", "GeometryCollection")
# What GDAL calls a file that it is given in memory.
_IN_MEMORY = re.compile(r"'?(?:/vsi\w+/)*pyogrio_\w+(?:\.\w+)?'?")
#: Attributes that would be taken for the coordinates.
_COORDINATES = ("lon", "lat")


def points(data: bytes, kind: str) -> tuple[list[Sequence[Any]], list[str]]:
    """Rows of a map file of points: lon, lat and its attributes, the first row with their names.

    Raises:
        ValueError: if it is damaged, holds no points, or does not say in which coordinates.
    """
    frame, notes = _features(data, kind, points=True)
    where = shapely.get_coordinates(frame.geometry)
    attributes = frame.drop(columns=frame.geometry.name)
    attributes = attributes[[name for name in attributes.columns if str(name).lower() not in _COORDINATES]]
    if kind == "gpx":
        attributes = attributes[[name for name in attributes.columns if name == "name"]]
        attributes.insert(0, "user", "1")
        notes.append("A GPX file is one person's: all points were read as one user's.")
    columns = [attributes[name].astype(object).where(attributes[name].notna(), None) for name in attributes.columns]
    rows: list[Sequence[Any]] = [("lon", "lat", *map(str, attributes.columns))]
    rows += zip(np.round(where[:, 0], 9).tolist(), np.round(where[:, 1], 9).tolist(), *columns, strict=True)
    return rows, notes


def areas(data: bytes, kind: str) -> tuple[str, list[str]]:
    """The text of a GeoJSON file with all features of a map file; those without an area are its reader's concern.

    Raises:
        ValueError: if it is damaged, or does not say in which coordinates.
    """
    frame, notes = _features(data, kind, points=False)
    attributes = frame.drop(columns=frame.geometry.name)
    words = [name for name in attributes.columns if any(isinstance(one, (str, int)) for one in attributes[name])]
    properties = attributes[words].astype(object).where(attributes[words].notna(), None).to_dict("records")
    features = [
        {"type": "Feature", "properties": own, "geometry": json.loads(shape)}
        for own, shape in zip(properties, shapely.to_geojson(frame.geometry.to_numpy()), strict=True)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}, default=str), notes


def _features(data: bytes, kind: str, *, points: bool) -> tuple[geopandas.GeoDataFrame, list[str]]:
    name = _NAMES[kind]
    notes: list[str] = []
    try:
        with warnings.catch_warnings():
            # Of values that are left as they are, and shapes that are left out, which is said where it matters.
            warnings.simplefilter("ignore")
            layers = _layers(data, kind, notes)
            wanted = _POINTS if points else _AREAS
            frames = [(layer, frame) for layer, frame in layers if frame.geom_type.isin(wanted).any()]
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, OSError, shapely.errors.ShapelyError) as e:
        foreign = "not recognized as being in a supported" in str(e)
        reason = "it is damaged, or in another format" if foreign else plain_text(_IN_MEMORY.sub("the file", str(e)))
        raise ValueError(f"the {name} cannot be read: {reason}") from e
    except UnicodeError as e:
        raise ValueError(f"the {name} cannot be read: it holds text that is not UTF-8") from e
    if not frames:
        kinds = sorted({str(one) for _, frame in layers for one in frame.geom_type.dropna()}) or ["no shapes"]
        raise ValueError(f"the {name} has no {'points' if points else 'zones'} ({', '.join(kinds)})")
    frame, others = frames[0][1], len(layers) - 1
    if others:
        left = counted(others, "other layer was", "other layers were")
        notes.append(f"Read from layer {plain_text(frames[0][0])!r} of a {name}; {left} left out.")
    if len(frame.columns) > MAX_COLUMNS:
        raise ValueError(f"the {name} has {len(frame.columns):,} columns; at most {MAX_COLUMNS:,} are accepted")
    frame = frame[frame.geometry.notna() & ~frame.geometry.is_empty]
    if points:
        frame = frame.explode(index_parts=False)
        is_point = frame.geom_type == "Point"
        if lost := int((~is_point).sum()):
            notes.append(f"{lost:,} of {len(frame):,} shapes are no points and were left out.")
        frame = frame[is_point]
    if len(frame) > MAX_ROWS:
        raise ValueError(f"the {name} has {len(frame):,} points; at most {MAX_ROWS:,} are accepted")
    return _in_degrees(frame, name, notes), notes


def _layers(data: bytes, kind: str, notes: list[str]) -> list[tuple[str, geopandas.GeoDataFrame]]:
    """Layers with geometries; of a KML file, whose layers are folders, all of them as one."""
    if kind == "geoparquet":
        return [("", geopandas.read_parquet(io.BytesIO(data)))]
    if kind == "geotiff":
        return [("", geotiff.people(data, notes))]
    if kind == "geopackage":
        # GDAL warns of one without its ending, which a file in memory has in an archive only.
        with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
            archive.writestr("map.gpkg", data)
        data = packed.getvalue()
    numbers = {str(layer): number for number, (layer, shape) in enumerate(pyogrio.list_layers(data)) if shape}
    wanted = [layer for layer in _GPX if layer in numbers] if kind == "gpx" else [*numbers]
    read = [(layer, _read(data, numbers[layer])) for layer in wanted]
    frames = [(layer, frame) for layer, frame in read if isinstance(frame, geopandas.GeoDataFrame) and len(frame)]
    if kind in ("kml", "json") and len(frames) > 1:
        return [("", geopandas.GeoDataFrame(pd.concat([frame for _, frame in frames], ignore_index=True)))]
    return frames


def _read(data: bytes, layer: int) -> pd.DataFrame:
    """One layer, by its number: a file in memory has another name each time, and a layer of GeoJSON is called by it.

    Raises:
        ValueError: if it has too many features, before any is read.
    """
    there = int(pyogrio.read_info(data, layer=layer, force_feature_count=True)["features"])
    if there > MAX_ROWS:
        raise ValueError(f"a layer of the map has {there:,} features; at most {MAX_ROWS:,} are accepted")
    return pyogrio.read_dataframe(data, layer=layer)


def _in_degrees(frame: geopandas.GeoDataFrame, name: str, notes: list[str]) -> geopandas.GeoDataFrame:
    """The frame in longitude and latitude; a system that is not named must look like degrees.

    Raises:
        ValueError: if it does not, or what it names cannot be turned.
    """
    if frame.crs is None:
        low_x, low_y, high_x, high_y = frame.total_bounds
        if not (low_x >= -180.0 and high_x <= 360.0 and low_y >= -90.0 and high_y <= 90.0):
            raise ValueError(
                f"the {name} does not say in which coordinates it is (x from {low_x:g} to {high_x:g}); "
                "save it with its coordinate reference system, for a Shapefile with its .prj"
            )
        notes.append("The file names no coordinate reference system; it was read as degrees.")
        return frame
    if frame.crs.equals(_DEGREES, ignore_axis_order=True):
        return frame
    turned = frame.to_crs(_DEGREES)
    if not np.isfinite(turned.total_bounds).all():
        raise ValueError(f"the {name} has coordinates that its system, {plain_text(frame.crs.name)}, does not have")
    notes.append(f"Turned from {plain_text(frame.crs.name)} into longitude and latitude.")
    return turned
