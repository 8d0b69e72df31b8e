"""Points drawn in a public region and in its cells: the data have no say in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.regions import PolygonRegion, Region

#: Vectorised rounds of drawing before a point is put at its cell's representative.
ROUNDS = 48


def draw_in_cells(region: Region, lower: Array, upper: Array, rng: np.random.Generator, shrink: float = 1.0) -> Array:
    """One point of the region for each cell, uniform in their common part; looks at the cells only, not at the data.

    Where all of `ROUNDS` draws miss (a cell that the region hardly touches) the point is the cell's
    representative; in a ball it is one on the way to the last draw.

    Args:
        region: the public region.
        lower: smallest coordinates of the cells, (n, d), a cell as often as points are wanted.
        upper: largest coordinates, (n, d).
        rng: source of randomness.
        shrink: draw in the cell scaled by this about its centre, in (0, 1].

    Returns:
        Points, (n, d).
    """
    margin = (1.0 - shrink) / 2 * (upper - lower)
    low, high = lower + margin, upper - margin
    points = low + (high - low) * rng.random(lower.shape)
    left = np.flatnonzero(~region.contains(points))
    for _ in range(ROUNDS - 1):
        if not left.size:
            return points
        points[left] = low[left] + (high[left] - low[left]) * rng.random((left.size, lower.shape[1]))
        left = left[~region.contains(points[left])]
    if isinstance(region, BallRegion):
        # In many dimensions nearly every draw misses: then the last one shows the way.
        points[left] = region.towards(points[left], lower[left], upper[left])
    else:
        points[left] = region.representatives(lower[left], upper[left])
    return points


def uniform_points(region: Region, n: int, rng: np.random.Generator) -> Array:
    """n points drawn uniformly in a region, (n, d): public.

    Where only a membership test is known, and the region fills little of its box, some are points of its public sample.
    """
    if isinstance(region, PolygonRegion | BallRegion):
        return region.uniform(n, rng)
    return draw_in_cells(region, np.tile(region.lower, (n, 1)), np.tile(region.upper, (n, 1)), rng)


def public_atoms(start: ArrayLike | str, m: int, region: Region, rng: np.random.Generator, others: str = "") -> Array:
    """Atoms that no data have influenced, inside the region's convex hull, (m, d).

    Args:
        start: atoms (m, d), or "uniform" for atoms drawn in the region.
        m: number of atoms.
        region: the public region.
        rng: source of randomness.
        others: further words that the caller knows, for the message.

    Raises:
        ValueError: if the start is neither, or has another shape.
    """
    if isinstance(start, str):
        if start != "uniform":
            raise ValueError(f"start must be {others}'uniform' or public atoms (m, d); got {start!r}")
        return uniform_points(region, m, rng)
    atoms = check_finite(start, "start", non_negative=False)
    if atoms.shape != (m, region.lower.size):
        raise ValueError(f"start must have shape ({m}, {region.lower.size}); got {atoms.shape}")
    return region.into_hull(atoms)
