"""A grid of cells over a city, with distances in kilometres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_count, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.spaces import Space, grid

#: West, south, east, north, in degrees; beyond the 180th meridian they go on, so that east is more than west.
Box = tuple[float, float, float, float]

#: A city may be this wide; beyond it a flat map distorts distances, and one cell is larger than a town.
MAX_SIDE_KM = 300.0

#: A box is at least this wide, so that check-ins at a single spot have a grid, too.
MIN_SIDE_KM = 1.0

#: Histograms with more entries than this (1.6 GB) are refused.
MAX_ENTRIES = 200_000_000

#: Kilometres in a degree of latitude, rounded down: a box reaches at least as far as it is asked to.
KM_PER_DEGREE = 110.5

_PADDING = 0.005


@dataclass(frozen=True)
class CityGrid:
    """n x n cells over a city in its UTM zone; cell iy * n + ix counts from the south-west corner.

    Positions in kilometres are measured east and north of that corner.

    Attributes:
        n: cells per side.
        epsg: code of the UTM zone.
        utm_name: its name, for example "WGS 84 / UTM zone 14N".
        origin: easting and northing of the south-west corner, km.
        width: extent to the east, km.
        height: extent to the north, km.
    """

    n: int
    epsg: int
    utm_name: str
    origin: tuple[float, float]
    width: float
    height: float

    def __len__(self) -> int:
        return self.n * self.n

    @cached_property
    def space(self) -> Space:
        """The centres of the cells with the Euclidean distance in km, as a `Space` of n * n points."""
        half_x, half_y = self.width / self.n / 2, self.height / self.n / 2
        return grid(self.n, self.n, (half_x, self.width - half_x, half_y, self.height - half_y))

    @cached_property
    def cells(self) -> Array:
        """The outline of each cell as lon, lat, shape (k, 5, 2): closed, counter-clockwise."""
        steps = np.linspace(0.0, 1.0, self.n + 1)
        east, north = np.meshgrid(steps * self.width, steps * self.height)
        corners = self.to_lonlat(np.column_stack([east.ravel(), north.ravel()]))
        corners = corners.reshape(self.n + 1, self.n + 1, 2)
        ring = [corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1], corners[:-1, :-1]]
        return np.stack(ring, axis=2).reshape(len(self), 5, 2)

    @cached_property
    def centres_lonlat(self) -> Array:
        """The centre of each cell as lon, lat, shape (k, 2)."""
        return self.to_lonlat(self.space.points)

    @cached_property
    def box(self) -> Box:
        """The smallest (west, south, east, north) around all cells, degrees."""
        low, high = self.cells.min(axis=(0, 1)), self.cells.max(axis=(0, 1))
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def to_km(self, lat: ArrayLike, lon: ArrayLike) -> Array:
        """Position of points in km east and north of the south-west corner, shape (m, 2)."""
        east, north = _to_utm(self.epsg).transform(
            np.atleast_1d(np.asarray(lon, dtype=np.float64)), np.atleast_1d(np.asarray(lat, dtype=np.float64))
        )
        return np.column_stack([east, north]) / 1000.0 - self.origin

    def nearest_km(self, lat: ArrayLike, lon: ArrayLike) -> Array:
        """Positions as `to_km`, those outside moved to the nearest point of the map, (m, 2).

        The nearest point of a rectangle: no two positions get farther apart. Leaving out what lies outside is no such
        step: a visit that crosses the edge would change the weights of all others.
        """
        place = self.to_km(lat, lon)
        # Far from its zone the projection is infinite: that is the corner.
        return np.clip(np.nan_to_num(place, nan=np.inf, posinf=np.inf, neginf=-np.inf), 0.0, (self.width, self.height))

    def to_lonlat(self, km: Array) -> Array:
        """Longitude and latitude, shape (m, 2), of positions in km (m, 2)."""
        metres = (km + self.origin) * 1000.0
        lon, lat = _to_utm(self.epsg).transform(metres[:, 0], metres[:, 1], direction="INVERSE")
        # Beyond the 180th meridian degrees go on, so that a cell there has four corners near each other.
        middle = 6.0 * (self.epsg % 100) - 183.0
        turns = np.where(np.abs(lon - middle) > 180.0, np.sign(middle - lon) * 360.0, 0.0)
        return np.column_stack([lon + turns, lat])

    def cell_of(self, lat: ArrayLike, lon: ArrayLike) -> NDArray[np.intp]:
        """Index of the cell of each point, shape (m,); -1 for points outside the grid."""
        place = self.to_km(lat, lon) / (self.width / self.n, self.height / self.n)
        # Far from its zone the projection is infinite, and infinity has no index.
        inside = np.asarray(((place >= 0) & (place <= self.n)).all(axis=1))
        return np.where(inside, self._index(np.where(inside[:, None], place, 0.0)), -1)

    def _index(self, place: Array) -> NDArray[np.intp]:
        """Cells of places inside, counted in cells."""
        steps = np.minimum(place.astype(np.intp), self.n - 1)
        return np.asarray(steps[:, 1] * self.n + steps[:, 0])

    def histograms(self, checkins: CheckIns, clamp: bool = False) -> Array:
        """The distribution of each user's check-ins over the cells, shape (n_users, k), rows sum to 1.

        Args:
            checkins: whose.
            clamp: move what lies outside to the nearest point of the map, see `nearest_km`.

        Raises:
            ValueError: if a check-in lies outside the grid, or the matrix would exceed `MAX_ENTRIES`.
        """
        return histograms_on(self.cells_of(checkins, clamp), checkins, len(self))

    def crowd(self, checkins: CheckIns) -> Array:
        """The mean of the users' distributions, shape (k,): every user counts the same, however active.

        Raises:
            ValueError: if a check-in lies outside the grid.
        """
        weights = checkins.count / checkins.totals[checkins.user]
        return np.asarray(np.bincount(self.cells_of(checkins), weights, len(self)) / checkins.n_users, dtype=np.float64)

    def cells_of(self, checkins: CheckIns, clamp: bool = False) -> NDArray[np.intp]:
        """The cell of each row of the check-ins; arguments and errors as of `histograms`."""
        if clamp:
            size = (self.width / self.n, self.height / self.n)
            return self._index(self.nearest_km(checkins.lat, checkins.lon) / size)
        cells = self.cell_of(checkins.lat, checkins.lon)
        if outside := int((cells < 0).sum()):
            raise ValueError(f"{outside:,} of {len(checkins):,} check-in rows lie outside this grid")
        return cells


def histograms_on(cells: NDArray[np.intp], checkins: CheckIns, k: int, user: int | None = None) -> Array:
    """Distributions over k cells, (n_users, k), of check-ins whose cells are known; of one user only, (1, k).

    Raises:
        ValueError: if the matrix would exceed `MAX_ENTRIES`.
    """
    rows = slice(None) if user is None else np.flatnonzero(checkins.user == user)
    first, count = (0, checkins.n_users) if user is None else (user, 1)
    if count * k > MAX_ENTRIES:
        raise ValueError(f"{count:,} users x {k:,} cells are more than {MAX_ENTRIES:,} numbers; select fewer users")
    index = (checkins.user[rows] - first) * k + cells[rows]
    weights = checkins.count[rows] / checkins.totals[checkins.user[rows]]
    return np.asarray(np.bincount(index, weights, count * k).reshape(count, k), dtype=np.float64)


def city_grid(where: CheckIns | Box, n: int = 20) -> CityGrid:
    """A grid of n x n cells over all check-ins (none is left outside), or over a box in degrees.

    The box is the full extent of the data in the local UTM zone (the one around its middle, estimated by
    geopandas), 0.5% wider on every side, and at least `MIN_SIDE_KM` wide. Distances in one zone are within
    about 0.1% of those on the ellipsoid.

    Args:
        where: check-ins, or (west, south, east, north) in degrees.
        n: cells per side, 5 to 256.

    Raises:
        ValueError: if n is out of range, the box runs backwards, or the city is wider than `MAX_SIDE_KM` (keep one
            with `checkins.near(*checkins.busiest_point(), km=50)`) or too near a pole for a UTM zone.
    """
    n = check_count(n, "n", 5, 256)
    if isinstance(where, CheckIns):
        lat, lon = where.lat, where.lon
    else:
        lat, lon = _edges(where)
    if np.ptp(lon) > 180.0 and np.ptp(east := np.mod(lon, 360.0)) < np.ptp(lon):
        lon = east  # on both sides of the 180th meridian
    middle_lat, middle_lon = (lat.min() + lat.max()) / 2, (lon.min() + lon.max()) / 2
    # Before projecting: a flat map of half the world would be nonsense, or infinite.
    per_degree = np.array([np.cos(np.radians(middle_lat)), 1.0]) * 111.2
    _check_side(float(max(np.ptp(lon) * per_degree[0], np.ptp(lat) * per_degree[1])))
    epsg, name = _utm_zone(round(float(middle_lat), 2), round(float(middle_lon - 360.0 * (middle_lon > 180.0)), 2))
    points = np.column_stack(_to_utm(epsg).transform(lon, lat)) / 1000.0
    low, high = points.min(axis=0), points.max(axis=0)
    side = np.maximum((high - low) * (1 + 2 * _PADDING), MIN_SIDE_KM)
    _check_side(float(side.max()) / (1 + 2 * _PADDING))
    corner = (low + high - side) / 2
    return CityGrid(n, epsg, name, (float(corner[0]), float(corner[1])), float(side[0]), float(side[1]))


def square_around(lat: float, lon: float, km: float) -> Box:
    """The box in degrees that reaches so many kilometres from a point to all four sides.

    Over the 180th meridian degrees go on: from 179.9 to 180.3.

    Args:
        lat: degrees north.
        lon: degrees east.
        km: half a side, more than 0.

    Raises:
        ValueError: if the box would reach over a pole.
    """
    up = km / KM_PER_DEGREE
    across = up / max(math.cos(math.radians(min(abs(lat) + up, 90.0))), 1e-9)
    if across > 90.0 or abs(lat) + up > 90.0:
        raise ValueError(f"a map of {km:g} km around lat {lat:.3f}, lon {lon:.3f} reaches over a pole: take fewer km")
    west = lon - across if lon - across >= -180.0 else lon - across + 360.0
    return float(west), float(lat - up), float(west + 2 * across), float(lat + up)


def _check_side(km: float) -> None:
    if km > MAX_SIDE_KM:
        raise ValueError(
            f"the check-ins span {km:,.0f} km; a city grid takes at most {MAX_SIDE_KM:g} km. Keep one city: choose 50 "
            "under “Keep km around the busiest spot”, for example"
        )


def _edges(box: Box) -> tuple[Array, Array]:
    west, south, east, north = (float(v) for v in check_finite(box, "box", non_negative=False))
    if not (-180 <= west < east < west + 360 and west <= 180 and -90 <= south < north <= 90):
        more = "over the 180th meridian degrees go on: 179, -17, 181, -16"
        raise ValueError(f"box must be (west, south, east, north) in degrees, ascending; {more}; got {box}")
    # Meridians and parallels are curves in the plane: take points along the edges, not only the corners.
    lon, lat = np.meshgrid(np.linspace(west, east, 17), np.linspace(south, north, 17))
    return lat.ravel(), lon.ravel()


@lru_cache(maxsize=64)
def _utm_zone(lat: float, lon: float) -> tuple[int, str]:
    import geopandas  # takes over a second, and only pages with maps need it

    place = geopandas.GeoSeries(geopandas.points_from_xy([lon], [lat]), crs="EPSG:4326")
    try:
        zone = place.estimate_utm_crs()
    except RuntimeError as error:
        raise ValueError(
            f"a map around lat {lat:g} cannot be drawn: UTM zones reach from 80°S to 84°N. Leave out rows that lie "
            "beyond, or check which column holds the latitude"
        ) from error
    return int(zone.to_epsg()), str(zone.name)


@lru_cache(maxsize=16)
def _to_utm(epsg: int) -> Any:
    import pyproj

    return pyproj.Transformer.from_crs("EPSG:4326", f"EPSG:{epsg}", always_xy=True)
