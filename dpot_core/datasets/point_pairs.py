"""Two sets of points in the plane: simulated, from check-ins, or one's own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array, check_count, check_finite, check_number
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.city_grid import Box, city_grid
from dpot_core.datasets.csv_degrees import LATITUDE, LONGITUDE, placed_rows
from dpot_core.datasets.csv_headers import CsvColumns, Layout
from dpot_core.datasets.csv_names import bare_name
from dpot_core.datasets.csv_tables import read_header, read_rows
from dpot_core.spaces import Space, grid

#: Pairs that a seeded generator makes: name -> title.
SIMULATED_PAIRS = {"gaussians": "Two Gaussians", "rings": "Two rings"}

_LAYOUT = Layout(
    {
        "group": ("group", "set", "label", "class", "sample", "data_set", "dataset"),
        "x": ("x", *LONGITUDE, "east", "x_1", "x1"),
        "y": ("y", *LATITUDE, "north", "x_2", "x2"),
    },
    required=("group", "x", "y"),
    numeric=("x", "y"),
)

_ONE_VISIT = "One point is one check-in: a person with m of them is protected with m times epsilon only."
#: Coordinates of a file lie between this and its negative.
FARTHEST = 1e12

#: A public rectangle in a file's own coordinates: smallest x, smallest y, largest x, largest y.
Rectangle = tuple[float, float, float, float]

_AROUND = "The rectangle is drawn around the points and treated as public: it tells where the outermost points are."

#: The columns of a file with two groups of points.
PAIR_ROLES = tuple(_LAYOUT.aliases)


@dataclass(frozen=True, eq=False)
class PointPair:
    """Two sets of points in a rectangle [0, width] x [0, height].

    Attributes:
        first: (n, 2), in `unit`.
        second: (m, 2), in `unit`.
        names: of the two sets.
        extent: (width, height), in `unit`. Treated as public.
        unit: of the coordinates, for axes; "" for none.
        record: what one point is, for the promise.
        title: what the data are.
        simulated: whether everything is invented.
        source: where the points come from.
        notes: what a reader should know.
        around: whether the rectangle was drawn around the points, so that it tells where the outermost ones are.
        beyond: how many points lay beyond the rectangle and were moved to its edge.
    """

    first: Array
    second: Array
    names: tuple[str, str]
    extent: tuple[float, float]
    unit: str
    record: str
    title: str
    simulated: bool
    source: str
    notes: tuple[str, ...] = ()
    around: bool = False
    beyond: int = 0

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            points = check_finite(getattr(self, name), name, non_negative=False)
            if points.ndim != 2 or points.shape[1] != 2 or not len(points):
                raise ValueError(f"{name} must have shape (n, 2) with at least one point; got {points.shape}")
            own = points.copy()
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    @cached_property
    def digest(self) -> str:
        """Fingerprint of everything in it."""
        said = repr((self.names, self.extent, self.unit, self.record, self.title, self.source, self.notes))
        return hashlib.sha256(self.first.tobytes() + b"|" + self.second.tobytes() + said.encode()).hexdigest()

    def on_grid(self, cells: int) -> tuple[Space, Array, Array]:
        """The centres of cells x cells equal rectangles, and how many points of each set lie in each of them.

        Args:
            cells: per side, 2 to 64.

        Returns:
            Space of k = cells^2 points (in `unit`), counts (k,) of the first set and of the second. Points outside the
            rectangle count for the nearest cell.
        """
        side = check_count(cells, "cells", 2, 64)
        width, height = self.extent
        half = (width / side / 2, height / side / 2)
        space = grid(side, side, (half[0], width - half[0], half[1], height - half[1]))
        counts = []
        for points in (self.first, self.second):
            place = np.clip(np.floor(points / self.extent * side).astype(np.intp), 0, side - 1)
            counts.append(np.bincount(place[:, 1] * side + place[:, 0], minlength=side * side).astype(np.float64))
        return space, counts[0], counts[1]


def simulated_pair(kind: str, n: int = 5000, seed: int = 0) -> PointPair:
    """Two invented sets of n points in the unit square, from a seeded generator.

    "gaussians": means (0.3, 0.35) and (0.7, 0.6), standard deviations 0.1 and 0.1 by 0.06. "rings": radii 0.3 and
    0.15 around (0.42, 0.5) and (0.6, 0.5), width 0.02.

    Args:
        kind: a key of ``SIMULATED_PAIRS``.
        n: points of each set, 1 to 100,000.
        seed: of the generator.

    Returns:
        The pair, marked `simulated`; points beyond the square are moved to its edge.

    Raises:
        ValueError: if an argument is out of range.
    """
    if kind not in SIMULATED_PAIRS:
        raise ValueError(f"kind must be one of {', '.join(SIMULATED_PAIRS)}; got {kind!r}")
    size = check_count(n, "n", 1, 100_000)
    rng = np.random.default_rng(check_count(seed, "seed", 0, 2**63))
    if kind == "gaussians":
        first = rng.normal((0.3, 0.35), 0.1, (size, 2))
        second = rng.normal((0.7, 0.6), (0.1, 0.06), (size, 2))
        names = ("first Gaussian", "second Gaussian")
    else:
        first, second = (
            centre + _around(size, radius, rng) for centre, radius in (((0.42, 0.5), 0.3), ((0.6, 0.5), 0.15))
        )
        names = ("large ring", "small ring")
    inside = [np.clip(points, 0.0, 1.0) for points in (first, second)]
    return PointPair(
        inside[0],
        inside[1],
        names,
        (1.0, 1.0),
        "",
        "point",
        SIMULATED_PAIRS[kind],
        True,
        f"a generator with seed {seed}; no real people",
    )


def check_in_pair(checkins: CheckIns, n: int = 5000, seed: int = 0, box: Box | None = None) -> PointPair:
    """Check-ins of two groups of people: those with most check-ins, and all others.

    The people are split so that both groups have about half of all check-ins; n of each group are drawn without
    replacement. One point is one check-in, not one person.

    Args:
        checkins: the data; counts must be whole numbers of visits.
        n: points of each group; fewer where a group has fewer.
        seed: of the draw.
        box: public (west, south, east, north) in degrees; None to draw the rectangle around all check-ins, which
            tells where the outermost are.

    Returns:
        The pair, in kilometres; check-ins beyond the box are moved to its edge.

    Raises:
        ValueError: if there are fewer than two people, or counts are not whole numbers.
    """
    size = check_count(n, "n", 1, 100_000)
    if checkins.n_users < 2:
        raise ValueError("two groups need at least two people; got 1")
    if (checkins.count != np.round(checkins.count)).any():
        raise ValueError("count must hold whole numbers of visits")
    order = np.argsort(-checkins.totals, kind="stable")
    half = int(np.searchsorted(np.cumsum(checkins.totals[order]), checkins.totals.sum() / 2)) + 1
    busy = np.zeros(checkins.n_users, dtype=bool)
    busy[order[: min(half, checkins.n_users - 1)]] = True
    area = city_grid(checkins if box is None else box, 5)  # only its rectangle counts
    extent = (area.width, area.height)
    places = np.clip(area.to_km(checkins.lat, checkins.lon), 0.0, extent)
    rng = np.random.default_rng(check_count(seed, "seed", 0, 2**63))
    groups = []
    for chosen in (busy[checkins.user], ~busy[checkins.user]):
        visits = np.repeat(np.flatnonzero(chosen), checkins.count[chosen].astype(np.intp))
        drawn = rng.choice(visits, min(size, visits.size), replace=False)
        groups.append(places[drawn])
    return PointPair(
        groups[0],
        groups[1],
        (f"{int(busy.sum()):,} people with most check-ins", f"{int((~busy).sum()):,} other people"),
        extent,
        "km",
        "check-in",
        checkins.title,
        checkins.simulated,
        checkins.source,
        (*checkins.notes, *((_AROUND,) if box is None else ()), _ONE_VISIT),
        box is None,
    )


def sniff_pair(data: bytes) -> CsvColumns:
    """The header of a CSV file, and which columns look like group, x and y.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    return read_header(data, _LAYOUT)


def read_pair_csv(data: bytes, mapping: Mapping[str, str] | None = None, box: Rectangle | None = None) -> PointPair:
    """Two groups of points from a CSV file with one row for each point: group, x, y.

    Args:
        data: the file's bytes.
        mapping: the file's column for each of "group", "x", "y"; None to recognise them by their names.
        box: public rectangle, chosen without looking at the points: those beyond it are moved to its edge. None to
            draw it around all points, which tells where the outermost are.

    Returns:
        The pair; the group that comes first in the file is the first set.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: if there are not exactly two groups, a number is missing, or the rectangle has no area.
    """
    if box is not None:
        check_rectangle(box)
    rows = read_rows(data, _LAYOUT, mapping)
    notes = list(rows.notes)
    labels = np.array(rows.labels("group", notes), dtype=object)
    within = f"a number from {-FARTHEST:g} to {FARTHEST:g}"
    points = np.column_stack([rows.numbers(axis, -FARTHEST, FARTHEST, within) for axis in ("x", "y")])
    if bare_name(rows.chosen["x"]) in LONGITUDE:
        points, labels = _on_earth(points, labels, notes, box)
    groups = list(dict.fromkeys(labels))
    if len(groups) != 2:
        shown = ", ".join(repr(name) for name in groups[:5])
        raise ValueError(f"the file must name exactly two groups; got {len(groups)}: {shown}")
    beyond = 0
    if box is None:
        low, high = points.min(axis=0), points.max(axis=0)
        high = low + np.maximum(high - low, 1e-9 * np.maximum(np.abs(high), 1.0))
        notes.append(_AROUND)
    else:
        low, high = np.array(box[:2]), np.array(box[2:])
        beyond = int(np.any((points < low) | (points > high), axis=1).sum())
        points = np.clip(points, low, high)
    size = high - low
    first, second = (points[labels == name] - low for name in groups)
    return PointPair(
        first,
        second,
        (groups[0], groups[1]),
        (float(size[0]), float(size[1])),
        "",
        "row of the file",
        "Your points",
        False,
        "a file of yours",
        tuple(notes),
        box is None,
        beyond,
    )


def _on_earth(
    points: Array, labels: NDArray[np.object_], notes: list[str], box: Rectangle | None
) -> tuple[Array, NDArray[np.object_]]:
    """Degrees in one piece: no position is no point; what lies on both sides of the 180th meridian goes on.

    With a public box each longitude is turned to where it is nearest to the box's middle, whatever the others are: by
    one person's point no other one may move.
    """
    placed = placed_rows(points[:, 0], points[:, 1], notes)
    points, labels = points[placed], labels[placed]
    lon = points[:, 0]
    if box is None:
        east = np.mod(lon, 360.0)
        together = np.ptp(lon) > 180.0 and np.ptp(east) < np.ptp(lon)
        turned = east if together else lon
    else:
        turned = lon - 360.0 * np.rint((lon - 0.5 * (box[0] + box[2])) / 360.0)
    if (turned != lon).any():
        points = np.column_stack([np.where(turned != lon, np.round(turned, 9), lon), points[:, 1]])
        notes.append("Longitudes go on beyond the 180th meridian: -179.9 was read as 180.1.")
    return points, labels


def check_rectangle(box: Rectangle) -> None:
    """Complain about a rectangle without an area.

    Raises:
        ValueError: if a number is beyond what a file may hold, or a largest coordinate not larger than the smallest.
    """
    x0, y0, x1, y1 = (check_number(edge, "box", -FARTHEST, FARTHEST) for edge in box)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"box must have smallest < largest for x and y; got {x0:g}, {y0:g}, {x1:g}, {y1:g}")


def _around(n: int, radius: float, rng: np.random.Generator) -> Array:
    angle, distance = rng.uniform(0.0, 2.0 * np.pi, n), rng.normal(radius, 0.02, n)
    return np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])
