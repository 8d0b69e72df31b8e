"""The geo-indistinguishable mechanism with the smallest expected loss under a public prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_finite, check_number
from dpot_core.arguments.progress import Progress
from dpot_core.mechanisms.metric.bounded_ratios import solve
from dpot_core.mechanisms.metric.finite_kernels import certified_rate
from dpot_core.mechanisms.metric.spanners import check_distances, greedy_spanner

#: Numbers of the matrices that one step holds, 0.5 GB: 400 inputs and outputs.
_MOST_IN_MATRICES = 2**26
#: Constraints of all outputs together: each takes some 100 bytes.
_MOST_CONSTRAINTS = 2**23
#: Nats between two places: below, rounding is more than a share of them; above, probabilities leave float64.
_LEAST_NATS, _MOST_NATS = 1e-7, 600.0


@dataclass(frozen=True, eq=False)
class OptimalKernel:
    """A kernel of the smallest expected loss, to within a gap that is proven.

    Attributes:
        kernel: K(z|x), (k, k_v); its ratios hold exactly in floating point.
        spent: a rate that it is certified not to exceed, at most the one that was asked for, nats per unit of length.
        value: expected loss under the prior, in the unit of the loss.
        lower_bound: no kernel that keeps ``rate / dilation`` along the edges costs less, up to rounding: with dilation
            1 no kernel that keeps the promise.
        edges: pairs of places whose ratio was bounded; those of all others follow.
        iterations: steps of Newton's method.
    """

    kernel: Array
    spent: float
    value: float
    lower_bound: float
    edges: int
    iterations: int

    @property
    def gap(self) -> float:
        """The gap to the bound, as a share of the value."""
        return (self.value - self.lower_bound) / self.value if self.value > 0 else 0.0


def optimal_geo_indistinguishability(
    distances: ArrayLike,
    rate: float,
    prior: ArrayLike,
    loss: ArrayLike | None = None,
    dilation: float = 1.0,
    *,
    tol: float = 1e-4,
    progress: Progress | None = None,
) -> OptimalKernel:
    r"""Solve ``min sum_x pi_x sum_z K(z|x) l(x, z)`` over kernels with ``K(z|x) <= e^{rate d(x, x')} K(z|x')``.

    (rate, 0)-d-privacy: geo-indistinguishability, as of ``planar_laplace``. Where a kernel keeps
    ``rate / dilation`` along the edges of a spanner, whose ways are at most dilation times as long as the distances, it
    keeps rate between all places: a loss of utility for far fewer constraints.

    **Privacy is exact in floating point.** The solver stays inside the constraints. What rounding may have broken is
    mended by mixing in the uniform kernel, whose ratios are 1, until `certified_rate` is at most rate; this takes a
    share of 1e-9 or less where anything at all. Neither a gap nor a solver's tolerance is privacy.

    Prior and loss must be public: the kernel depends on them.

    Args:
        distances: d, between inputs, in a unit of length; a metric, (k, k).
        rate: nats per unit of length.
        prior: pi, public, (k,).
        loss: l, of releasing z at x, (k, k_v); None: the distance, and outputs are the inputs.
        dilation: delta of the spanner; 1: the constraints of all pairs, 4 to 8 s for 100 places and 1 s with 1.03. 196
            places take 20 s with 1.03; 400 take 70 s and 0.8 GB with 1.1 and a tol of 1e-3, 150 s with 1.05 and 1e-4.
        tol: gap to which the program is solved, in [1e-6, 0.5]: a share of the value, or of a ten-thousandth of the
            loss of the worst single output where the value is less.
        progress: called with (per cent of the way in decades of the gap, 100).

    Returns:
        The kernel, see `OptimalKernel`.

    Raises:
        ValueError: if an argument is out of range, or there are too many places or constraints.
        RuntimeError: if the solver does not reach the gap.

    Source:
        Bordenabe, Chatzikokolakis, Palamidessi 2014, section 3.2 (the program) and section 4 (spanners).
    """
    matrix = check_distances(distances)
    k = len(matrix)
    alpha, stretch = check_number(rate, "rate", 1e-12, 1e12), check_number(dilation, "dilation", 1.0, 10.0)
    nats = alpha * matrix[~np.eye(k, dtype=bool)]
    if nats.min() < _LEAST_NATS or nats.max() > _MOST_NATS:
        raise ValueError(
            f"rate times distance must lie in [{_LEAST_NATS:g}, {_MOST_NATS:g}] nats for all places; "
            f"got {nats.min():g} to {nats.max():g}"
        )
    before, single = check_distributions(prior, "prior", k)
    if not single:
        raise ValueError(f"prior must be one distribution (k,); got shape {before.shape}")
    losses = matrix if loss is None else check_finite(loss, "loss")
    if losses.ndim != 2 or len(losses) != k or losses.shape[1] == 0:
        raise ValueError(f"loss must have one row for each of {k} places; got shape {losses.shape}")
    if losses.size * k > _MOST_IN_MATRICES:
        raise ValueError(f"places must be at most 400, or inputs^2 times outputs {_MOST_IN_MATRICES:,}; got {k}")
    first, second = greedy_spanner(matrix, stretch)
    if 2 * first.size * losses.shape[1] > _MOST_CONSTRAINTS:
        raise ValueError(
            f"dilation must be larger for {k} places: {2 * first.size * losses.shape[1]:,} constraints, "
            f"at most {_MOST_CONSTRAINTS:,} are solved"
        )
    goal = check_number(tol, "tol", 1e-6, 0.5)
    cost, unit = before.T * losses, float((before @ losses).max()) or 1.0

    def report(step: int, gap: float) -> None:
        if progress is not None:
            progress(round(100 * float(np.log(np.clip(gap, goal, 1.0)) / np.log(goal))), 100)

    ends = np.concatenate([first, second]), np.concatenate([second, first])
    found = solve(cost / unit, ends, np.exp(-alpha / stretch * matrix[ends]), goal, report)
    kernel, spent = _mended(found.kernel, matrix, alpha)
    return OptimalKernel(
        kernel, spent, float((cost * kernel).sum()), unit * found.lower_bound, first.size, found.iterations
    )


def _mended(kernel: Array, distances: Array, rate: float) -> tuple[Array, float]:
    """The kernel with as much of the uniform one as makes its certified rate at most rate, and that certificate."""
    rows, share = np.maximum(kernel, 0.0), 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    while True:
        mixed = (1.0 - share) * rows + share / rows.shape[1]
        if (spent := certified_rate(mixed, distances)) <= rate:
            return mixed, spent
        share = min(max(4.0 * share, 1e-15), 1.0)
