"""What stands behind the atoms in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.checks import Array
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.population.people import People


@dataclass(frozen=True)
class Backdrop:
    """The outlines of the areas, and people counted in square cells."""

    lines: tuple[tuple[str, Array], ...]  # name and ring (m, 2) of each area
    x: Array  # middles of the columns (a,) and of the rows (b,) of cells
    y: Array
    people: Array  # people in each cell, (b, a); all groups together
    geographic: bool  # coordinates are degrees
    bounds: tuple[float, float, float, float]  # west, south, east, north
    simulated: bool


@cached
def backdrop(people: People, columns: int = 116) -> Backdrop:
    """What a picture of these people needs."""
    west, south, east, north = people.outline.bounds
    side = (east - west) / columns
    rows = max(1, min(4 * columns, int(np.ceil((north - south) / side))))
    x = west + (np.arange(columns) + 0.5) * side
    height = (north - south) / rows
    y = south + (np.arange(rows) + 0.5) * height
    points, counts = people.sample.points, people.sample.weights.sum(axis=0)
    column = np.clip(((points[:, 0] - west) / side).astype(np.intp), 0, columns - 1)
    row = np.clip(((points[:, 1] - south) / height).astype(np.intp), 0, rows - 1)
    table = np.bincount(row * columns + column, counts, rows * columns).reshape(rows, columns)
    return Backdrop(
        lines=tuple((name, ring) for name, rings in people.outline.areas for ring in rings),
        x=np.asarray(x, dtype=np.float64),
        y=np.asarray(y, dtype=np.float64),
        people=np.asarray(table, dtype=np.float64),
        geographic=people.outline.geographic,
        bounds=people.outline.bounds,
        simulated=people.sample.simulated,
    )
