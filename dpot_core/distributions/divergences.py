"""Divergences between distributions on the same finite set, row by row: (k,) or (n, k) against (k,) or (n, k).

Each takes p (the truth) and q (what is released) and returns a float for two vectors, otherwise an array (n,).
Infinite where p has mass and q has none, except total variation and squared Hellinger, which stay in [0, 1].
The rows of `DIVERGENCES` also have their generators f, for densities and worst cases: D_f(p || q) = sum q f(p/q).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Protocol, cast, overload

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, Rows, Vector, check_distributions, check_number


class Between(Protocol):
    """A float of two vectors (k,); an array (n,) where p, q or both have n rows."""

    __name__: str

    @overload
    def __call__(self, p: Vector, q: Vector) -> float: ...
    @overload
    def __call__(self, p: Rows, q: ArrayLike) -> Array: ...
    @overload
    def __call__(self, p: ArrayLike, q: Rows) -> Array: ...
    @overload
    def __call__(self, p: ArrayLike, q: ArrayLike) -> float | Array: ...


def _by_rows(function: Callable[[Array, Array], Array]) -> Between:
    """Check both, and call a function of rows."""

    @wraps(function, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def called(p: ArrayLike, q: ArrayLike) -> float | Array:
        rows, single_p = check_distributions(p, "p")
        others, single_q = check_distributions(q, "q", rows.shape[1])
        if len(rows) != len(others) and not (single_p or single_q):
            raise ValueError(f"p and q must have as many rows as each other; got {len(rows)} and {len(others)}")
        values = function(rows, others)
        return float(values[0]) if single_p and single_q else values

    del called.__wrapped__  # help() shows what callers may pass
    return cast("Between", called)


def _ratio(p: Array, q: Array) -> Array:
    """p / q with 0/0 = 0 and x/0 = inf."""
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(p, q, out=np.zeros(np.broadcast_shapes(p.shape, q.shape)), where=(p > 0) | (q > 0))


@_by_rows
def kl(p: Array, q: Array) -> Array:
    """Kullback-Leibler divergence, sum p log(p/q), in nats."""
    return np.asarray(np.maximum(scipy.special.rel_entr(p, q).sum(axis=1), 0.0))


@_by_rows
def total_variation(p: Array, q: Array) -> Array:
    """Total variation distance, sum |p - q| / 2, in [0, 1]."""
    return 0.5 * np.abs(p - q).sum(axis=1)


@_by_rows
def squared_hellinger(p: Array, q: Array) -> Array:
    """Squared Hellinger distance, 1 - sum sqrt(p q) = sum (sqrt p - sqrt q)^2 / 2, in [0, 1]."""
    return 0.5 * ((np.sqrt(p) - np.sqrt(q)) ** 2).sum(axis=1)


@_by_rows
def chi2(p: Array, q: Array) -> Array:
    """Chi-squared divergence, sum (p - q)^2 / q."""
    excess = np.abs(p - q)
    with np.errstate(invalid="ignore", over="ignore"):
        terms = np.where(excess > 0, excess * _ratio(excess, q), 0.0)
    return terms.sum(axis=1)


@_by_rows
def max_divergence(p: Array, q: Array) -> Array:
    """Max divergence, log of the largest p/q, in nats: the epsilon of pure differential privacy."""
    return np.maximum(np.log(_ratio(p, q).max(axis=1)), 0.0)


@overload
def renyi(p: Vector, q: Vector, order: float) -> float: ...
@overload
def renyi(p: Rows, q: ArrayLike, order: float) -> Array: ...
@overload
def renyi(p: ArrayLike, q: Rows, order: float) -> Array: ...
@overload
def renyi(p: ArrayLike, q: ArrayLike, order: float) -> float | Array: ...


def renyi(p: ArrayLike, q: ArrayLike, order: float) -> float | Array:
    """Renyi divergence, log(sum p^a q^(1-a)) / (a - 1), in nats; a = 1 is KL, a = inf the max divergence.

    Args:
        p: the truth.
        q: what is released.
        order: a, positive.
    """
    if order == np.inf:
        return max_divergence(p, q)
    order = check_number(order, "order", 1e-6, 1e6)
    if order == 1.0:
        return kl(p, q)
    return _by_rows(partial(_renyi, order=order))(p, q)


def _renyi(p: Array, q: Array, order: float) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        exponents = scipy.special.xlogy(order, p) + scipy.special.xlogy(1.0 - order, q)
    exponents = np.where(p > 0, exponents, -np.inf)
    top = exponents.max(axis=1)
    with np.errstate(invalid="ignore"):
        total = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
    total = np.where(np.isinf(top), top, total)
    return np.asarray(np.maximum(total / (order - 1.0), 0.0))


@dataclass(frozen=True)
class Divergence:
    """A row of `DIVERGENCES`: called with p and q, it is D_f(p || q), row by row.

    Attributes:
        label: its name on screen.
        between: the function itself.
        generator: f, elementwise on the ratio x = p/q >= 0: convex, f(1) = 0.
        largest: no value is larger; infinite where p may have mass that q lacks. None is below 0.
        unit: of its values; "" for none.
    """

    label: str
    between: Between = field(repr=False)
    generator: Callable[[Array], Array] = field(repr=False)
    largest: float
    unit: str = ""

    @overload
    def __call__(self, p: Vector, q: Vector) -> float: ...
    @overload
    def __call__(self, p: Rows, q: ArrayLike) -> Array: ...
    @overload
    def __call__(self, p: ArrayLike, q: Rows) -> Array: ...
    @overload
    def __call__(self, p: ArrayLike, q: ArrayLike) -> float | Array: ...

    def __call__(self, p: ArrayLike, q: ArrayLike) -> float | Array:
        """The divergence of (k,) or (n, k) from (k,) or (n, k): a float for two vectors, otherwise (n,)."""
        return self.between(p, q)

    @property
    def axis(self) -> str:
        """Title of an axis: the label with the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


#: The divergences that worst-case formulas and pages loop over.
DIVERGENCES: dict[str, Divergence] = {
    "kl": Divergence("KL", kl, lambda x: np.asarray(scipy.special.xlogy(x, x)), math.inf, "nats"),
    "tv": Divergence("Total variation", total_variation, lambda x: np.abs(x - 1.0) / 2.0, 1.0),
    "hellinger": Divergence("Squared Hellinger", squared_hellinger, lambda x: (1.0 - np.sqrt(x)) ** 2 / 2.0, 1.0),
    "chi2": Divergence("χ²", chi2, lambda x: (x - 1.0) ** 2, math.inf),
}


def two_point_divergence(name: str, lowest: float, largest: float) -> float:
    """R = (1 - r1)/(r2 - r1) f(r2) + (r2 - 1)/(r2 - r1) f(r1): p/q is r1 or r2 and nothing between.

    The largest D_f(p || q) when r1 <= p/q <= r2 everywhere, because f is convex.

    Args:
        name: a key of `DIVERGENCES`.
        lowest: r1, in [0, 1].
        largest: r2, at least 1.

    Source: minimax_ldp_sampling, equation (12).
    """
    if name not in DIVERGENCES:
        raise ValueError(f"name must be one of {', '.join(DIVERGENCES)}; got {name!r}")
    if not 0.0 <= lowest <= 1.0 <= largest:
        raise ValueError(f"lowest <= 1 <= largest is required; got {lowest:g} and {largest:g}")
    if lowest == largest:
        return 0.0
    low, high = DIVERGENCES[name].generator(np.array([lowest, largest])).tolist()
    return ((1.0 - lowest) * high + (largest - 1.0) * low) / (largest - lowest)
