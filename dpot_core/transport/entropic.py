"""Entropic transport to a capped simplex (Algorithm 1), batched; knows nothing of privacy.

min <C, pi> + reg * sum pi log pi, row sums mu, column sums in [lower, upper] with total 1, by alternating scalings
u = mu / (K v), s = K'u, q = KL projection of s on the box, v = q / s, where K = exp(-C / reg).

Two routes, the same iteration. Where K keeps all its entries in float64, all inputs share it and an iteration is two
matrix products. Where reg is so small that K would underflow, logarithms of u and v are kept instead, input by input on
its support, started from the solution for a larger reg.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.transport import capped_simplex
from dpot_core.transport.kernels import RANGE, DenseKernel, DenseLogKernel, SharedCost, plain_kernel
from dpot_core.transport.scalings import annealed, scale, scale_in_logarithms

#: Up to so many iterations reg is used from the first one on; with more it is reached in steps.
AT_ONCE = 100
#: Rough potentials are smoothed with the costs' range over this: as sharp as the shared route allows.
ROUGHNESS = RANGE


@dataclass(frozen=True)
class Trace:
    """The course of T iterations, for one input.

    Attributes:
        outputs: q_t, (T, k_v), inside the box.
        marginal_error: L1 distance of the plan's row sums from mu after iteration t, (T,).
        hilbert_step: Hilbert distance between successive v, (T,).
        contraction: Birkhoff factor c = tanh(D/4)^2, D = log max K_ik K_jl / (K_il K_jk), on the support.
        kl_bound: bound on KL(q_t || q*), 2 c^(t+1) d_H(v_0, v_1) / (1 - c), (T,); infinite when c rounds to 1.
    """

    outputs: Array
    marginal_error: Array
    hilbert_step: Array
    contraction: float
    kl_bound: Array


@dataclass(frozen=True)
class EntropicTransport:
    """Where Algorithm 1 stopped.

    Attributes:
        output: q, (n, k_v), inside the box in floating point whatever the number of iterations.
        priced: gives `plan_cost`, which takes as long as some iterations: it is computed when it is asked for.
        marginal_error: L1 distance of the plan's row sums from mu, (n,).
        iterations: iterations made (the largest over the batch).
        converged: marginal_error <= tol, (n,).
        trace: see `Trace`, if asked for.
    """

    output: Array
    priced: Callable[[], Array] = field(repr=False)
    marginal_error: Array
    iterations: int
    converged: np.ndarray[tuple[int], np.dtype[np.bool_]]
    trace: Trace | None = field(default=None, repr=False)

    @cached_property
    def plan_cost(self) -> Array:
        """<C, pi> of the last plan, (n,), cost units; its row sums are mu only up to `marginal_error`."""
        return self.priced()


def boxed_entropic(
    mu: Array,
    cost: Array | SharedCost,
    lower: Array,
    upper: Array,
    reg: float,
    max_iter: int,
    tol: float,
    trace: bool = False,
) -> EntropicTransport:
    """Run Algorithm 1 for inputs mu (n, k) until the row sums are within tol (L1) or max_iter is reached.

    Source: wpm_2605.10015, Algorithm 1, Lemma 4.2 and Theorem 4.3.
    """
    n, used = len(mu), np.flatnonzero(upper > 0)
    matrix = cost.matrix if isinstance(cost, SharedCost) else cost
    part = matrix if used.size == upper.size else np.ascontiguousarray(matrix[:, used])
    low, high = lower[used], upper[used]
    output = np.zeros((n, upper.size))
    plan_cost, error, iterations, record = np.full(n, np.nan), np.full(n, np.inf), 0, None
    alone, together = np.arange(n), partial(np.full, n, np.nan)
    kernel = None
    if not trace:
        kernel = cost.kernel(reg) if isinstance(cost, SharedCost) and part is matrix else plain_kernel(part, reg)
    if kernel is not None:
        alone = np.empty(0, dtype=np.intp)
        if max_iter > 0:
            shared = scale(mu, kernel, low, high, max_iter, tol)
            output[:, used], error, iterations = shared.q, shared.error, shared.iterations
            together = partial(kernel.plan_costs, shared.u, shared.v)
            alone = np.flatnonzero(~np.isfinite(error) | ~np.isfinite(output).all(axis=1))
        else:
            output[:, used] = capped_simplex.project_kl(np.zeros((n, used.size)), low, high)[0]
    for i in alone:
        rows = mu[i] > 0
        priced = part[rows]
        stages = [reg] if trace or max_iter <= AT_ONCE else annealed(float(np.ptp(priced)), reg)
        found = scale_in_logarithms(
            mu[i, rows], partial(DenseLogKernel, priced), stages, low, high, max_iter, tol, trace
        )
        output[i, used], plan_cost[i], error[i] = found.q, found.plan_cost, found.error
        iterations = max(iterations, found.iterations)
        if found.history:
            record = _trace(found.history, _birkhoff_contraction(priced, reg))
    output = capped_simplex.repair(output, lower, upper)
    if record is not None:
        outputs = np.zeros((len(record.outputs), upper.size))
        outputs[:, used] = record.outputs
        outputs = capped_simplex.repair(outputs, lower, upper)
        record = Trace(outputs, record.marginal_error, record.hilbert_step, record.contraction, record.kl_bound)

    def plan_costs() -> Array:
        return np.where(np.isin(np.arange(n), alone), plan_cost, together())

    return EntropicTransport(output, plan_costs, error, iterations, error <= tol, record)


def rough_row_potentials(mu: Array, cost: Array, lower: Array, upper: Array) -> Array | None:
    """Dual potentials f of the rows, (k,), cost units, from a few iterations at a 200th of the costs' range.

    Good enough to start an exact solver from; None where float64 does not hold them.
    """
    offsets = cost.min(axis=1)
    reduced = cost - offsets[:, None]
    reg = float(reduced.max()) / ROUGHNESS
    if reg == 0.0:
        return None
    kernel = DenseKernel(reduced, cost, reg)
    v = scale(mu[None, :], kernel, lower, upper, 40, 1e-3).v
    with np.errstate(divide="ignore", invalid="ignore"):
        potentials = offsets + reg * (np.log(mu) - np.log(np.exp(-reduced / reg) @ v[0]))
    return potentials if np.isfinite(potentials).all() else None


def _trace(history: list[tuple[Array, float, float]], contraction: float) -> Trace:
    outputs, errors, steps = (np.array(part) for part in zip(*history, strict=True))
    start = steps[0] / (1.0 - contraction) if contraction < 1.0 else np.inf
    bound: Array = 2.0 * start * np.power(contraction, np.arange(1, len(history) + 1))
    return Trace(outputs, errors, steps, contraction, bound)


def _birkhoff_contraction(cost: Array, reg: float) -> float:
    """c = tanh(D/4)^2 with D the projective diameter of K, from differences of rows of the cost."""
    largest = 0.0
    for i in range(len(cost) - 1):
        largest = max(largest, float(np.ptp(cost[i + 1 :] - cost[i], axis=1).max()))
    return float(np.tanh(largest / reg / 4.0) ** 2)
