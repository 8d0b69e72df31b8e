"""Zones as a picture: a fine raster that says which zone each pixel belongs to. Light to draw, however many zones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.datasets.zones import Zones

#: Pixels along the longer side.
_PIXELS = 160


@dataclass(frozen=True)
class ZoneRaster:
    """Which zone lies where; kilometres in the frame of the grid."""

    x: Array  # middles of the pixels, km east, (w,)
    y: Array  # middles of the pixels, km north, (h,)
    zone: NDArray[np.intp]  # index of the zone at each pixel, (h, w); -1 outside all zones
    outlines: Array  # edges of the zones as one line, (m, 2), rows of NaN between rings


def zone_raster(zones: Zones, grid: CityGrid) -> ZoneRaster:
    """Draw the zones on a raster over the grid and all zones; a zone smaller than a pixel gets one all the same."""
    parts: list[tuple[int, list[Array]]] = []
    for index, polygons in enumerate(zones.polygons):
        parts += [(index, [grid.to_km(ring[:, 1], ring[:, 0]) for ring in rings]) for rings in polygons]
    corners = np.vstack([*(ring for _, rings in parts for ring in rings), [[0.0, 0.0], [grid.width, grid.height]]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    pixel = float((high - low).max()) / _PIXELS
    x, y = (low[d] + pixel * (np.arange(max(1, round((high[d] - low[d]) / pixel))) + 0.5) for d in (0, 1))
    shapes = [shapely.Polygon(rings[0], rings[1:]) for _, rings in parts]
    pixels = shapely.points(*(axis.ravel() for axis in np.meshgrid(x, y)))
    place, part = shapely.STRtree(shapes).query(pixels, predicate="within")
    flat = np.full(len(pixels), -1, dtype=np.intp)
    flat[place] = np.array([index for index, _ in parts], dtype=np.intp)[part]
    zone = flat.reshape(len(y), len(x))
    columns, rows = (
        np.clip(((zones.points[:, d] - low[d]) / pixel).astype(np.intp), 0, len(axis) - 1)
        for d, axis in enumerate((x, y))
    )
    missing = np.setdiff1d(np.arange(len(zones)), zone)
    zone[rows[missing], columns[missing]] = missing
    gap = np.full((1, 2), np.nan)
    outlines = np.vstack([part for _, rings in parts for ring in rings for part in (ring, gap)])
    return ZoneRaster(x, y, zone, outlines)
