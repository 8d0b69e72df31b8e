"""Algorithm 1 for many inputs of few places each, on one cost matrix: every input on its own rows of one kernel.

A crowd is 500 people at a dozen places each, a thousand places in all. One product of all inputs with the whole kernel
then multiplies zeros nearly always. Here the kernel is made once for all places, and an input takes its own rows of it.
Inputs with about as many places go side by side, because small products cost mostly their calls; what an input lacks of
its group's rows is filled up with rows at which it has no mass. The iteration is that of `entropic`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpot_core.checks import Array
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


@dataclass(frozen=True)
class Scalings:
    """Where the iterations of some inputs stopped, each on its own places.

    Attributes:
        inputs: which inputs they are, (n,).
        place: rows of the kernel, (n, r).
        u: scalings of these rows, (n, r), 0 where an input has no mass.
        v: scalings of the columns, (n, N).
        output: q, (n, N).
        error: L1 distance of the row sums from mu, (n,); not a number where scalings left float64.
        iterations: iterations made.
    """

    inputs: Rows
    place: Rows
    u: Array
    v: Array
    output: Array
    error: Array
    iterations: int


def few_places(mu: Array) -> bool:
    """Whether several inputs (n, k) have mass at so few of all places that their own rows are faster than all."""
    return len(mu) > 1 and np.count_nonzero(mu) <= _SPARSE * mu.size


def entropic_of_places(
    mu: Array, cost: Array, lower: Array, upper: Array, reg: float, max_iter: int, tol: float, priced: bool = True
) -> EntropicTransport:
    """What `boxed_entropic` does for inputs mu (n, k), in less time where they have few places each.

    What the last plans cost takes half as long as all iterations: without `priced` it is not a number. Where the
    kernel does not keep its entries in float64 at this reg, and for inputs whose scalings leave float64,
    `boxed_entropic` is asked.
    """
    visited, used = np.flatnonzero(mu.any(axis=0)), np.flatnonzero(upper > 0)
    masses, rows = mu[:, visited], cost[visited]
    part, low, high = rows[:, used], lower[used], upper[used]
    reduced = part - part.min(axis=1, keepdims=True)
    if max_iter == 0 or reduced.max() > ROUGHNESS * reg:
        return boxed_entropic(masses, rows, lower, upper, reg, max_iter, tol)
    kernel = np.exp(-reduced / reg)
    each = kernel * part if priced else None
    n, iterations = len(mu), 0
    output = np.zeros((n, upper.size))
    plan_cost, error = np.full(n, np.nan), np.empty(n)
    for group in scalings_of_places(masses, kernel, low, high, max_iter, tol):
        output[np.ix_(group.inputs, used)] = group.output
        error[group.inputs] = group.error
        iterations = max(iterations, group.iterations)
        if each is not None:
            with np.errstate(invalid="ignore", over="ignore"):
                moved = np.matmul(group.u[:, None, :], each[group.place])[:, 0]
                plan_cost[group.inputs] = np.einsum("ij,ij->i", moved, group.v)
    output = capped_simplex.repair(output, lower, upper)
    for i in np.flatnonzero(~np.isfinite(error) | ~np.isfinite(output).all(axis=1)):
        alone = boxed_entropic(masses[i : i + 1], rows, lower, upper, reg, max_iter, tol)
        output[i], plan_cost[i], error[i] = alone.output[0], alone.plan_cost[0], alone.marginal_error[0]
        iterations = max(iterations, alone.iterations)
    return EntropicTransport(output, plan_cost, error, iterations, error <= tol)


def scalings_of_places(
    mu: Array, kernel: Array, lower: Array, upper: Array, max_iter: int, tol: float
) -> Iterator[Scalings]:
    """Iterate until the row sums are within tol (L1) of mu, or max_iter times, group by group.

    Args:
        mu: inputs, (n, k).
        kernel: K = e^(-C / reg), (k, N).
        lower: (N,).
        upper: (N,).
        max_iter: at least 1.
        tol: see above.
    """
    mu = np.where(mu < _NEGLIGIBLE, 0.0, mu)
    sizes = np.count_nonzero(mu, axis=1)
    order = np.argsort(-sizes, kind="stable")
    first = 0
    while first < order.size:
        most = int(sizes[order[first]])
        inputs = order[first : first + max(1, _GROUP // (most * lower.size))]
        first += inputs.size
        # The places with mass, in their order; then some without.
        place = np.argsort(mu[inputs] == 0, axis=1, kind="stable")[:, :most]
        masses = np.take_along_axis(mu[inputs], place, axis=1)
        yield Scalings(inputs, place, *_iterate(masses, kernel[place], lower, upper, max_iter, tol))


def _iterate(
    mu: Array, kernels: Array, lower: Array, upper: Array, max_iter: int, tol: float
) -> tuple[Array, Array, Array, Array, int]:
    """(u, v, q, error, iterations) for masses (n, r) with kernels (n, r, N) of their own."""
    n, count = len(mu), lower.size
    q, scaled, v = np.empty((n, count)), np.empty((n, count)), np.ones((n, count))
    kv = kernels.sum(axis=2)
    error = np.full(n, np.inf)
    for iteration in range(1, max_iter + 1):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            u = mu / kv
            s = np.matmul(u[:, None, :], kernels)[:, 0]
            if iteration == 1:
                x = 1.0 / s.sum(axis=1)
            x = project_warm(s, x, lower, upper, q, scaled)
            np.divide(q, s, out=v)
            kv = np.matmul(kernels, v[:, :, None])[:, :, 0]
            if iteration % _CHECK_EVERY == 0 or iteration == max_iter:
                error = np.abs(u * kv - mu).sum(axis=1)
                # An input that left float64 must not hold up the others.
                if (~(error > tol)).all():
                    break
    return u, v, q, error, iteration
