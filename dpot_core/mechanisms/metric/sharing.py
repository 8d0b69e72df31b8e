r"""Positions on a grid without cliffs: every position is shared among the four nearest centres of cells.

Rounding a position to its cell is no private step: two positions a metre apart on both sides of a border become a
cell apart. Shared bilinearly, positions have ``W_1(P_x, P_x') <= sqrt(2) |x - x'|``: a mechanism that is
(alpha, delta)-d_EM-private on centres is (sqrt(2) alpha, delta)-d_EM-private on positions. Proof:
``docs/proofs/shared_positions.md``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_finite

#: Earth mover's distances grow by this factor at most.
STRETCH = math.sqrt(2.0)


def share_among_cells(points: ArrayLike, columns: ArrayLike, rows: ArrayLike) -> tuple[NDArray[np.intp], Array]:
    """The four cells among which each position is shared, and the shares.

    Args:
        points: positions, (m, 2), in the unit of the centres.
        columns: first coordinates of the centres, ascending, (nx,) with nx at least 2.
        rows: second coordinates of the centres, ascending, (ny,) with ny at least 2.

    Returns:
        Indices of cells counted row by row (iy * nx + ix), (m, 4), and shares that sum to 1 for each position, (m, 4).

    Raises:
        ValueError: if shapes do not fit or centres do not ascend.

    Source:
        Proven in the module.
    """
    places = check_finite(points, "points", non_negative=False)
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"points must have shape (m, 2); got {places.shape}")
    lower, upper_share = [], []
    for place, centres, name in ((places[:, 0], columns, "columns"), (places[:, 1], rows, "rows")):
        line = check_finite(centres, name, non_negative=False)
        if line.ndim != 1 or line.size < 2 or (np.diff(line) <= 0.0).any():
            raise ValueError(f"{name} must hold two or more ascending numbers; got shape {line.shape}")
        inside = np.clip(place, line[0], line[-1])
        left = np.minimum(np.searchsorted(line, inside, side="right") - 1, line.size - 2)
        lower.append(left)
        upper_share.append((inside - line[left]) / (line[left + 1] - line[left]))
    (ix, iy), (right, up) = lower, upper_share
    width = np.size(columns)
    cells = np.stack([iy * width + ix, iy * width + ix + 1, (iy + 1) * width + ix, (iy + 1) * width + ix + 1], axis=1)
    shares = np.stack([(1 - right) * (1 - up), right * (1 - up), (1 - right) * up, right * up], axis=1)
    return cells, shares


def shared_histograms(
    points: ArrayLike, people: NDArray[np.intp], weights: ArrayLike, columns: ArrayLike, rows: ArrayLike
) -> Array:
    """The distribution of each person over the centres of the cells, (people, k); every position is shared among four.

    Args:
        points: positions of all people, (m, 2), in the unit of the centres.
        people: whose each position is, (m,); every person has one or more.
        weights: of each position in the history of its person, (m,).
        columns: as in `share_among_cells`.
        rows: as in `share_among_cells`.
    """
    cells, shares = share_among_cells(points, columns, rows)
    n, k = int(people.max()) + 1, np.size(columns) * np.size(rows)
    index = people[:, None] * k + cells
    weighted = np.asarray(weights, dtype=np.float64)[:, None] * shares
    return np.asarray(np.bincount(index.ravel(), weighted.ravel(), n * k).reshape(n, k))
