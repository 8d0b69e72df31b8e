"""Grids of people as GeoTIFF holds them (WorldPop, GHSL): each cell with people as a point in its middle.

The tags are those of the OGC GeoTIFF Standard 1.1 (19-008r4) and GDAL's for cells without a value.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from typing import Any

import geopandas
import numpy as np
import pyproj
from numpy.typing import NDArray
from PIL import Image

from dpot_core.arguments import Array
from dpot_core.datasets.csv_bounds import MAX_ROWS
from dpot_core.datasets.uploads import plain_text

#: Larger grids are refused before any cell is unpacked.
MAX_GRID_CELLS = 25_000_000

_SCALE, _TIE_POINT, _KEYS, _TEXTS, _MISSING = 33550, 33922, 34735, 34737, 42113
_MODEL, _RASTER_TYPE, _CITATION, _GEODETIC, _PROJECTED, _PROJECTED_CITATION = 1024, 1025, 1026, 2048, 3072, 3073
_MODEL_IS_PROJECTED, _PIXEL_IS_POINT, _USER_DEFINED = 1, 2, 32767
#: Pillow's modes of one number a cell. Not "L", of eight bits: it takes them for shades, without a sign, or inverted.
_NUMBERS = ("F", "I", "I;16", "I;16B")
#: What Pillow raises for damaged files, beside its own.
_DAMAGED = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, OverflowError, struct.error)


def people(data: bytes, notes: list[str]) -> geopandas.GeoDataFrame:
    """The middles of the cells with people, in the file's coordinates, with their number as "population".

    Args:
        data: the file's bytes; their size has been checked.
        notes: what was left out is added.

    Raises:
        ValueError: if it is damaged, too large, holds colours, or does not say where its cells lie.
    """
    try:
        with Image.open(io.BytesIO(data), formats=["TIFF"]) as image:
            cells = image.width * image.height
            if cells <= MAX_GRID_CELLS and image.mode in _NUMBERS:
                tags = dict(image.tag_v2)  # type: ignore[attr-defined]
                values = np.asarray(image, dtype=float)
            mode = image.mode
    except Image.DecompressionBombError:
        cells, mode = MAX_GRID_CELLS + 1, ""
    except _DAMAGED as problem:
        raise ValueError("the GeoTIFF cannot be read: it is damaged, or not one band of numbers") from problem
    if cells > MAX_GRID_CELLS:
        raise ValueError(f"the GeoTIFF has more than {MAX_GRID_CELLS:,} cells; bring a part of it, or larger cells")
    if mode not in _NUMBERS:
        raise ValueError("the GeoTIFF holds colours; it must have one band of 16 or more bits, the people of each cell")
    try:
        (width, height), (column, row, west, north) = _placed(tags)
        keys = _keys(tags)
    except _DAMAGED as problem:
        raise ValueError(
            "the TIFF picture does not say where its cells lie; a GeoTIFF has a scale and a point, without rotation"
        ) from problem
    rows, columns = _with_people(values, _missing(tags), notes)
    half = 0.0 if keys.get(_RASTER_TYPE) == _PIXEL_IS_POINT else 0.5
    middles = geopandas.points_from_xy(west + (columns + half - column) * width, north - (rows + half - row) * height)
    return geopandas.GeoDataFrame({"population": values[rows, columns]}, geometry=middles, crs=_system(keys))


def _placed(tags: Mapping[int, Any]) -> tuple[tuple[float, float], tuple[float, float, float, float]]:
    """Width and height of a cell; a point of the grid (column, row) and where it lies.

    Raises:
        ValueError: if either is missing, or no number.
    """
    width, height = (float(one) for one in tags[_SCALE][:2])
    column, row, _, west, north = (float(one) for one in tags[_TIE_POINT][:5])
    if not (np.isfinite([width, height, column, row, west, north]).all() and width > 0.0 and height > 0.0):
        raise ValueError("no scale")
    return (width, height), (column, row, west, north)


def _keys(tags: Mapping[int, Any]) -> dict[int, int | str]:
    """Numbers and texts of the directory of keys (section 7.1.2 of the standard), by their number."""
    directory, texts = tuple(tags.get(_KEYS, ())), str(tags.get(_TEXTS, ""))
    found: dict[int, int | str] = {}
    for at in range(4, len(directory) - 3, 4):
        key, place, count, value = (int(one) for one in directory[at : at + 4])
        if place == 0:
            found[key] = value
        elif place == _TEXTS:
            found[key] = texts[value : value + count]
    return found


def _missing(tags: Mapping[int, Any]) -> float:
    """The value of cells without one; NaN where the file names none.

    Raises:
        ValueError: if what it names is no number.
    """
    written = str(tags.get(_MISSING, "nan")).strip("\0 ") or "nan"
    try:
        return float(written)
    except ValueError as problem:
        said = plain_text(written)
        raise ValueError(f"the GeoTIFF says {said!r} for cells without a value; that must be a number") from problem


def _with_people(values: Array, missing: float, notes: list[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the cells with people.

    Raises:
        ValueError: if there are none, or too many.
    """
    # A missing value is written in decimals, and the cells may hold it in four bytes.
    absent = ~np.isfinite(values) | (values == missing) | (values == np.float32(missing))
    if negative := int(((values < 0.0) & ~absent).sum()):
        notes.append(f"Cells with a number below 0 were left out: {negative:,}.")
    rows, columns = np.nonzero((values > 0.0) & ~absent)
    if not 0 < len(rows) <= MAX_ROWS:
        held = f"{len(rows):,} cells with people; at most {MAX_ROWS:,} are accepted" if len(rows) else "no people"
        raise ValueError(f"the GeoTIFF has {held}")
    return rows, columns


def _system(keys: Mapping[int, int | str]) -> pyproj.CRS | None:
    """The coordinate reference system; None where the file names none.

    Raises:
        ValueError: if it is one of the file's own.
    """
    code = keys.get(_PROJECTED)
    if not code and keys.get(_MODEL) != _MODEL_IS_PROJECTED:
        code = keys.get(_GEODETIC)
        if not code:
            return None
    if code == _USER_DEFINED and "world_mollweide" in f"{keys.get(_CITATION)} {keys.get(_PROJECTED_CITATION)}".lower():
        return pyproj.CRS("ESRI:54009")  # as GHSL writes it
    try:
        return pyproj.CRS.from_epsg(code or 0)
    except pyproj.exceptions.CRSError as problem:
        raise ValueError(
            "the GeoTIFF has a coordinate reference system without an EPSG code; save it in longitude and latitude"
        ) from problem
