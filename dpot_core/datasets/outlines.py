"""Outlines: where points may be. Public knowledge, never read off the data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyproj
import shapely
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.embedded import embedded
from dpot_core.spaces.polygons import Booleans, SharedPolygon

Rings = tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class Outline:
    """A public region of the plane, and how to draw it.

    Attributes:
        name: what it is, in a few words.
        areas: name of each area (a state), and its rings (m, 2) as lon, lat (or x, y), closed.
        region: one shapely polygon or multipolygon.
        geographic: whether coordinates are degrees of longitude and latitude (WGS84).
        labels: for each area what else is known of it (postal code, region).
    """

    name: str
    areas: tuple[tuple[str, Rings], ...]
    region: Any
    geographic: bool
    labels: tuple[Mapping[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"Outline({self.name}, {self.region.bounds})"

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north (smallest x and y, largest x and y)."""
        west, south, east, north = self.region.bounds
        return float(west), float(south), float(east), float(north)

    @cached_property
    def _shape(self) -> SharedPolygon:
        return SharedPolygon(self.region)

    def contains(self, points: ArrayLike) -> Booleans:
        """Which points (n, 2) lie in the region, its border included, shape (n,)."""
        return self._shape.contains(_points(points))

    def clip(self, points: ArrayLike, progress: Progress | None = None) -> Array:
        """The nearest points (n, 2) of the region, a hair inside its border; a point in it stays what it is.

        ``progress``: called with how many of those outside are moved, and how many there are.
        """
        return self._shape.clip(_points(points), progress)

    def to_km(self, points: ArrayLike) -> Array:
        """The points (n, 2) in kilometres on an equal-area map (Albers).

        Distances there are right within 3% in every country of `countries`, and in the contiguous United States.

        The map's two standard parallels lie a sixth of the height from the region's southern and northern end.

        Raises:
            ValueError: if the coordinates are not degrees.
        """
        if not self.geographic:
            raise ValueError(f"the coordinates of {self.name} are not degrees, so they have no length in kilometres")
        xy = _points(points)
        east, north = _albers(self.bounds).transform(xy[:, 0], xy[:, 1])
        return np.column_stack([east, north]) / 1000.0


def _points(points: ArrayLike) -> Array:
    xy = check_finite(points, "points", non_negative=False)
    if xy.ndim != 2 or xy.shape[1] != 2:
        raise ValueError(f"points must have shape (n, 2); got {xy.shape}")
    return xy


@cache
def _albers(bounds: tuple[float, float, float, float]) -> pyproj.Transformer:
    west, south, east, north = bounds
    sixth = (north - south) / 6
    equal_area = {
        "proj": "aea",
        "lat_1": south + sixth,
        "lat_2": north - sixth,
        "lat_0": (south + north) / 2,
        "lon_0": (west + east) / 2,
        "datum": "WGS84",
    }
    return pyproj.Transformer.from_crs("EPSG:4326", pyproj.CRS.from_dict(equal_area), always_xy=True)


@cache
def us_outline() -> Outline:
    """The contiguous United States: 48 states and the District of Columbia, simplified Census boundaries, embedded.

    Raises:
        FileNotFoundError: if the embedded file is missing.
    """
    collection = json.loads(embedded("data", "us_states.geojson").read_text(encoding="utf-8"))
    areas, labels, shapes = [], [], []
    for feature in collection["features"]:
        rings = [np.asarray(ring) for part in feature["geometry"]["coordinates"] for ring in part]
        areas.append((str(feature["properties"]["name"]), tuple(rings)))
        labels.append({key: str(value) for key, value in feature["properties"].items()})
        shapes.append(shapely.from_geojson(json.dumps(feature["geometry"])))
    return Outline("contiguous United States", tuple(areas), shapely.union_all(shapes), True, tuple(labels))


def county_lines(box: tuple[float, float, float, float]) -> tuple[Array, ...]:
    """Lines between counties of one of the contiguous United States, embedded, cut off at a box.

    Args:
        box: west, south, east, north, degrees.

    Returns:
        Pieces (m, 2) as lon, lat; none far from the contiguous states.

    Raises:
        FileNotFoundError: if the embedded file is missing.
        ValueError: if the box has no area.
    """
    region = box_outline(*box, geographic=True).region
    lines = _county_lines()
    near = shapely.intersection(lines.geometries[lines.query(region)], region)
    pieces = shapely.get_parts(shapely.line_merge(shapely.union_all(near)))
    return tuple(shapely.get_coordinates(piece) for piece in pieces if shapely.length(piece) > 0)


@cache
def _county_lines() -> Any:
    """All of them, in a tree that finds those of a box; they are read when a map is first drawn in the country."""
    topology = json.loads(embedded("data", "us_counties.json").read_text(encoding="utf-8"))
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    lines = [np.cumsum(arc, axis=0) * scale + shift for arc in topology["arcs"]]
    owner = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    drawn: Any = shapely.linestrings(np.concatenate(lines), indices=owner)
    return shapely.STRtree(drawn)


def box_outline(west: float, south: float, east: float, north: float, geographic: bool = False) -> Outline:
    """A rectangle.

    Args:
        west: smallest first coordinate.
        south: smallest second coordinate.
        east: largest first coordinate.
        north: largest second coordinate.
        geographic: whether coordinates are degrees of longitude and latitude.

    Raises:
        ValueError: if it has no area, or degrees are out of range.
    """
    corners = check_finite((west, south, east, north), "box", non_negative=False)
    x0, y0, x1, y1 = corners.tolist()
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"box must have west < east and south < north; got {x0:g}, {y0:g}, {x1:g}, {y1:g}")
    if geographic and (min(x0, -x1) < -180 or min(y0, -y1) < -90):
        raise ValueError("box must lie in [-180, 180] degrees of longitude and [-90, 90] of latitude")
    ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]])
    return Outline("box", (("box", (ring,)),), shapely.box(x0, y0, x1, y1), bool(geographic))
