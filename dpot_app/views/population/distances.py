"""Distances between two sets of atoms of equal weight, by the optimal plan, which matches them one to one."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from dpot_core.arguments import Array
from dpot_core.datasets import Outline
from dpot_core.transport.semidiscrete import power_cost
from dpot_core.transport.smoothed_dual import Rows


def matching(atoms: Array, others: Array, p: float = 2.0) -> Rows:
    """The order (m,) of the others (m, d) in which the optimal plan of order p matches them to the atoms (m, d)."""
    _, order = linear_sum_assignment(power_cost(others, atoms, p))
    return np.asarray(order, dtype=np.intp)


def matched(atoms: Array, others: Array, p: float = 2.0) -> Array:
    """The others (m, d) in that order."""
    return others[matching(atoms, others, p)]


def between(atoms: Array, others: Array, p: float = 2.0) -> float:
    """W_p between two sets of m equally weighted atoms, unit of the coordinates."""
    squares = ((matched(atoms, others, p) - atoms) ** 2).sum(axis=1)
    return float(np.sqrt(squares.mean()) if p == 2 else (squares ** (p / 2)).mean() ** (1.0 / p))


def excess(cost: ArrayLike, best: float) -> Array:
    """The share by which costs are more than the best; where that is 0, none for a cost of 0, else infinity.

    >>> float(excess(3.0, 2.0)), excess([0.0, 1.0], 0.0)
    (0.5, array([ 0., inf]))
    """
    costs = np.asarray(cost, dtype=np.float64)
    if best > 0:
        return np.asarray(costs / best - 1.0)
    return np.where(costs > 0, np.inf, 0.0)


def between_km(outline: Outline, atoms: Array, others: Array, p: float = 2.0) -> float | None:
    """W_p on a map in kilometres; None where coordinates are not degrees."""
    return between(outline.to_km(atoms), outline.to_km(others), p) if outline.geographic else None
