"""Where in a city a history of one place is moved farthest, and how far: exactly, on fine grids without a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpot_app.cities.city import City, make_public
from dpot_app.cities.visited_cells import VisitedCells
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms import MECHANISMS, Kernel
from dpot_core.mechanisms.exponential import public_bounds
from dpot_core.mechanisms.knowledge import Private, Public
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import Space, grid_cost
from dpot_core.transport.capped_simplex import minimise_linear
from dpot_core.transport.point_inputs import (
    costliest_point,
    costs_of_points,
    costs_with_equal_bounds,
    mirror_images,
    sums_from_points,
)
from dpot_core.worst_case import Bracket, WorstCase, worst_case_divergence, worst_case_wasserstein

#: Distances of cells and zones that are worked with together, 64 MB.
_MOST = 2**23
#: Cells whose histories are looked at together.
_CELLS = 512
#: Probabilities of outputs of histories at one cell, of a mechanism that must be run at each of them: 8 MB.
_RUN = 2**20


def worst_by_cell(city: City, base: Array, epsilon: float, progress: Progress | None = None) -> WorstCase:
    """U of WPM in W_p, km, with how far it moves a history at each cell."""
    polytope, p = Polytope(base, epsilon), city.p
    if not city.fine:
        return worst_case_wasserstein(_distances(city) ** p, polytope, p)
    cost, lower, upper = grid_cost(city.grid.space, p), polytope.lower, polytope.upper
    if not np.ptp(base):
        return WorstCase(costs_with_equal_bounds(cost, float(lower[0]), float(upper[0])) ** (1 / p))
    return WorstCase(costs_of_points(cost, lower, upper, progress=progress) ** (1 / p))


def farthest(city: City, base: Array, epsilon: float) -> float:
    """U of WPM in W_p, km: the largest of all cells."""
    polytope, p = Polytope(base, epsilon), city.p
    if city.zones is not None:
        return float(worst_case_wasserstein(_distances(city) ** p, polytope, p))
    cost, lower, upper = grid_cost(city.grid.space, p), polytope.lower, polytope.upper
    if not np.ptp(base):
        return float(worst_case_wasserstein(cost, polytope, p))
    return float(costliest_point(cost.space, p, lambda cells: costs_of_points(cost, lower, upper, cells))[1] ** (1 / p))


def largest_of_points(city: City, mechanism: str, base: Array, epsilon: float) -> float:
    """The largest W_p between a history at one cell and what a mechanism of `MECHANISMS` makes of it, km.

    On fine grids a corner's: for mechanisms that treat all other cells alike, see `_at_corner`.
    """
    public = make_public(city, base, epsilon, None)
    kernel = MECHANISMS[mechanism](public)
    if city.fine:
        return _at_corner(city, kernel, public, mechanism)
    return _largest(city, kernel, public, np.arange(len(city.grid)))


def bracket(city: City, mechanism: str, base: Array, epsilon: float, reg: float | None = None) -> Bracket:
    """The worst case of a mechanism over all histories, W_p in km: both ends are the same where it is known.

    `worst_case_bracket` for cities, without a matrix of all cells where the outputs are these. From below: what a
    history at one cell attains. From above: W_p^p is convex in the history, and every output lies in the mechanism's
    polytope (for zones also in the box that its outputs at single cells leave); the bound is the most that an output
    in there can cost from any one cell. It is found

    - for mechanisms that treat all other cells alike, KPM and k-RR, at a corner, which has the largest costs;
    - else by `costliest_point`: it is a distance to the power p, from the cell to the farthest such output.

    KPM and k-RR change as little of any history as a mechanism can, in total variation, so that W_p^p is at most that
    times the largest distance to the power p.

    Of EM at single cells W_p^p is a ratio of two sums over all offsets (`sums_from_points`). Other mechanisms are run
    at single cells: of cells that reflections map on each other at one, and of many at a part (`cells_run`).

    Args:
        city: the city, with the order of its loss.
        mechanism: a key of `MECHANISMS`.
        base: base measure of WPM, (k_v,).
        epsilon: privacy parameter in nats.
        reg: entropic weight of WPM; None for exact.

    Source: wpm_2605.10015, Theorem 3.5, for WPM; `worst_case_bracket`.
    """
    row = MECHANISMS[mechanism]
    if mechanism == "wpm" and reg is None:
        worst = farthest(city, base, epsilon)
        return Bracket(worst, worst)
    public = make_public(city, base, epsilon, reg)
    kernel, polytope = row(public), row.polytope(public)
    alike = row.worst_divergence == "minimax"
    if city.zones is not None:
        least = _largest(city, kernel, public, np.arange(len(city.grid)))
        most = _dearest_zone(city, outputs_of_cells(city, kernel, public, np.arange(len(city.grid))), polytope)
    else:
        cost = grid_cost(city.grid.space, city.p)
        if alike:
            least, corner = _at_corner(city, kernel, public, mechanism), np.zeros(1, dtype=np.intp)
            most = float(costs_of_points(cost, polytope.lower, polytope.upper, corner, dearest=True)[0])
        else:
            cells = cells_run(city, base, public.prior if row.without_prior else None)
            least = _exponential(city, epsilon) if mechanism == "em" else _largest(city, kernel, public, cells)
            most = costliest_point(
                cost.space,
                city.p,
                lambda some: costs_of_points(cost, polytope.lower, polytope.upper, some, dearest=True),
            )[1]
        most **= 1 / city.p
    if alike:
        if row.worst_distance == "exact":
            return Bracket(least, least)
        share = worst_case_divergence("tv", city.n_outputs, epsilon)
        most = min(most, _to_nearest(city) + _across(city) * share ** (1 / city.p))
    return Bracket(least, max(least, most))


def cells_run(city: City, base: Array, prior: Array | None = None) -> NDArray[np.intp]:
    """The cells at which a mechanism is run that has no other way to its worst case at one cell: a corner is in it."""
    cells, most = _different(city, base, prior), max(_RUN // city.n_outputs, 9)
    if runs_everywhere(city, base, prior):
        return cells
    return cells[np.linspace(0, cells.size - 1, most).astype(np.intp)]


def runs_everywhere(city: City, base: Array, prior: Array | None = None) -> bool:
    """Whether `cells_run` leaves no cell out, but for reflections."""
    return city.zones is not None or _different(city, base, prior).size <= max(_RUN // city.n_outputs, 9)


def _different(city: City, base: Array, prior: Array | None = None) -> NDArray[np.intp]:
    """Cells of which no reflection of grid, base measure and prior maps one on another; all where outputs are zones."""
    if city.zones is not None:
        return np.arange(len(city.grid))
    return np.unique(mirror_images(grid_cost(city.grid.space, 1), base, base if prior is None else prior))


def _at_corner(city: City, kernel: Kernel, public: Public, mechanism: str) -> float:
    """The largest W_p from a history at one cell, of a mechanism that releases all other cells alike, km.

    W_p^p is then in proportion to the sum of the costs from the cell, which is largest at a corner
    (`best_uniform_base`).
    """
    cells = np.zeros(1, dtype=np.intp)
    corner = VisitedCells(cells, city.between(cells), city.diameter, city.p)
    output = kernel(Private.of(public, np.ones(1), corner))
    others = np.delete(output, 0)
    if np.ptp(others) > 1e-12 * others.max():
        raise RuntimeError(f"{mechanism} tells other cells apart: a corner need not be worst off")
    return float((output @ corner.distances[0] ** city.p) ** (1 / city.p))


def outputs_of_cells(city: City, kernel: Kernel, public: Public, cells: NDArray[np.intp]) -> Array:
    """A mechanism's outputs for a history at each of some cells, (r, k_v)."""
    places = VisitedCells(cells, city.between(cells), city.diameter, city.p)
    return kernel(Private.of(public, np.eye(cells.size), places))


def _largest(city: City, kernel: Kernel, public: Public, cells: NDArray[np.intp]) -> float:
    """The largest W_p from a history at one of some cells, km."""
    largest = 0.0
    # Some cells at a time: an input at each of all cells would be a matrix of k by k.
    for first in range(0, len(cells), _CELLS):
        some = cells[first : first + _CELLS]
        costs = city.between(some) ** city.p
        largest = max(largest, float((outputs_of_cells(city, kernel, public, some) * costs).sum(axis=1).max()))
    return float(largest ** (1 / city.p))


def _exponential(city: City, epsilon: float) -> float:
    """The largest W_p from a history at one cell to what EM makes of it, km: of all cells, in k steps.

    EM releases j from i with probability e^(-c d_ij) over the sum of these, c = epsilon / (2 S), so that W_p^p is the
    sum over j of e^(-c d_ij) d_ij^p over the sum of e^(-c d_ij).
    """
    distances = grid_cost(city.grid.space, 1)
    weights = np.exp(-0.5 * epsilon * distances.offsets / public_bounds(distances, epsilon).sensitivity)
    costs = sums_from_points(weights * distances.offsets**city.p) / sums_from_points(weights)
    return float(costs.max() ** (1 / city.p))


def _dearest_zone(city: City, rows: Array, polytope: Polytope) -> float:
    """The upper end of `worst_case_bracket`, with the order of the distances that all values of epsilon share."""
    ratio = np.exp(polytope.epsilon)
    lower = np.maximum(rows.max(axis=0) / ratio, polytope.lower)
    upper = np.maximum(np.minimum(rows.min(axis=0) * ratio, polytope.upper), lower)
    costs = _distances(city) ** city.p
    dearest = -minimise_linear(-costs, city.farthest_first, lower, upper)[0]
    return float(dearest.max() ** (1 / city.p))


def _across(city: City) -> float:
    """The largest distance between two outputs, km."""
    return city.diameter if city.zones is None else Space(city.zones.points).diameter


def _to_nearest(city: City) -> float:
    """How far a cell is from its nearest output at most, km."""
    return 0.0 if city.snap is None else float(city.distances.min(axis=1).max())


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
