"""Spanners: few edges whose paths are nearly as short as the distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_finite, check_number

# Sums along a path may round above the distance that they are on paper.
_ROUNDING = 1e-12


def check_distances(distances: ArrayLike) -> Array:
    """Return distances between k places that are apart: square, symmetric, 0 on the diagonal only.

    Args:
        distances: in a unit of length, (k, k).

    Returns:
        The same as float64.

    Raises:
        ValueError: says what does not hold, or that two places are at distance 0.
    """
    matrix = check_finite(distances, "distances")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise ValueError(f"distances must be a square matrix (k, k) of two places or more; got shape {matrix.shape}")
    if np.diagonal(matrix).any() or not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0.0):
        raise ValueError("distances must be symmetric, with 0 from each place to itself")
    apart = matrix + np.where(np.eye(len(matrix), dtype=bool), np.inf, 0.0)
    if not apart.min() > 0.0:
        first, second = np.unravel_index(apart.argmin(), apart.shape)
        raise ValueError(f"distances must be more than 0 between different places; that of {first} and {second} is 0")
    return matrix


def greedy_spanner(distances: ArrayLike, dilation: float = 1.0) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    r"""Edges along which no way is longer than ``dilation`` times the distance: ``d <= d_G <= dilation d``.

    Pairs are looked at from the nearest to the farthest; one becomes an edge if the edges before it leave its ends more
    than ``dilation d`` apart. With dilation 1 all pairs become edges but those with another place on the way.

    Args:
        distances: (k, k), a metric.
        dilation: delta, in [1, 10].

    Returns:
        Both ends of every edge, first below second, (m,) each.

    Raises:
        ValueError: if distances are none, or the dilation is out of range.

    Source:
        Bordenabe, Chatzikokolakis, Palamidessi 2014, section 4.2 (the algorithm of Althoefer et al. 1993).
    """
    matrix = check_distances(distances)
    bound = check_number(dilation, "dilation", 1.0, 10.0) * (1.0 + _ROUNDING)
    first, second = np.triu_indices(len(matrix), 1)
    order = np.argsort(matrix[first, second], kind="stable")
    ways = np.where(np.eye(len(matrix), dtype=bool), 0.0, np.inf)
    edges = []
    for pair in order:
        i, j = first[pair], second[pair]
        if ways[i, j] > bound * matrix[i, j]:
            edges.append(pair)
            through = ways[:, i, None] + matrix[i, j] + ways[j]
            np.minimum(ways, np.minimum(through, through.T), out=ways)
    return first[edges], second[edges]
