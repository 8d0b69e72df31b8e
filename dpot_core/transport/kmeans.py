"""k-means without privacy: everybody goes to the nearest atom, whose share is free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array
from dpot_core.transport.group_shares import average, check_shares
from dpot_core.transport.semidiscrete import power_cost

#: Rounds end where no coordinate moves by more than this share of the largest.
STILL = 1e-9


def local_kmeans(points: Array, masses: Array, centres: Array, rounds: int = 100) -> Array:
    """Local minimum over y of ``sum_x w(x) min_j |x - y_j|^2`` to which rounds of Lloyd lead given centres.

    Args:
        points: x, (n, d).
        masses: w, (n,), at least 0.
        centres: to start with, (m, d); one to which no mass goes stays.
        rounds: at most so many.

    Returns:
        Centres, (m, d).

    Source:
        Lloyd 1982.
    """
    m = len(centres)
    for _ in range(rounds):
        label = np.argmin(power_cost(centres, points, 2.0), axis=1)
        held = np.bincount(label, masses, m)[:, None]
        sums = np.stack([np.bincount(label, masses * x, m) for x in (points - centres[label]).T], axis=1)
        moves = np.divide(sums, held, out=np.zeros_like(centres), where=held > 0)
        centres = centres + moves
        if np.abs(moves).max() <= STILL * np.abs(centres).max():
            break
    return centres


def nearest_cost(groups: Sequence[Any], atoms: Array, p: float = 2.0, weights: ArrayLike | None = None) -> float:
    """``sum_i beta_i E_i min_j |x - y_j|^p``, mean distance to the power p to the nearest atom: k-means for p = 2.

    At most the barycenters' cost of the same atoms, which lets each of them have the share 1/m.

    Args:
        groups: pairs (points, masses or None).
        atoms: y, (m, d).
        p: order of the cost.
        weights: beta, one per group; None for 1/k.

    Returns:
        The cost, unit of the coordinates to the power p.
    """
    costs = [float(np.average(power_cost(atoms, points, p).min(axis=1), weights=masses)) for points, masses in groups]
    return float(average(costs, check_shares(weights, len(costs))))
