"""Argument checks, used once, at the public border: what passes here is not checked again below."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# What type checkers tell apart: one (k,) and several (n, k). Of an array they do not know the shape: it may be either.
Vector = Sequence[float]
Rows = Sequence[Sequence[float]] | Sequence[Array]

#: Below this a budget is smaller than what float64 probabilities can honour; above it e^epsilon leaves float64.
EPSILON_RANGE = (1e-9, 700.0)

#: How far the sum of a distribution may lie from 1 before it is refused (smaller deviations are divided out).
SUM_TOLERANCE = 1e-9


class ConvergenceWarning(UserWarning):
    """A function that iterates returns a result that is not as near to the optimum as it was asked for."""


def as_floats(values: ArrayLike, name: str) -> Array:
    """Return `values` as a float64 array, or raise `ValueError` when they are not numbers."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers only") from error
    return array


def check_finite(values: ArrayLike, name: str, *, non_negative: bool = True) -> Array:
    """Return `values` as float64 after checking that all are finite (and, by default, not negative)."""
    array = as_floats(values, name)
    # The least and the largest tell, without a table of truth values as large; where NaN is, it is both.
    if array.size and not (-np.inf < (least := array.min()) and array.max() < np.inf):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite; entry {where} is {array[where]}")
    if non_negative and array.size and least < 0:
        where = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise ValueError(f"{name} must not be negative; entry {where} is {array[where]}")
    return array


def check_number(value: float, name: str, low: float, high: float) -> float:
    """Return `value` as a float after checking that it lies in [low, high]."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a number; got {value!r}") from error
    if not (low <= number <= high):
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}]; got {number:g}")
    return number


def check_epsilon(epsilon: float) -> float:
    """Return the privacy parameter (nats) as a float; it must lie in `EPSILON_RANGE`."""
    return check_number(epsilon, "epsilon", *EPSILON_RANGE)


def check_order(p: float) -> float:
    """Return the order p of a Wasserstein distance; it must be finite and at least 1."""
    return check_number(p, "p", 1.0, 64.0)


def check_count(value: int, name: str, low: int = 1, high: float = math.inf) -> int:
    """Return `value` as an int after checking that it is a whole number in [low, high]."""
    number = check_number(value, name, low, high)
    if number != int(number):
        raise ValueError(f"{name} must be a whole number; got {value!r}")
    return int(number)


def check_cost(cost: ArrayLike) -> Array:
    """Return a cost matrix (k, k_v): two-dimensional, not empty, finite, not negative."""
    matrix = check_finite(cost, "cost")
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"cost must be a non-empty matrix (k, k_v); got shape {matrix.shape}")
    return matrix


def check_weights(values: ArrayLike, name: str, length: int | None = None) -> Array:
    """Return a vector of non-negative weights, not all zero."""
    vector = check_finite(values, name)
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(f"{name} must be a non-empty vector; got shape {vector.shape}")
    if length is not None and vector.size != length:
        raise ValueError(f"{name} must have length {length}; got {vector.size}")
    if not vector.any():
        raise ValueError(f"{name} must not be zero everywhere")
    return vector


def check_distributions(mu: ArrayLike, name: str = "mu", length: int | None = None) -> tuple[Array, bool]:
    """Return distributions as rows (n, k), and whether a single one (k,) was given.

    Rows must be finite, non-negative and sum to 1 within `SUM_TOLERANCE`; what is left of the deviation
    is divided out.
    """
    array = check_finite(mu, name)
    single = array.ndim == 1
    rows = np.atleast_2d(array)
    if rows.ndim != 2 or 0 in rows.shape:
        raise ValueError(f"{name} must have shape (k,) or (n, k); got {array.shape}")
    if length is not None and rows.shape[1] != length:
        raise ValueError(f"{name} must have length {length}; got {rows.shape[1]}")
    sums = rows.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1.0)))
    if not abs(sums[worst] - 1.0) <= SUM_TOLERANCE:
        raise ValueError(f"{name} must sum to 1 (use dpot_core.normalise); row {worst} sums to {sums[worst]:.12g}")
    return rows / sums[:, None], single
