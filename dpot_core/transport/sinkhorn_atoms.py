"""Free atoms by Sinkhorn plans: POT's free-support barycenter, as dp_barycenters uses it, with its failures caught."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.annealed_atoms import Cloud, spread_atoms

_INNER_ITERATIONS = 100


def sinkhorn_atoms(
    clouds: Sequence[Cloud],
    m: int,
    rng: np.random.Generator,
    reg: float,
    max_iter: int,
    shares: Array | None = None,
) -> tuple[Array, int, bool]:
    """Atoms, rounds and whether they came to rest; `reg` is relative to squared distances at diameter 1.

    Raises:
        RuntimeError: if Sinkhorn's scalings underflow or overflow, which POT reports as a warning or not at all.
    """
    import ot

    points = np.concatenate([x for x, _ in clouds])
    # The diagonal of the bounding box is a diameter that nothing but the corners decides.
    diameter = float(np.sqrt((np.ptp(points, axis=0) ** 2).sum())) or 1.0
    # Away from the origin: a plan of zeros puts its atoms there, and is found out because that lies outside.
    corner = points.min(axis=0) - diameter
    start = (spread_atoms(clouds, m, rng) - corner) / diameter
    with warnings.catch_warnings(record=True) as said, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        atoms, log = ot.bregman.free_support_sinkhorn_barycenter(
            [(x - corner) / diameter for x, _ in clouds],
            [w for _, w in clouds],
            start,
            reg,
            weights=shares,
            numItermax=max_iter,
            numInnerItermax=_INNER_ITERATIONS,
            log=True,
            warn=False,
        )
    moves = log["displacement_square_norms"]
    atoms = atoms * diameter + corner
    slack = 1e-9 * diameter
    inside = (atoms >= points.min(axis=0) - slack).all() and (atoms <= points.max(axis=0) + slack).all()
    # POT stops Sinkhorn at the first number that is not finite, says so in a warning, and goes on with that plan.
    broken = any("numerical errors" in str(warning.message) for warning in said)
    if broken or not np.isfinite(atoms).all() or not inside:
        raise RuntimeError(
            f"Sinkhorn's scalings underflow at reg={reg:g} (squared distances at diameter 1); take a larger reg"
        )
    return atoms, len(moves), bool(moves and moves[-1] <= 1e-7)
