"""Algorithm 1 from one input to many capped simplices at once, with its iterates; knows nothing of privacy.

The same iteration as `entropic`, in logarithms. Every box has scalings of its own, so the products are one for each
box, but they are made together: at thirty points 28 boxes cost hardly more than one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.warm_projection import Simplices

_Places = np.ndarray[Any, np.dtype[np.intp]]

#: Scalings are absorbed into a kernel when they have moved by more than this.
_ABSORB_AT = 50.0
#: Sums below this are taken again with their largest term taken out.
_WEAK = 1e-200


@dataclass(frozen=True)
class Iterates:
    """Where Algorithm 1 was on its way to one box.

    Attributes:
        at: numbers of the iterations that are kept, ascending; the last one is the end.
        outputs: the points of the box there, up to rounding, (len(at), k_v).
        converged: whether it ended because the row sums were within the tolerance.
    """

    at: _Places
    outputs: Array
    converged: bool


def entropic_iterates(
    mu: Array,
    cost: Array,
    lower: Array,
    upper: Array,
    reg: float,
    max_iter: int,
    tol: float,
    kept: Collection[int],
) -> list[Iterates]:
    """Run Algorithm 1 from mu (k,) to every box until its row sums are within tol (L1) or max_iter is reached.

    Args:
        mu: the input, (k,).
        cost: C_ij, (k, k_v).
        lower: of every box, (n, k_v); each box's sum is at most 1.
        upper: of every box, (n, k_v); each box's sum is at least 1.
        reg: entropic weight, in cost units.
        max_iter: largest number of iterations, at least 1.
        tol: see above.
        kept: numbers of iterations to keep; the last one of a box is kept too.

    Source: wpm_2605.10015, Algorithm 1.
    """
    found: list[Iterates | None] = [None] * len(lower)
    rows = mu > 0
    patterns, which = np.unique(upper > 0, axis=0, return_inverse=True)
    for number, used in enumerate(patterns):
        boxes = np.flatnonzero(which.ravel() == number)
        part = np.ascontiguousarray(cost[np.ix_(rows, used)])
        low, high = lower[np.ix_(boxes, used)], upper[np.ix_(boxes, used)]
        for box, (at, outputs, converged) in zip(
            boxes, _together(mu[rows], part, low, high, reg, max_iter, tol, set(kept)), strict=True
        ):
            wide = np.zeros((len(at), upper.shape[1]))
            wide[:, used] = outputs
            found[box] = Iterates(np.array(at, dtype=np.intp), wide, converged)
    return [one for one in found if one is not None]


def _together(
    mu: Array, cost: Array, lower: Array, upper: Array, reg: float, max_iter: int, tol: float, kept: set[int]
) -> list[tuple[list[int], list[Array], bool]]:
    """The iterations of all boxes, which leave one after the other: (kept iterations, outputs, converged) of each."""
    ways: list[tuple[list[int], list[Array], bool]] = [([], [], False) for _ in lower]
    boxes, log_mu = np.arange(len(lower)), np.log(mu)
    simplices = Simplices(lower, upper)
    kernels, log_v = _Kernels(-cost / reg, len(lower)), np.zeros(lower.shape)
    log_kv = kernels.times(log_v, None)
    for iteration in range(1, max_iter + 1):
        log_u = log_mu - log_kv
        log_s = kernels.transposed_times(log_u, log_v)
        q, log_q = simplices.project(log_s)
        log_v = log_q - log_s
        log_kv = kernels.times(log_v, log_u)
        done = np.abs(np.exp(log_u + log_kv) - mu).sum(axis=1) <= tol
        ends = done if iteration < max_iter else np.ones_like(done)
        for place in range(len(boxes)) if iteration in kept else np.flatnonzero(ends):
            at, outputs, _ = ways[boxes[place]]
            at.append(iteration)
            outputs.append(q[place])
            ways[boxes[place]] = at, outputs, bool(done[place])
        if ends.all():
            break
        if ends.any():
            go = ~ends
            boxes, log_v, log_kv = boxes[go], log_v[go], log_kv[go]
            kernels.keep(go)
            simplices.keep(go)
    return ways


class _Kernels:
    """Products with exp(exponents) in logarithms, each box with a kernel that has absorbed its scalings of late."""

    def __init__(self, exponents: Array, count: int) -> None:
        self._exponents = exponents
        self._rows = np.tile(-exponents.max(axis=1), (count, 1))
        self._columns = np.zeros((count, exponents.shape[1]))
        self._kernels = np.empty((count, *exponents.shape))
        self._make(np.arange(count))

    def _make(self, boxes: _Places) -> None:
        scaled = self._exponents + self._rows[boxes, :, None] + self._columns[boxes, None, :]
        self._kernels[boxes] = np.exp(np.minimum(scaled, _ABSORB_AT))

    def _absorb(self, boxes: _Places, log_u: Array, log_v: Array) -> None:
        if boxes.size:
            self._rows[boxes], self._columns[boxes] = log_u[boxes], log_v[boxes]
            self._make(boxes)

    def times(self, log_v: Array, log_u: Array | None) -> Array:
        """log(K exp(log_v)) for every box."""
        if log_u is not None:
            self._absorb(np.flatnonzero(np.abs(log_v - self._columns).max(axis=1) > _ABSORB_AT), log_u, log_v)
        total = np.matmul(self._kernels, np.exp(log_v - self._columns)[:, :, None])[:, :, 0]
        return _logarithms(total, self._rows, self._exponents, log_v)

    def transposed_times(self, log_u: Array, log_v: Array) -> Array:
        """log(K' exp(log_u)) for every box."""
        self._absorb(np.flatnonzero(np.abs(log_u - self._rows).max(axis=1) > _ABSORB_AT), log_u, log_v)
        total = np.matmul(np.exp(log_u - self._rows)[:, None, :], self._kernels)[:, 0, :]
        return _logarithms(total, self._columns, self._exponents.T, log_u)

    def keep(self, boxes: Any) -> None:
        """Go on with some of them."""
        self._rows, self._columns, self._kernels = self._rows[boxes], self._columns[boxes], self._kernels[boxes]


def _logarithms(total: Array, absorbed: Array, exponents: Array, scalings: Array) -> Array:
    """Logarithms of sums with absorbed scalings; sums that underflowed are taken again."""
    with np.errstate(divide="ignore"):
        logs = np.log(total) - absorbed
    if (total < _WEAK).any():
        box, row = np.nonzero(total < _WEAK)
        terms = exponents[row] + scalings[box]
        top = terms.max(axis=1)
        logs[box, row] = np.log(np.exp(terms - top[:, None]).sum(axis=1)) + top
    return np.asarray(logs)
