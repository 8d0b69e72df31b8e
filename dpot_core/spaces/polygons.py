"""A polygon that many threads may ask at once."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.arguments.progress import Progress

Booleans = NDArray[np.bool_]

# Points that are moved at a time: each takes half a kilobyte meanwhile, and all of them .2 s.
_PIECE = 20_000


class SharedPolygon:
    """A prepared polygon, or several, with a lock around it.

    Prepared geometries answer much faster but keep state while they do, and shapely lets other threads run meanwhile:
    two sessions of a server that asked the same one at once would crash it.

    Args:
        geometry: shapely polygon or multipolygon; a copy of it is prepared.
    """

    def __init__(self, geometry: Any) -> None:
        self.geometry = shapely.from_wkb(shapely.to_wkb(geometry))
        self._prepared = shapely.from_wkb(shapely.to_wkb(geometry))
        shapely.prepare(self._prepared)
        self._lock = threading.Lock()

    def contains(self, points: Array) -> Booleans:
        """Which points (n, 2) lie in the polygon, its border included, (n,)."""
        with self._lock:
            return np.asarray(shapely.intersects_xy(self._prepared, points[:, 0], points[:, 1]), dtype=bool)

    def meets(self, boxes: Any) -> Booleans:
        """Which of shapely's geometries (n,) meet the polygon, (n,)."""
        with self._lock:
            return np.asarray(shapely.intersects(self._prepared, boxes), dtype=bool)

    def nearest(self, points: Array, progress: Progress | None = None) -> Array:
        """The nearest points of the polygon, (n, 2); points in it stay what they are.

        ``progress``: called with how many of those outside are moved, and how many there are.
        """
        outside = np.flatnonzero(~self.contains(points))
        moved = points.copy()
        for start in range(0, outside.size, _PIECE):
            if progress is not None:
                progress(start, outside.size)
            piece = outside[start : start + _PIECE]
            segments, tree = self._border
            there = shapely.points(points[piece])
            with self._lock:
                nearest = tree.query_nearest(there, all_matches=False)[1]
            # Shapely would look at all segments for each point, at twenty times the cost.
            moved[piece] = shapely.get_coordinates(shapely.shortest_line(segments[nearest], there))[::2]
        return moved

    def clip(self, points: Array, progress: Progress | None = None) -> Array:
        """As `nearest`, but a hair inside the border, where rounding cannot put a moved point out again."""
        outside = np.flatnonzero(~self.contains(points))
        moved = points.copy()
        if outside.size:
            moved[outside] = self._inside.nearest(points[outside], progress)
        return moved

    def uniform(self, n: int, rng: np.random.Generator) -> Array:
        """n points drawn uniformly in the polygon, (n, 2): in its triangles, by area."""
        corners, area = self._triangles
        first, second, third = np.moveaxis(corners[rng.choice(area.size, n, p=area / area.sum())], 1, 0)
        across, along = rng.random((2, n, 1))
        # The root makes the density even: the section at this share of the way from a corner is as long as the share.
        points = first + np.sqrt(across) * ((1.0 - along) * (second - first) + along * (third - first))
        return self.clip(points)

    @cached_property
    def _border(self) -> tuple[Any, shapely.STRtree]:
        """The segments of the border (s,), and where to look for the nearest."""
        rings = shapely.get_rings(shapely.get_parts(self.geometry))
        ends = [np.stack([xy[:-1], xy[1:]], axis=1) for xy in map(shapely.get_coordinates, rings)]
        segments: Any = shapely.linestrings(np.concatenate(ends))
        return segments, shapely.STRtree(segments)

    @cached_property
    def _triangles(self) -> tuple[Array, Array]:
        """Corners (t, 3, 2) and areas (t,) of triangles that make up the polygon."""
        parts = shapely.get_parts(shapely.constrained_delaunay_triangles(self.geometry))
        return shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3], shapely.area(parts)

    @cached_property
    def _inside(self) -> SharedPolygon:
        """The polygon without a hair's breadth at its border; itself where nothing would be left."""
        west, south, east, north = self.geometry.bounds
        inner = self.geometry.buffer(-1e-9 * max(east - west, north - south))
        return self if inner.is_empty else SharedPolygon(inner)
