"""Public regions: where points may be, known to everybody and never read off the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
import scipy
import shapely
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite
from dpot_core.mechanisms.central.memory import memory
from dpot_core.spaces.polygons import Booleans, SharedPolygon

#: Beyond this many boxes a polygon forgets the points that it remembers.
REMEMBERED = 20_000

#: Sides of a region, in any unit, and its coordinates: squares of them stay in float64.
EXTENT = (1e-140, 1e140)

#: Public points that stand for a region of which only "contains" is known.
TABLE = 65536


@runtime_checkable
class Region(Protocol):
    """The public region as mechanisms need it; every answer depends on the region only."""

    lower: Array
    upper: Array
    #: Largest distance between two points of the region's convex hull.
    diameter: float
    #: A point of the hull, (d,), and the radius of a ball about it that holds the hull.
    centre: Array
    radius: float
    #: Whether `intersects` and `representatives` are true to the cell.
    exact: bool

    def contains(self, points: Array) -> Booleans:
        """Which points (n, d) lie in the region, its boundary included."""

    def clip(self, points: Array) -> Array:
        """The nearest points of the region, (n, d)."""

    def into_hull(self, points: Array) -> Array:
        """The nearest points of the region's convex hull, (n, d)."""

    def intersects(self, lower: Array, upper: Array) -> Booleans:
        """Which boxes, given by corners (n, d), meet the region."""

    def representatives(self, lower: Array, upper: Array) -> Array:
        """One point of the region for each box that meets it, in the box where `exact`, (n, d)."""


class BoxRegion:
    """The box between two corners.

    Args:
        lower: smallest coordinates, (d,).
        upper: largest coordinates, (d,), each more than ``lower``.

    Raises:
        ValueError: if the corners do not make a box.
    """

    exact = True

    def __init__(self, lower: ArrayLike, upper: ArrayLike) -> None:
        self.lower, self.upper = check_corners(lower, upper)
        self.diameter = float(np.nextafter(np.linalg.norm(self.upper - self.lower), np.inf))
        self.centre = (self.lower + self.upper) / 2
        reach = np.maximum(self.upper - self.centre, self.centre - self.lower)
        self.radius = float(np.nextafter(np.linalg.norm(reach), np.inf))

    def contains(self, points: Array) -> Booleans:
        """Which points (n, d) lie in the box."""
        return np.all((points >= self.lower) & (points <= self.upper), axis=1)

    def clip(self, points: Array) -> Array:
        """The nearest points of the box, (n, d)."""
        return np.clip(points, self.lower, self.upper)

    into_hull = clip

    def intersects(self, lower: Array, upper: Array) -> Booleans:
        """Which boxes meet this one."""
        return np.all((upper >= self.lower) & (lower <= self.upper), axis=1)

    def representatives(self, lower: Array, upper: Array) -> Array:
        """Centres of the boxes' common part with this one."""
        return (np.maximum(lower, self.lower) + np.minimum(upper, self.upper)) / 2


class PolygonRegion:
    """A polygon, or several, in the plane.

    Args:
        geometry: a valid shapely polygon or multipolygon of positive area.

    Raises:
        ValueError: if it is something else.
    """

    exact = True

    def __init__(self, geometry: Any) -> None:
        if not isinstance(geometry, shapely.Polygon | shapely.MultiPolygon) or not geometry.is_valid:
            raise ValueError(f"region must be a valid polygon or multipolygon; got {type(geometry).__name__}")
        if not geometry.area > 0.0:
            raise ValueError("region must have a positive area; got 0")
        bounds = np.asarray(geometry.bounds)
        self.lower, self.upper = bounds[:2], bounds[2:]
        check_extent(self.lower, self.upper)
        self._shape, self._hull = SharedPolygon(geometry), SharedPolygon(geometry.convex_hull)
        corners = shapely.get_coordinates(self._hull.geometry)
        spans = np.linalg.norm(corners[:, None] - corners[None], axis=2)
        self.diameter = float(np.nextafter(spans.max(), np.inf))
        # The centre of the smallest circle around a set lies in its convex hull.
        middle = shapely.get_coordinates(shapely.centroid(shapely.minimum_bounding_circle(self._hull.geometry)))
        self.centre = self.into_hull(middle)[0]
        self.radius = float(np.nextafter(np.linalg.norm(corners - self.centre, axis=1).max(), np.inf))

    def contains(self, points: Array) -> Booleans:
        """Which points (n, 2) lie in the polygon."""
        return self._shape.contains(points)

    def clip(self, points: Array) -> Array:
        """The nearest points of the polygon, (n, 2), a hair inside it; points in it stay what they are."""
        return self._shape.clip(points)

    def uniform(self, n: int, rng: np.random.Generator) -> Array:
        """n points drawn uniformly in the polygon, (n, 2)."""
        return self._shape.uniform(n, rng)

    def into_hull(self, points: Array) -> Array:
        """The nearest points of the polygon's convex hull, (n, 2), a hair inside it; points in it stay."""
        return self._hull.clip(points)

    def intersects(self, lower: Array, upper: Array) -> Booleans:
        """Which boxes meet the polygon."""
        # A box whose centre lies in the polygon meets it; points are quicker to look up than boxes.
        meets = self.contains((lower + upper) / 2)
        rest = np.flatnonzero(~meets)
        meets[rest] = self._shape.meets(_boxes(lower[rest], upper[rest]))
        return meets

    def representatives(self, lower: Array, upper: Array) -> Array:
        """A point on the surface of each box's common part with the polygon."""
        corners, inverse = np.unique(np.hstack([lower, upper]), axis=0, return_inverse=True)
        keys = [row.tobytes() for row in corners]
        known = memory(self, "surface", REMEMBERED)
        new = np.array([key not in known for key in keys], dtype=bool)
        if new.any():
            found = self._on_surface(corners[new])
            known.update(zip((key for key, fresh in zip(keys, new, strict=True) if fresh), found, strict=True))
        return np.array([known[key] for key in keys]).reshape(-1, 2)[inverse.ravel()]

    def _on_surface(self, corners: Array) -> Array:
        """A point for each box (n, 4)."""
        common = shapely.intersection(self._shape.geometry, _boxes(corners[:, :2], corners[:, 2:]))
        points = shapely.get_coordinates(shapely.point_on_surface(common[~shapely.is_empty(common)]))
        chosen = self.clip((corners[:, :2] + corners[:, 2:]) / 2)
        chosen[~shapely.is_empty(common)] = points
        return chosen


class SampledRegion:
    """A region in any dimension of which only a membership test is known; a fixed public sample stands for the rest.

    Cells that miss the region are not recognised; their mass goes to the nearest point of the public sample.

    Args:
        member: function of points (n, d) that returns n booleans; public.
        lower: smallest coordinates of a box around the region, (d,).
        upper: largest coordinates of it, (d,).

    Raises:
        ValueError: if the corners do not make a box, or no point of the public sample is a member.
    """

    exact = False

    def __init__(self, member: Callable[[Array], ArrayLike], lower: ArrayLike, upper: ArrayLike) -> None:
        box = BoxRegion(lower, upper)
        self.lower, self.upper, self.diameter = box.lower, box.upper, box.diameter
        self.centre, self.radius, self._box, self._member = box.centre, box.radius, box, member
        draws = np.random.default_rng(0).random((TABLE, self.lower.size))
        table = self.lower + (self.upper - self.lower) * draws
        self._table = table[self.contains(table)]
        if not len(self._table):
            raise ValueError(f"region must hold some of {TABLE} points drawn in its box; it holds none")
        self._tree = scipy.spatial.cKDTree(self._table)

    def contains(self, points: Array) -> Booleans:
        """Which points (n, d) are members and in the box."""
        answer = np.asarray(self._member(points), dtype=bool)
        if answer.shape != (len(points),):
            raise ValueError(f"region must answer one boolean per point, ({len(points)},); got shape {answer.shape}")
        return answer & self._box.contains(points)

    def clip(self, points: Array) -> Array:
        """Points outside go to the nearest point of the public sample."""
        inside = self.contains(points)
        clipped = points.copy()
        clipped[~inside] = self._table[self._tree.query(points[~inside])[1]]
        return clipped

    def into_hull(self, points: Array) -> Array:
        """The nearest points of the box, which is convex and holds the region."""
        return self._box.clip(points)

    def intersects(self, lower: Array, upper: Array) -> Booleans:
        """Every box that meets the box around the region: more is not known."""
        return self._box.intersects(lower, upper)

    def representatives(self, lower: Array, upper: Array) -> Array:
        """The point of the public sample that is nearest to each centre."""
        return self._table[self._tree.query((lower + upper) / 2)[1]]


def as_region(region: Any) -> Region:
    """The public region behind what a caller may pass.

    Args:
        region: a `Region`, a shapely polygon, a pair of corners (lower, upper) of a box, or what has one of these as
            its `region`, as an `Outline` has.

    Returns:
        A `Region`.

    Raises:
        ValueError: if it is none of these.
    """
    if isinstance(region, Region):
        return region
    if isinstance(region, shapely.Geometry):
        return PolygonRegion(region)
    if isinstance(region, tuple | list) and len(region) == 2:
        return BoxRegion(*region)
    if hasattr(region, "region"):
        return as_region(region.region)
    raise ValueError(
        "region must be a public region: a pair of corners (lower, upper), a shapely polygon, or an object with "
        f"everything that `Region` names, such as `SampledRegion`; got {type(region).__name__}"
    )


def check_corners(lower: ArrayLike, upper: ArrayLike) -> tuple[Array, Array]:
    """Return the corners of a box, (d,) each, every side longer than 0."""
    low, high = (check_finite(corner, "region", non_negative=False) for corner in (lower, upper))
    if low.ndim != 1 or low.size == 0 or low.shape != high.shape or not (low < high).all():
        raise ValueError(f"region must have corners (d,) with lower < upper; got {low.tolist()} and {high.tolist()}")
    check_extent(low, high)
    return low, high


def check_extent(lower: Array, upper: Array) -> None:
    """Complain about sides of a box whose squares would leave float64: lengths would be 0 or infinite.

    Raises:
        ValueError: if a coordinate is beyond the larger of `EXTENT`, or a side outside of it.
    """
    smallest, largest = EXTENT
    if max(np.abs(lower).max(), np.abs(upper).max()) > largest:
        raise ValueError(f"region must have coordinates up to {largest:g}; got {lower.tolist()} and {upper.tolist()}")
    sides = upper - lower
    if sides.min() < smallest:
        raise ValueError(f"region must have sides of at least {smallest:g}; got {sides.tolist()}")


def _boxes(lower: Array, upper: Array) -> Any:
    """Shapely's rectangles."""
    return shapely.box(lower[:, 0], lower[:, 1], upper[:, 0], upper[:, 1])
