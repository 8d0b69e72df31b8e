"""How much a query can change per unit of distance, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite
from dpot_core.mechanisms.metric.protection import check_unit_distances

#: Norms of a vector query, by name.
NORMS: dict[str, float] = {"1-norm": 1.0, "2-norm": 2.0, "inf-norm": np.inf}

# Numbers that are held at once while pairs of points are compared.
_CHUNK = 4_000_000


@dataclass(frozen=True)
class Lipschitz:
    """The Lipschitz constant of a query on a finite space.

    Attributes:
        constant: max over pairs of ``||f(x) - f(x')|| / d(x, x')``, units of f per largest distance; inf if two points
            at distance 0 have different values.
        pair: indices of a pair that attains it.
        spread: max over pairs of ``||f(x) - f(x')||``, units of f: what any change at all can do.
    """

    constant: float
    pair: tuple[int, int]
    spread: float


def check_norm(norm: str) -> float:
    """Return the order of a norm.

    Args:
        norm: a key of ``NORMS``.

    Returns:
        1, 2 or inf.

    Raises:
        ValueError: names the known norms.
    """
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}; got {norm!r}")
    return NORMS[norm]


def lipschitz(values: ArrayLike, distances: ArrayLike, norm: str = "2-norm") -> Lipschitz:
    r"""Exact Lipschitz constant: ``max over x, x' of ||f(x) - f(x')|| / d(x, x')``.

    Args:
        values: f at each point, (k, d) or (k,), in units of f.
        distances: over the largest one, (k, k).
        norm: of the values, a key of ``NORMS``.

    Returns:
        The constant, a pair that attains it, and the largest change at all. 0 and the pair (0, 0) for a constant query.

    Raises:
        ValueError: if shapes do not fit or distances exceed 1.

    Source:
        metric_dp_emd, Theorem 4.1 (whose bound is attained at two Diracs on that pair).
    """
    order = check_norm(norm)
    f = check_finite(values, "values", non_negative=False)
    f = f[:, None] if f.ndim == 1 else f
    matrix = check_unit_distances(distances)
    k = len(f)
    if f.ndim != 2 or matrix.shape != (k, k):
        raise ValueError(
            f"values must have one row per point of distances {matrix.shape}; got shape {np.shape(values)}"
        )
    best, pair, spread = 0.0, (0, 0), 0.0
    rows = max(1, _CHUNK // f.size)
    for start in range(0, k, rows):
        part = slice(start, start + rows)
        change = np.linalg.norm(f[part, None, :] - f[None, :, :], ord=order, axis=2)
        spread = max(spread, float(change.max()))
        ratio = _ratio(change, matrix[part])
        where = int(np.argmax(ratio))
        if ratio.flat[where] > best:
            i, j = divmod(where, k)
            best, pair = float(ratio.flat[where]), (start + i, j)
    return Lipschitz(best, pair, spread)


def _ratio(change: Array, distance: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = change / distance
    ratio[change == 0.0] = 0.0  # also 0 / 0: two points at one place with one value
    return np.asarray(ratio)
