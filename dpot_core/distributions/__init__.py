"""Probability distributions on k points: makers of inputs. Rows are distributions, shape (k,) or (n, k)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import (
    Array,
    check_count,
    check_distributions,
    check_finite,
    check_number,
    check_weights,
)


def normalise(weights: ArrayLike) -> Array:
    """Weights divided by their sum, row by row; shape (k,) or (n, k).

    Args:
        weights: non-negative numbers of any size, (k,) or (n, k).

    Raises:
        ValueError: if a row is not finite, has a negative entry, or is zero everywhere.
    """
    array = check_finite(weights, "weights")
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(f"weights must have shape (k,) or (n, k), not empty; got {array.shape}")
    largest = array.max(axis=-1, keepdims=True)
    if not largest.all():
        raise ValueError("weights must not be zero everywhere")
    # Dividing by the largest first keeps the sum finite for weights near the end of float64.
    scaled = array / largest
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True), dtype=np.float64)


def dirichlet(k: int, concentration: float, rng: np.random.Generator, size: int | None = None) -> Array:
    """A draw from the symmetric Dirichlet distribution; small concentrations give few large masses.

    Args:
        k: number of points.
        concentration: the parameter of every coordinate, positive.
        rng: source of randomness.
        size: number of draws; None gives shape (k,), otherwise (size, k).
    """
    k = check_count(k, "k")
    concentration = check_number(concentration, "concentration", 1e-3, 1e6)
    return np.asarray(rng.dirichlet(np.full(k, concentration), size), dtype=np.float64)


def dirac(k: int, index: int) -> Array:
    """All mass on one point, shape (k,).

    Args:
        k: number of points.
        index: the point, in 0..k-1.
    """
    k = check_count(k, "k")
    index = check_count(index, "index", 0, k - 1)
    mass = np.zeros(k)
    mass[index] = 1.0
    return mass


def two_bumps(k: int, centres: tuple[float, float] | None = None, width: float | None = None) -> Array:
    """Two equal bell-shaped bumps on a ring of k points, shape (k,).

    mass_i is proportional to sum over centres c of exp(-d(i, c)^2 / (2 width^2)), d in steps along the ring.

    Args:
        k: number of points.
        centres: positions in steps; by default a quarter and two thirds of the way round.
        width: standard deviation in steps; by default k / 20.
    """
    k = check_count(k, "k")
    first, second = centres if centres is not None else (k / 4, 2 * k / 3)
    width = check_number(k / 20 if width is None else width, "width", 1e-6, 1e9)
    steps = np.abs(np.arange(k)[:, None] - np.array([first, second]))
    steps = np.minimum(steps, k - steps)
    exponent = -(steps**2) / (2 * width**2)
    return normalise(np.exp(exponent - exponent.max(axis=0)).sum(axis=1))


def mixture(weights: ArrayLike, components: ArrayLike) -> Array:
    """The mixture sum_n weights_n components_n; weights (n,), components (n, k), result (k,)."""
    rows, _ = check_distributions(components, "components")
    mixing, _ = check_distributions(weights, "weights", len(rows))
    return np.asarray(mixing[0] @ rows, dtype=np.float64)


def empirical(indices: ArrayLike, k: int, weights: ArrayLike | None = None) -> Array:
    """Relative frequencies of the points visited, shape (k,).

    Args:
        indices: which point each observation is at, whole numbers in 0..k-1.
        k: number of points.
        weights: weight of each observation; 1 each when None.
    """
    k = check_count(k, "k")
    places = np.asarray(indices)
    if places.ndim != 1 or places.size == 0 or not np.issubdtype(places.dtype, np.integer):
        raise ValueError("indices must be a non-empty vector of whole numbers")
    if places.min() < 0 or places.max() >= k:
        raise ValueError(f"indices must lie in 0..{k - 1}")
    counts = None if weights is None else check_weights(weights, "weights", places.size)
    return normalise(np.bincount(places, counts, minlength=k).astype(np.float64))
