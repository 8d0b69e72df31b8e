"""Where in a city a history of one place is moved farthest, and how far: exactly, on fine grids without a matrix."""

from __future__ import annotations

import numpy as np

from dpot_app.cities.city import City, make_public
from dpot_app.cities.visited_places import Places
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.knowledge import Private
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import grid_cost
from dpot_core.transport.point_inputs import costliest_point, costs_of_points, costs_with_equal_bounds
from dpot_core.worst_case import WorstCase, worst_case_wasserstein

#: Distances of cells and zones that are worked with together, 64 MB.
_MOST = 2**23
#: Cells whose histories are looked at together.
_CELLS = 512


def worst_by_cell(city: City, base: Array, epsilon: float, progress: Progress | None = None) -> WorstCase:
    """U of WPM, km, with how far it moves a history at each cell."""
    polytope = Polytope(base, epsilon)
    if not city.fine:
        return worst_case_wasserstein(_distances(city), polytope, 1)
    cost, lower, upper = grid_cost(city.grid.space, 1), polytope.lower, polytope.upper
    if not np.ptp(base):
        return WorstCase(costs_with_equal_bounds(cost, float(lower[0]), float(upper[0])))
    return WorstCase(costs_of_points(cost, lower, upper, progress=progress))


def farthest(city: City, base: Array, epsilon: float) -> float:
    """U of WPM, km: the largest of all cells."""
    polytope = Polytope(base, epsilon)
    if city.zones is not None:
        return float(worst_case_wasserstein(_distances(city), polytope, 1))
    cost, lower, upper = grid_cost(city.grid.space, 1), polytope.lower, polytope.upper
    if not np.ptp(base):
        return float(worst_case_wasserstein(cost, polytope, 1))
    return costliest_point(cost.space, 1, lambda cells: costs_of_points(cost, lower, upper, cells))[1]


def largest_of_points(city: City, mechanism: str, base: Array, epsilon: float) -> float:
    """The largest W_1 between a history at one cell and what a mechanism of `MECHANISMS` makes of it, km.

    On fine grids a corner's: for mechanisms that treat all other cells alike, as k-RR does. Their distance is then in
    proportion to the sum of the distances from the cell, which is largest at a corner (`best_uniform_base`).
    """
    public = make_public(city, base, epsilon, None)
    kernel = MECHANISMS[mechanism](public)
    if city.fine:
        cells = np.zeros(1, dtype=np.intp)
        corner = Places(cells, city.between(cells), city.diameter)
        output = kernel(Private.of(public, np.ones(1), corner))
        others = np.delete(output, 0)
        if np.ptp(others) > 1e-12 * others.max():
            raise RuntimeError(f"{mechanism} tells other cells apart: a corner need not be worst off")
        return float(output @ corner.distances[0])
    distances, largest = _distances(city), 0.0
    # Some cells at a time: an input at each of all cells would be a matrix of k by k.
    for first in range(0, len(distances), _CELLS):
        cells = np.arange(first, min(first + _CELLS, len(distances)))
        places = Places(cells, distances[cells], city.diameter)
        outputs = kernel(Private.of(public, np.eye(cells.size), places))
        largest = max(largest, float((outputs * distances[cells]).sum(axis=1).max()))
    return largest


def _distances(city: City) -> Array:
    """All distances, (k, k_v), km.

    Raises:
        ValueError: if there are too many zones for so many cells.
    """
    cells, outputs = len(city.grid), city.n_outputs
    if city.zones is not None and cells * outputs > _MOST:
        raise ValueError(
            f"{outputs:,} zones and {cells:,} cells are too many for the worst case; take "
            f"{int(np.sqrt(_MOST / outputs))} cells per side or fewer"
        )
    return city.distances
