"""Algorithm 1 for many inputs of few places each, on one cost matrix: every input on its own rows of one kernel.

A crowd is 500 people at a dozen places each, a thousand places in all. One product of all inputs with the whole kernel
then multiplies zeros nearly always. Here the kernel is made once for all places, and an input takes its own rows of it.
Inputs with about as many places go side by side, because small products cost mostly their calls; what an input lacks of
its group's rows is filled up with rows at which it has no mass. The iteration is that of `entropic`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport import capped_simplex
from dpot_core.transport.entropic import ROUGHNESS, EntropicTransport, boxed_entropic
from dpot_core.transport.smoothed_dual import Rows
from dpot_core.transport.warm_projection import project_warm

#: Entries of the kernels of a group: they stay in the cache from one iteration to the next.
_GROUP = 100_000
#: Up to this share of masses that are not zero, inputs are taken on their own rows.
_SPARSE = 0.25
#: Row sums are compared with mu every so many iterations.
_CHECK_EVERY = 10
#: Masses below this are dropped: they change nothing here, and subnormal products are slow.
_NEGLIGIBLE = 1e-200


@dataclass
class _Group:
    """Inputs side by side, and how far they are.

    Attributes:
        inputs: which inputs they are, (n,).
        place: rows of the kernel, (n, r).
        mu: their masses there, (n, r).
        u: scalings of these rows, (n, r), 0 where an input has no mass.
        v: scalings of the columns, (n, N).
        q: (n, N).
        multiplier: of the last projection, (n,); None before the first one.
        error: L1 distance of the row sums from mu, (n,); not a number where scalings left float64.
    """

    inputs: Rows
    place: Rows
    mu: Array
    u: Array
    v: Array
    q: Array
    multiplier: Array | None
    error: Array


def few_places(mu: Array) -> bool:
    """Whether several inputs (n, k) have mass at so few of all places that their own rows are faster than all."""
    return len(mu) > 1 and bool(np.count_nonzero(mu) <= _SPARSE * mu.size)


def entropic_of_places(
    mu: Array, cost: Array, lower: Array, upper: Array, reg: float, max_iter: int, tol: float
) -> EntropicTransport:
    """The result of `boxed_entropic` for inputs mu (n, k), in less time where they have few places each.

    Where the kernel does not keep its entries in float64 at this reg, and for inputs whose scalings leave float64,
    `boxed_entropic` is asked.
    """
    visited, used = np.flatnonzero(mu.any(axis=0)), np.flatnonzero(upper > 0)
    masses, rows = mu.take(visited, axis=1), cost[visited]
    part, low, high = rows[:, used], lower[used], upper[used]
    reduced = part - part.min(axis=1, keepdims=True)
    if max_iter == 0 or reduced.max() > ROUGHNESS * reg:
        return boxed_entropic(masses, rows, lower, upper, reg, max_iter, tol)
    kernel = np.exp(-reduced / reg)
    groups = _side_by_side(np.where(masses < _NEGLIGIBLE, 0.0, masses), used.size)
    iterations = 0
    while iterations < max_iter:
        more = min(_CHECK_EVERY, max_iter - iterations)
        for group in groups:
            _iterate(group, kernel[group.place], low, high, more)
        iterations += more
        # An input that left float64 must not hold up the others.
        if not any((group.error > tol).any() for group in groups):
            break
    n = len(mu)
    output, error, alone = np.zeros((n, upper.size)), np.empty(n), {}
    for group in groups:
        output[np.ix_(group.inputs, used)], error[group.inputs] = group.q, group.error
    output = capped_simplex.repair(output, lower, upper)
    for i in np.flatnonzero(~np.isfinite(error) | ~np.isfinite(output).all(axis=1)):
        one = alone[i] = boxed_entropic(masses[i : i + 1], rows, lower, upper, reg, max_iter, tol)
        output[i], error[i] = one.output[0], one.marginal_error[0]
        iterations = max(iterations, one.iterations)

    def priced() -> Array:
        plan_cost, each = np.empty(n), kernel * part
        for group in groups:
            with np.errstate(invalid="ignore", over="ignore"):
                moved = np.matmul(group.u[:, None, :], each[group.place])[:, 0]
                plan_cost[group.inputs] = np.einsum("ij,ij->i", moved, group.v)
        for i, one in alone.items():
            plan_cost[i] = one.plan_cost[0]
        return plan_cost

    return EntropicTransport(output, priced, error, iterations, error <= tol)


def _side_by_side(mu: Array, columns: int) -> list[_Group]:
    """Inputs (n, k) in groups of about as many places, before the first iteration."""
    sizes = np.count_nonzero(mu, axis=1)
    order = np.argsort(-sizes, kind="stable")
    groups: list[_Group] = []
    first = 0
    while first < order.size:
        most = int(sizes[order[first]])
        inputs = order[first : first + max(1, _GROUP // (most * columns))]
        first += inputs.size
        # The places with mass, in their order; then some without.
        place = np.argsort(mu[inputs] == 0, axis=1, kind="stable")[:, :most]
        masses = np.take_along_axis(mu[inputs], place, axis=1)
        v, q = np.ones((inputs.size, columns)), np.empty((inputs.size, columns))
        groups.append(_Group(inputs, place, masses, np.empty_like(masses), v, q, None, np.empty(inputs.size)))
    return groups


def _iterate(group: _Group, kernels: Array, lower: Array, upper: Array, iterations: int) -> None:
    """Some iterations more, with the kernels (n, r, N) of the group's inputs."""
    scaled = np.empty_like(group.q)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        kv = np.matmul(kernels, group.v[:, :, None])[:, :, 0]
        for _ in range(iterations):
            np.divide(group.mu, kv, out=group.u)
            s = np.matmul(group.u[:, None, :], kernels)[:, 0]
            start = 1.0 / s.sum(axis=1) if group.multiplier is None else group.multiplier
            group.multiplier = project_warm(s, start, lower, upper, group.q, scaled)
            np.divide(group.q, s, out=group.v)
            kv = np.matmul(kernels, group.v[:, :, None])[:, :, 0]
        group.error = np.abs(group.u * kv - group.mu).sum(axis=1)
