r"""One half step of Sinkhorn's algorithm on a public grid, and how much one person can change it.

A half step sends a public potential ``phi`` on ``k`` cells to ``psi_j = -eta log((1/n) sum over points p of
exp((phi_i(p) - c_i(p)j)/eta))``. The 2-norm sensitivity ``Delta`` of replacing one of the ``n`` points is, exactly,
the largest diameter over r of ``{ w^r_u : u }``, ``w^r_uj = eta log((n - 1) e_rj + e_uj)``; on large grids it is
bounded with the least ``e_ij`` in the place of ``e_rj``. Both depend on public things only, and the error of floats is
added.

Proofs, with a floor and the rounding: ``docs/proofs/noisy_sinkhorn.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from dpot_core.arguments import Array

#: Up to this many logarithms the largest change is computed exactly, beyond it is bounded (8 x 8 cells: exactly). On
#: such grids the bound is up to 1.4 times as large in the first half step and up to 1.2 times in later ones.
EXACT_UP_TO = 300_000

# What rounding may take from a computed diameter: a share of it, and a share of the numbers whose difference it is,
# which matters where eta is so large that they are nearly equal (`off` below).
_SAFETY = 1.0 + 1e-9
_UNIT = 2.0**-53
# Squared distances from inner products of n numbers: 4 n units of the largest square, and never less than for 4,096.
_SQUARES, _NUMBERS = 2e-12, 4096
# exp of a wider range leaves float64.
_WIDE = 600.0
# More candidates than this for the two ends of a diameter are not compared pair by pair.
_CANDIDATES = 256


@dataclass(frozen=True)
class HalfStep:
    """The result of a half step before any noise.

    Attributes:
        value: the new potential, (l,). Depends on the data.
        low: least value that any data can give, (l,). Public.
        high: greatest value that any data can give, (l,). Public.
        sensitivity: largest change in the 2-norm when one of the n points is replaced. Public.
        error: how far rounding may have moved an entry of `value`. Public.
    """

    value: Array
    low: Array
    high: Array
    sensitivity: float
    error: float


def half_step(
    potential: Array,
    cost: Array,
    weights: Array,
    eta: float,
    n: int,
    floor: float = 0.0,
    exact: bool | None = None,
) -> HalfStep:
    """One half step, unchecked: from the potential of the rows to that of the columns.

    Args:
        potential: public, (k,).
        cost: (k, l).
        weights: the data, a distribution on the rows, (k,).
        eta: entropic weight, in the unit of the cost.
        n: number of points that the weights count; 0 to leave the sensitivity out.
        floor: g, share of the uniform distribution that is mixed into the weights, in [0, 1).
        exact: whether the sensitivity is the largest change itself, or its bound; None: by the size of the grid.
    """
    weights = (1.0 - floor) * weights + floor / weights.size
    exponent = potential[:, None] - cost
    exponent /= eta
    top, bottom = exponent.max(axis=0), exponent.min(axis=0)
    exponent -= top
    depth = bottom - top
    wide = bool(depth.min() < -_WIDE)
    if wide:
        present = weights > 0
        log_mean = scipy.special.logsumexp(exponent[present], axis=0, b=weights[present, None])
        kernel = exponent
    else:
        kernel = np.exp(exponent, out=exponent)
        log_mean = np.log(weights @ kernel)
    value = -eta * (top + log_mean)
    low, high = -eta * top, -eta * bottom
    if n == 0:
        return HalfStep(value, low, high, 0.0, 0.0)
    k, columns = cost.shape
    largest = 1.0 + float(max(np.abs(top).max(), np.abs(bottom).max())) + math.log(n)
    off = _UNIT * (k + 13.0 + 25.0 * largest)
    with np.errstate(divide="ignore"):
        total = scipy.special.logsumexp(kernel, axis=0) if wide else np.log(kernel.sum(axis=0))
        public = total + np.log(n * floor / ((1.0 - floor) * k))
    if exact or (exact is None and k * k * columns <= EXACT_UP_TO):
        size = _exact(kernel, public, n, wide)
    else:
        size = _bound(kernel, np.logaddexp(_log(n - 1) + depth, public), wide)
    return HalfStep(value, low, high, eta * (size + 2.0 * off * math.sqrt(columns)), 2.0 * eta * off)


def _exact(kernel: Array, public: Array, n: int, wide: bool) -> float:
    """Largest diameter over the cells in which all others may be.

    Cells are taken by the diagonal of the box around their ``w^r``, the longest first, until the next diagonal is no
    longer than the diameter found: mostly one cell of 64. (Rounding of a diagonal is within what `HalfStep.error`
    allows its entries.)
    """

    def logs(others: Array, one: Array) -> Array:
        if wide:
            return np.asarray(np.logaddexp(others, one))
        return np.asarray(np.log(others + one))

    others = np.logaddexp(_log(n - 1) + kernel, public) if wide else (n - 1) * kernel + np.exp(public)
    sides = logs(others, kernel.max(axis=0)) - logs(others, kernel.min(axis=0))
    diagonals = np.einsum("ij,ij->i", sides, sides) * _SAFETY
    largest = 0.0
    for cell in np.argsort(-diagonals):
        if diagonals[cell] <= largest:
            break
        rows = logs(others[cell], kernel)
        rows -= rows.mean(axis=0)
        products = rows @ rows.T
        squares = np.diagonal(products)
        distances = squares[:, None] + squares[None, :] - 2.0 * products
        largest = max(largest, float(distances.max()) + _slack(rows, float(squares.max())))
    return math.sqrt(largest) * _SAFETY


def _bound(kernel: Array, least: Array, wide: bool) -> float:
    """Diameter with the (logarithm of the) least sum that the others can have in every column; uses up the kernel."""
    if wide:
        np.logaddexp(least, kernel, out=kernel)
    else:
        kernel += np.exp(least)
        np.log(kernel, out=kernel)
    return diameter(kernel)


def diameter(rows: Array) -> float:
    """Largest distance between two rows, or (where too many are nearly the farthest) a bound of at most twice it.

    Rows whose distance from the mean is at most ``d - r`` (``d`` a distance already found, ``r`` the largest distance
    from the mean) cannot be an end of a longer pair, by the triangle inequality; the rest is compared pair by pair.
    """
    rows = rows - rows.mean(axis=0)
    squares = np.einsum("ij,ij->i", rows, rows)
    radii = np.sqrt(squares)
    largest = float(radii.max())
    slack = _slack(rows, largest**2)
    far = int(radii.argmax())
    found = 0.0
    for _ in range(2):
        # By inner products: one pass, no copy. Less their error, it is a distance that is there.
        distances = squares + squares[far] - 2.0 * (rows @ rows[far])
        far = int(distances.argmax())
        found = max(found, float(distances[far]) - slack)
    candidates = np.flatnonzero(radii >= (math.sqrt(found) - largest) * (1.0 - 1e-12))
    if candidates.size > _CANDIDATES:
        return float(np.sort(radii)[-2:].sum()) * _SAFETY
    ends, squares = rows[candidates], squares[candidates]
    pairs = squares[:, None] + squares[None, :] - 2.0 * (ends @ ends.T)
    return math.sqrt(max(float(pairs.max()), 0.0) + slack) * _SAFETY


def _slack(rows: Array, largest: float) -> float:
    """How far rounding moves a squared distance of two rows whose squares are at most `largest`."""
    return _SQUARES * max(1.0, rows.shape[1] / _NUMBERS) * largest


def _log(count: int) -> float:
    return math.log(count) if count > 0 else -math.inf
