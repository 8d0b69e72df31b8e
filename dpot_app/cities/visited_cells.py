"""Cells that a person visited, with what all outputs cost from there: for all values of epsilon."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.transport.kernels import SharedCost


@dataclass(frozen=True, eq=False)
class VisitedCells:
    """Some cells of a city, and the distances from them to all outputs, (r, k_v), km."""

    cells: NDArray[np.intp]  # ascending
    distances: Array
    diameter: float  # of the city, km
    p: float = 1.0  # order of the loss

    @cached_property
    def cost(self) -> SharedCost:
        """Distances scaled by the diameter, to the power p, (r, k_v): for all values of epsilon."""
        return SharedCost((self.distances / self.diameter) ** self.p)

    def distances_of(self, cells: NDArray[np.intp]) -> Array:
        """Distances from some of them; from all of them without a copy."""
        rows = np.searchsorted(self.cells, cells)
        return self.distances if rows.size == self.cells.size else self.distances[rows]
