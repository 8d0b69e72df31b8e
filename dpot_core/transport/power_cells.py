"""Power cells: which part of the plane each atom of a semi-discrete plan serves, and where these parts meet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
import shapely
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_finite
from dpot_core.transport.semidiscrete import check_atoms

#: Shorter than this share of the region's width a border is a corner that rounding has torn apart.
_CORNER = 1e-9


@dataclass(frozen=True)
class PowerBorders:
    """Where power cells meet inside a region: straight pieces, in the order of their atoms and then along the line.

    Attributes:
        pairs: the two atoms on whose border each piece lies, (e, 2), the smaller number first.
        ends: both ends of each piece, (e, 2, 2).
    """

    pairs: NDArray[np.intp]
    ends: Array


def power_cells(atoms: ArrayLike, potentials: ArrayLike, region: Any) -> NDArray[np.object_]:
    """The power cells of atoms with their potentials, cut to a region.

    Cell j = { x in the region : |x - y_j|^2 - psi_j <= |x - y_l|^2 - psi_l for all l }: where the optimal plan for
    p = 2 with the dual potentials psi (`semidiscrete.transport`) sends what lies at x. Equal potentials give Voronoi's
    cells. Of atoms at one place the cell belongs to one with the largest potential.

    Args:
        atoms: positions y, (m, 2).
        potentials: psi, (m,), squared units of the positions.
        region: shapely polygon or multipolygon.

    Returns:
        A shapely geometry for each atom, (m,), empty where its cell is.

    Raises:
        ValueError: for shapes that do not fit.

    Source: Aurenhammer (1987): a power diagram is the projection of an intersection of half-spaces.
    """
    y, psi = _checked(atoms, potentials)
    corners, facets = _diagram(y, psi, region)
    of_atom: list[list[int]] = [[] for _ in y]
    for place, planes in enumerate(facets):
        for atom in planes:
            of_atom[atom].append(place)
    cells = shapely.convex_hull(np.array([shapely.multipoints(corners[places]) for places in of_atom]))
    cells[shapely.get_dimensions(cells) < 2] = shapely.Polygon()
    return np.asarray(shapely.intersection(cells, region), dtype=object)


def power_borders(atoms: ArrayLike, potentials: ArrayLike, region: Any) -> PowerBorders:
    """Where the power cells of atoms meet inside a region; arguments and errors as in `power_cells`.

    A border { x : |x - y_j|^2 - psi_j = |x - y_l|^2 - psi_l <= all others } is straight; the region may cut it into
    several pieces.
    """
    y, psi = _checked(atoms, potentials)
    corners, facets = _diagram(y, psi, region)
    shared: dict[tuple[int, int], list[int]] = {}
    for place, planes in enumerate(facets):
        for pair in combinations(planes, 2):
            shared.setdefault(pair, []).append(place)
    wide = float(np.ptp(corners, axis=0).max())
    lines = [_longest(corners[places]) for places in shared.values() if len(places) > 1]
    whole = shapely.MultiLineString([line for line in lines if math.dist(*line) > _CORNER * wide])
    parts = shapely.get_parts(shapely.intersection(whole, region))
    parts = parts[(shapely.get_dimensions(parts) == 1) & (shapely.length(parts) > _CORNER * wide)]
    ends = np.array([shapely.get_coordinates(part)[[0, -1]] for part in parts]).reshape(-1, 2, 2)
    # Two atoms are nearest to the middle of a border, of those that have a cell.
    owners = np.array(sorted({atom for planes in facets for atom in planes}), dtype=np.intp)
    away = scipy.spatial.distance.cdist(ends.mean(axis=1), y[owners], "sqeuclidean") - psi[owners]
    pairs = np.sort(owners[np.argsort(away, axis=1, kind="stable")[:, :2]], axis=1).reshape(-1, 2)
    # Along the line: from west to east.
    ends = np.where((ends[:, :1, :1] > ends[:, 1:, :1]), ends[:, ::-1], ends)
    order = np.lexsort((ends[:, 0, 1], ends[:, 0, 0], *pairs.T[::-1]))
    return PowerBorders(pairs[order], ends[order])


def _checked(atoms: ArrayLike, potentials: ArrayLike) -> tuple[Array, Array]:
    y, psi = check_atoms(atoms, 2), check_finite(potentials, "potentials", non_negative=False)
    if psi.shape != (len(y),):
        raise ValueError(f"potentials must have shape ({len(y)},); got {psi.shape}")
    return y, psi


def _diagram(y: Array, psi: Array, region: Any) -> tuple[Array, list[list[int]]]:
    """Corners (v, 2) of the cells in a box around the region, and the atoms that meet at each.

    |x - y_j|^2 - psi_j is least where 2 x.y_j - |y_j|^2 + psi_j is largest: cell j lies under the face of plane j on
    { (x, z) : z >= 2 x.y_j - |y_j|^2 + psi_j for all j }.
    """
    west, south, east, north = shapely.bounds(region)
    centre = np.array([west + east, south + north]) / 2
    # In units of the box, whose sides lie outside of the region.
    unit = 0.51 * max(east - west, north - south)
    atoms, weights = (y - centre) / unit, psi / unit**2
    heights = weights - (atoms**2).sum(axis=1)
    sides = np.array([[1.0, 0.0, 0.0, -1.0], [-1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, -1.0], [0.0, -1.0, 0.0, -1.0]])
    # Above the box no plane reaches so high.
    top = float((heights + 2 * np.abs(atoms).sum(axis=1)).max()) + 1.0
    planes = np.column_stack([2 * atoms, np.full(len(y), -1.0), heights])
    inside = np.array([0.0, 0.0, (float(heights.max()) + top) / 2])
    found = scipy.spatial.HalfspaceIntersection(np.vstack([planes, sides, [[0.0, 0.0, 1.0, -top]]]), inside)
    facets = [sorted(plane for plane in facet if plane < len(y)) for facet in found.dual_facets]
    return centre + unit * found.intersections[:, :2], facets


def _longest(corners: Array) -> Array:
    """The two of several corners on one line that are farthest from each other."""
    along = corners @ (corners[1:] - corners[0])[int(np.argmax(((corners[1:] - corners[0]) ** 2).sum(axis=1)))]
    return corners[[int(along.argmin()), int(along.argmax())]]
