"""What stands behind the atoms in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.checks import Array
from dpot_core.datasets import Outline
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.population.people import People


@dataclass(frozen=True)
class Backdrop:
    """The outlines of the areas, and people counted in square cells."""

    outline: Outline
    x: Array  # middles of the columns (a,) and of the rows (b,) of cells
    y: Array
    people: Array  # people in each cell, (b, a); all groups together
    simulated: bool

    @property
    def geographic(self) -> bool:
        """Whether coordinates are degrees."""
        return self.outline.geographic


@cached
def backdrop(people: People, columns: int = 116) -> Backdrop:
    west, south, east, north = people.outline.bounds
    side = (east - west) / columns
    rows = max(1, min(4 * columns, int(np.ceil((north - south) / side))))
    x: Array = west + (np.arange(columns, dtype=np.float64) + 0.5) * side
    height = (north - south) / rows
    y: Array = south + (np.arange(rows, dtype=np.float64) + 0.5) * height
    points, counts = people.sample.points, people.sample.weights.sum(axis=0)
    column = np.clip(((points[:, 0] - west) / side).astype(np.intp), 0, columns - 1)
    row = np.clip(((points[:, 1] - south) / height).astype(np.intp), 0, rows - 1)
    table = np.bincount(row * columns + column, counts, rows * columns).reshape(rows, columns)
    return Backdrop(people.outline, x, y, table.astype(np.float64), people.sample.simulated)
