"""W_1 on a line and on a circle, in closed form."""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import Array


def line_distance(places: Array, surplus: Array, around: float | None = None) -> float:
    """W_1 of what a signed measure of sum 0 has above and below zero: sum_i g_i |D_i - t|, in the places' unit.

    D_i is the sum of the surplus up to the i-th place, g_i the gap to the next one. All that crosses a gap is D_i, on a
    circle up to a constant t that runs around it: the best one is a median of the D_i with weights g_i. The running
    sums are off by up to k roundings.

    Args:
        places: on the line, or on the circle between 0 and `around`, in any order, (k,).
        surplus: (k,).
        around: length of the circle; None for the line.

    Source: Rabin, Delon and Gousseau 2011, J. Math. Imaging Vision 41, section 3 (the circle).
    """
    order = np.argsort(places, kind="stable")
    along, crossing = places[order], np.cumsum(surplus[order])
    if around is None:
        return float(np.diff(along) @ np.abs(crossing[:-1]))
    gaps = np.diff(along, append=along[0] + around)
    upward = np.argsort(crossing, kind="stable")
    middle = int(np.searchsorted(np.cumsum(gaps[upward]), around / 2))
    constant = float(crossing[upward[min(middle, upward.size - 1)]])
    return float(gaps @ np.abs(crossing - constant))
