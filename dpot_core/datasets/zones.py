"""A user's own zones (GeoJSON polygons) as the places of the output. Nothing here touches the disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.check_ins import great_circle_km
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.datasets.geojson import polygonal_features
from dpot_core.datasets.uploads import plain_text
from dpot_core.privacy.numerals import counted

Rings = tuple[Array, ...]

#: A crossing outline is repaired if it crosses itself at most about this often (beyond, repairing takes minutes).
MAX_CROSSINGS = 10_000

#: Pairs of segments that lie near each other, in all outlines that cross themselves: beyond, counting takes long.
MAX_NEAR = 5_000_000

#: Outlines whose vertices, squared, add up to more are thinned before they are simplified.
MAX_CARE = 1e9

#: Smaller zones (square degrees; about a square metre) are lines with rounding errors.
MIN_AREA = 1e-10


@dataclass(frozen=True, eq=False)
class Zones:
    """Places of the output, each with a point that stands for it.

    Attributes:
        points: a point inside each zone, km in the frame of the grid, shape (z, 2).
        names: name of each zone, plain text, unchecked: escape it before it enters HTML.
        polygons: for each zone its parts, for each part its rings (outer first) as lon, lat (m, 2);
            simplified, for drawing.
        notes: what was repaired, simplified or left out.
    """

    points: Array
    names: tuple[str, ...]
    polygons: tuple[tuple[Rings, ...], ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)


def read_zones_geojson(data: bytes, grid: CityGrid) -> Zones:
    """Zones from the bytes of a GeoJSON file of polygons and multipolygons.

    Outlines that cross themselves are repaired (shapely's `make_valid`); the note says so.

    Args:
        data: the file's bytes: FeatureCollection, Feature or geometry in WGS 84 degrees; at most
            `uploads.MAX_UPLOAD_BYTES`, `geojson.MAX_ZONES` zones, `geojson.MAX_VERTICES` vertices.
        grid: the city that the zones are for.

    Raises:
        ValueError: names the feature and what is wrong with it.
    """
    features, notes = polygonal_features(data)
    shapes = np.array([feature.shape for feature in features], dtype=object)
    broken = np.flatnonzero(~shapely.is_valid(shapes))
    near = 0.0
    for i in broken:
        near += _near(shapes[i])
        if near > MAX_NEAR:
            raise ValueError(f"{features[i].where}: its outline crosses itself too often to be repaired; simplify it")
        shapes[i] = _repaired(shapes[i], features[i].where)
    flat = np.flatnonzero(~(shapely.area(shapes) > MIN_AREA))
    if flat.size:
        raise ValueError(f"{features[flat[0]].where}: its outline encloses no area")
    if broken.size:
        some = ", ".join(features[i].where for i in broken[:5])
        more = f" and {broken.size - 5:,} more" if broken.size > 5 else ""
        notes.append(f"Repaired, because the outline crosses or touches itself: {some}{more}.")
    inside = shapely.get_coordinates(shapely.point_on_surface(shapes))
    _check_near(inside, grid, [feature.where for feature in features])
    # A line that moves by a two-thousandth of the city moves by less than a pixel.
    tolerance = float(np.hypot(grid.width, grid.height)) / 2000 / 111.2
    drawn = _simplified(shapes, tolerance)
    before, after = (int(shapely.get_num_coordinates(s).sum()) for s in (shapes, drawn))
    if after < before:
        notes.append(f"Outlines are drawn with {after:,} of their {before:,} vertices; points use them all.")
    return Zones(
        points=grid.to_km(inside[:, 1], inside[:, 0]),
        names=_names([feature.name for feature in features], notes),
        polygons=tuple(tuple(_rings(part) for part in shapely.get_parts(shape)) for shape in drawn),
        notes=tuple(notes),
    )


def _repaired(shape: Any, where: str) -> Any:
    if _crossings(shape) > MAX_CROSSINGS:
        raise ValueError(f"{where}: its outline crosses itself too often to be repaired; simplify it first")
    # "structure", because "linework" takes 22 s on 300 random vertices, and keeps lines.
    repaired = shapely.make_valid(shape, method="structure", keep_collapsed=False)
    return repaired


def _near(shape: Any) -> float:
    """About how many pairs of segments lie near each other."""
    return _estimate(shape, None, MAX_NEAR)


def _crossings(shape: Any) -> float:
    """About how often an outline crosses itself."""
    return _estimate(shape, "crosses", MAX_CROSSINGS)


def _estimate(shape: Any, predicate: Any, enough: float) -> float:
    """About how many pairs of segments have something in common, from a sample; at least `enough` if it is more."""
    rings = shapely.get_rings(shapely.get_parts(shape))
    segments = np.concatenate(
        [shapely.linestrings(np.stack([c[:-1], c[1:]], axis=1)) for c in map(shapely.get_coordinates, rings)]
    )
    sample = segments[:: max(1, len(segments) // 500)]
    tree = shapely.STRtree(segments)
    estimate = 0.0
    # In small steps, because a hopeless outline is known after the first few segments.
    for start in range(0, len(sample), 2):
        hits = tree.query(sample[start : start + 2], predicate=predicate).shape[1]
        estimate += hits * len(segments) / len(sample) / 2
        if estimate > enough:
            break
    return estimate


def _simplified(shapes: Any, tolerance: float) -> Any:
    """The shapes for drawing; what takes the square of many vertices is done to those that are left of them."""
    drawn = shapes.copy()
    for i in np.flatnonzero(~_affordable(drawn)):
        drawn[i] = shapely.multipolygons([_thinned(part, tolerance) for part in shapely.get_parts(drawn[i])])
    careful = _affordable(drawn)
    drawn[careful] = shapely.simplify(drawn[careful], tolerance, preserve_topology=True)
    return drawn


def _affordable(shapes: Any) -> NDArray[np.bool_]:
    """Which shapes have so few vertices that together their squares are at most `MAX_CARE`."""
    vertices = shapely.get_num_coordinates(shapes).astype(np.float64)
    order = np.argsort(vertices, kind="stable")
    careful = np.zeros(len(shapes), dtype=bool)
    careful[order] = np.cumsum(vertices[order] ** 2) <= MAX_CARE
    return careful


def _thinned(part: Any, tolerance: float) -> Any:
    """A polygon with one of the vertices that follow each other in a square of this size."""
    rings: list[Any] = []
    for xy in map(shapely.get_coordinates, shapely.get_rings(part)):
        square = np.floor(xy / tolerance)
        kept = np.append(True, (square[1:] != square[:-1]).any(axis=1))
        kept[-1] = True  # the ring is closed
        rings.append(shapely.linearrings(xy[kept] if kept.sum() > 3 else xy))
    return shapely.polygons(rings[0], rings[1:] or None)


def _check_near(lonlat: Array, grid: CityGrid, where: list[str]) -> None:
    west, south, east, north = grid.box
    middle = ((south + north) / 2, (west + east) / 2)
    diagonal = float(np.hypot(grid.width, grid.height))
    allowed = diagonal / 2 + max(50.0, diagonal)
    km = great_circle_km(lonlat[:, 1], lonlat[:, 0], *middle)
    far = np.flatnonzero(km > allowed)
    if far.size == 0:
        return
    i = int(far[0])
    swapped = great_circle_km(lonlat[i, 0], lonlat[i, 1], *middle) <= allowed
    hint = "; latitude and longitude look swapped (GeoJSON has longitude first)" if swapped else ""
    raise ValueError(
        f"{where[i]} lies {km[i]:,.0f} km from the middle of the city (at most {allowed:,.0f} km are accepted)"
        f"{hint}; {far.size:,} of {len(km):,} zones are too far away"
    )


def _names(raw: list[str], notes: list[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    names = []
    for i, text in enumerate(raw):
        name = plain_text(text) or f"Zone {i + 1}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    if len(seen) < len(raw):
        again = counted(len(raw) - len(seen), "name", "names")
        notes.append(f"{again} that appeared before got a number.")
    return tuple(names)


def _rings(part: Any) -> Rings:
    return tuple(shapely.get_coordinates(ring) for ring in shapely.get_rings(part))
