"""A user's own population, from the bytes of a CSV file. Nothing here touches the disk."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.csv_degrees import LATITUDE, LONGITUDE, longitudes, placed_rows
from dpot_core.datasets.csv_headers import CsvColumns, Layout
from dpot_core.datasets.csv_tables import CsvRows, read_header, read_rows
from dpot_core.datasets.outlines import Outline
from dpot_core.datasets.population import EVERYBODY, MAX_GROUPS, MAX_PEOPLE, Population
from dpot_core.datasets.uploads import plain_text

_LAYOUT = Layout(
    {
        "lon": (*LONGITUDE, "x"),
        "lat": (*LATITUDE, "y"),
        "weight": ("weight", "population", "people", "persons", "count", "n", "pop"),
        "group": ("group", "region", "class", "category"),
    },
    required=("lon", "lat"),
    numeric=("lon", "lat", "weight"),
    without={"weight": "Every row counts as one person."},
    likely={
        "weight": (
            r"((tot(al)?)?pop(ulation)?(total|est(imate)?|count|size)?|totp)\d{0,4}",
            "the number of people of each row",
        )
    },
    what="population file",
)

#: The columns that are understood; "weight" (then 1 a row) and "group" (then one group) may be missing.
POPULATION_ROLES = tuple(_LAYOUT.aliases)

#: What happens to points outside the region: key -> words.
OUTSIDE = {"clip": "moved to the nearest point of the region", "reject": "left out"}


def sniff_population(data: bytes) -> CsvColumns:
    """The header of a population file, and which columns look like lon, lat, weight and group.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    return read_header(data, _LAYOUT)


def read_population_csv(
    data: bytes,
    outline: Outline,
    mapping: Mapping[str, str] | None = None,
    outside: str = "clip",
    title: str = "Your population",
    progress: Progress | None = None,
) -> Population:
    """A population from a CSV file with one row for each point (and group); rows of one point and group add up.

    Args:
        data: the file's bytes, at most `uploads.MAX_UPLOAD_BYTES` and `MAX_ROWS` rows.
        outline: the public region, chosen without looking at the data; its coordinates are those of the file.
        mapping: the file's column for each of "lon", "lat" and (optional) "weight" and "group"; None to recognise.
        outside: "clip" moves points outside the region to its nearest point, "reject" leaves them out.
        title: what the data are, for the screen.
        progress: called with how many of the points outside are moved, and how many there are: a million take seconds.

    Returns:
        The population; `.notes` counts the points that were moved or left out.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: names the row, the column, the value and what is required; says when longitude and latitude are
            swapped, when no point is left, and which group has a weight of 0.
    """
    if outside not in OUTSIDE:
        raise ValueError(f"outside must be one of {', '.join(OUTSIDE)}; got {outside!r}")
    rows = read_rows(data, _LAYOUT, mapping)
    notes = list(rows.notes)
    points = _coordinates(rows, outline, notes)
    weight = np.ones(len(points))
    if "weight" in rows.chosen:
        weight = rows.numbers("weight", 0.0, MAX_PEOPLE, f"a number in [0, {MAX_PEOPLE:,}]")
    labels = rows.labels("group", notes) if "group" in rows.chosen else [EVERYBODY] * len(points)
    codes, names = pd.factorize(pd.Series(labels, dtype=object), sort=True)
    if len(names) > MAX_GROUPS:
        raise ValueError(
            f"column {rows.chosen['group']!r} has {len(names):,} groups; at most {MAX_GROUPS} are accepted"
        )
    if outline.geographic:
        placed = placed_rows(points[:, 0], points[:, 1], notes)
        points, weight, codes = points[placed], weight[placed], codes[placed]
    elif re.search("lon|lng", rows.chosen["lon"].lower()) and np.abs(points).max(initial=0.0) <= 360.0:
        notes.append("In a box longitude and latitude are coordinates of a plane: distances are in degrees.")
    inside = outline.contains(points)
    if not inside.all():
        if outside == "reject":
            points, weight, codes = points[inside], weight[inside], codes[inside]
        else:
            points = outline.clip(points, progress)
        notes.append(f"{int((~inside).sum()):,} of {len(inside):,} points outside the region were {OUTSIDE[outside]}.")
    if not weight.any():
        raise ValueError(f"no point with a weight is left in the region ({outline.name})")
    # As complex numbers, which are sorted by their first part, then by the other: twice as fast as rows are.
    places, index = np.unique(points[:, 0] + 1j * points[:, 1], return_inverse=True)
    weights = np.zeros((len(names), len(places)))
    np.add.at(weights, (codes, index.ravel()), weight)
    if (whole := _whole_people(weights)) is not weights:
        notes.append(f"Fractions of people were rounded to whole people: {whole.sum():,.0f} in all.")
    return Population(
        lon=places.real.copy(),
        lat=places.imag.copy(),
        weights=whole,
        group_names=tuple(str(name) for name in names),
        title=plain_text(title),
        simulated=False,
        outline=outline,
        source="a file given by the user",
        licence="As its owner says; it stays in memory and is never written to disk.",
        notes=tuple(notes),
    )


def _whole_people(weights: Array) -> Array:
    """The same weights (G, n) if they are whole, else rounded by the largest remainder, each group's sum to itself."""
    down = np.floor(weights)
    if (down == weights).all():
        return weights
    for own, rest in zip(down, weights - down, strict=True):
        more = int(np.floor(rest.sum() + 0.5))
        own[np.argsort(-rest, kind="stable")[:more]] += 1
    return down


def _coordinates(rows: CsvRows, outline: Outline, notes: list[str]) -> Array:
    """Positions (n, 2); refused when they fit the region only after the two columns were exchanged."""
    limits = (180.0, 90.0) if outline.geographic else (1e9, 1e9)
    wide = 360.0 if outline.geographic else max(limits)
    unit = "degrees, decimal point" if outline.geographic else "decimal point"
    xy = np.column_stack([rows.numbers(role, -wide, wide, f"a number ({unit})") for role in ("lon", "lat")])
    ways = (xy, xy[:, ::-1])
    # All points are counted where some of them look swapped.
    few = slice(None, None, max(1, len(xy) // 10_000))
    fitting = [int(outline.contains(points[few]).sum()) for points in ways]
    if fitting[1] > fitting[0]:
        fitting = [int(outline.contains(points).sum()) for points in ways]
    if outline.geographic and fitting[1] > max(fitting[0], len(xy) // 2):
        raise ValueError(
            f"longitude and latitude look swapped: {fitting[0]:,} of {len(xy):,} points lie in the region as they are, "
            f"{fitting[1]:,} when {rows.chosen['lon']!r} and {rows.chosen['lat']!r} are exchanged; choose the columns "
            "the other way around"
        )
    for role, limit, column in zip(("lon", "lat"), limits, xy.T, strict=True):
        if np.abs(column).max(initial=0.0) > limit:  # read anew for the sentence only: that takes half a second
            if role == "lon" and outline.geographic:
                xy[:, 0] = longitudes(rows, notes)
            else:
                rows.numbers(role, -limit, limit, f"a number in [-{limit:g}, {limit:g}] ({unit})")
    return xy
