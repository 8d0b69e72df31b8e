"""Entropic transport to a capped simplex (Algorithm 1), batched; knows nothing of privacy.

min <C, pi> + reg * sum pi log pi, row sums mu, column sums in [lower, upper] with total 1, by alternating scalings
u = mu / (K v), s = K'u, q = KL projection of s on the box, v = q / s, where K = exp(-C / reg).

Two routes, the same iteration. Where K keeps all its entries in float64, all inputs share it and an iteration is two
matrix products. Where reg is so small that K would underflow, logarithms of u and v are kept instead, input by input on
its support, started from the solution for a larger reg.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpot_core.checks import Array
from dpot_core.transport import capped_simplex
from dpot_core.transport.warm_projection import Simplices, project_warm

#: exp(-_SHARED_RANGE) is the smallest kernel entry for which scalings cannot leave float64 on ordinary inputs.
_SHARED_RANGE = 200.0
#: Rough potentials are smoothed with the costs' range over this: as sharp as the shared route allows.
ROUGHNESS = _SHARED_RANGE
#: Masses below this are dropped on the shared route: they change nothing there, and subnormal products are slow.
_NEGLIGIBLE = 1e-200
#: In logarithms, scalings are absorbed into the kernel when they have moved by more than this.
_ABSORB_AT = 50.0
#: Row sums are compared with mu every so many iterations on the shared route.
_CHECK_EVERY = 10


@dataclass(frozen=True)
class Trace:
    """What happened at each of T iterations, for one input.

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
        plan_cost: <C, pi> of the last plan, (n,), cost units; its row sums are mu only up to `marginal_error`.
        marginal_error: L1 distance of the plan's row sums from mu, (n,).
        iterations: iterations made (the largest over the batch).
        converged: marginal_error <= tol, (n,).
        trace: see `Trace`, if asked for.
    """

    output: Array
    plan_cost: Array
    marginal_error: Array
    iterations: int
    converged: np.ndarray[tuple[int], np.dtype[np.bool_]]
    trace: Trace | None = field(default=None, repr=False)


def boxed_entropic(
    mu: Array,
    cost: Array,
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
    part, low, high = np.ascontiguousarray(cost[:, used]), lower[used], upper[used]
    output = np.zeros((n, upper.size))
    plan_cost, error, iterations, record = np.full(n, np.nan), np.full(n, np.inf), 0, None
    # A multiple of a row of K is taken up by u_i, because the row sums are given. A multiple of a column is not free:
    # the column sums are chosen, and they would be chosen differently.
    reduced = part - part.min(axis=1, keepdims=True)
    alone = np.arange(n)
    if not trace and reduced.max() <= _SHARED_RANGE * reg:
        alone = np.empty(0, dtype=np.intp)
        if max_iter > 0:
            shared = _shared_kernel(mu, reduced, low, high, reg, max_iter, tol)
            output[:, used], u, v, error, iterations = shared
            with np.errstate(invalid="ignore", over="ignore"):
                plan_cost = np.asarray(((u @ (np.exp(-reduced / reg) * part)) * v).sum(axis=1))
            alone = np.flatnonzero(~np.isfinite(error) | ~np.isfinite(output).all(axis=1))
        else:
            output[:, used] = capped_simplex.project_kl(np.zeros((n, used.size)), low, high)[0]
    for i in alone:
        rows = mu[i] > 0
        solution = _log_domain(mu[i, rows], part[rows], low, high, reg, max_iter, tol, trace)
        output[i, used], plan_cost[i], error[i], done, record = solution
        iterations = max(iterations, done)
    output = capped_simplex.repair(output, lower, upper)
    if record is not None:
        outputs = np.zeros((len(record.outputs), upper.size))
        outputs[:, used] = record.outputs
        outputs = capped_simplex.repair(outputs, lower, upper)
        record = Trace(outputs, record.marginal_error, record.hilbert_step, record.contraction, record.kl_bound)
    return EntropicTransport(output, plan_cost, error, iterations, error <= tol, record)


def rough_row_potentials(mu: Array, cost: Array, lower: Array, upper: Array) -> Array | None:
    """Dual potentials f of the rows, (k,), cost units, from a few iterations at a 200th of the costs' range.

    Good enough to start an exact solver from; None where float64 does not hold them.
    """
    offsets = cost.min(axis=1)
    reduced = cost - offsets[:, None]
    reg = float(reduced.max()) / ROUGHNESS
    if reg == 0.0:
        return None
    _, _, v, _, _ = _shared_kernel(mu[None, :], reduced, lower, upper, reg, 40, 1e-3)
    with np.errstate(divide="ignore", invalid="ignore"):
        potentials = offsets + reg * (np.log(mu) - np.log(np.exp(-reduced / reg) @ v[0]))
    return potentials if np.isfinite(potentials).all() else None


def _shared_kernel(
    mu: Array, cost: Array, lower: Array, upper: Array, reg: float, max_iter: int, tol: float
) -> tuple[Array, Array, Array, Array, int]:
    """All inputs at once: two matrix products an iteration. Returns (q, u, v, row error, iterations)."""
    mu = np.where(mu < _NEGLIGIBLE, 0.0, mu)
    kernel = np.exp(-cost / reg)
    transposed = np.ascontiguousarray(kernel.T)
    n, k_v = len(mu), lower.size
    v = np.ones((n, k_v))
    q, scaled = np.empty((n, k_v)), np.empty((n, k_v))
    u, kv = np.empty_like(mu), v @ transposed
    error = np.full(n, np.inf)
    for iteration in range(1, max_iter + 1):
        np.divide(mu, kv, out=u)
        s = u @ kernel
        if iteration == 1:
            x = 1.0 / s.sum(axis=1)
        x = project_warm(s, x, lower, upper, q, scaled)
        np.divide(q, s, out=v)
        np.matmul(v, transposed, out=kv)
        if iteration % _CHECK_EVERY == 0 or iteration == max_iter:
            with np.errstate(invalid="ignore", over="ignore"):
                error = np.abs(u * kv - mu).sum(axis=1)
            # A row that left float64 is done again in logarithms by the caller; it must not hold up the others.
            if (~(error > tol)).all():
                break
    return q, u, v, error, iteration


def _log_domain(
    mu: Array, cost: Array, lower: Array, upper: Array, reg: float, max_iter: int, tol: float, trace: bool
) -> tuple[Array, float, float, int, Trace | None]:
    """One input, in logarithms: no underflow at any reg. Returns (q, plan cost, row error, iterations, trace)."""
    log_mu = np.log(mu)
    potential = np.zeros(lower.size)  # reg * log v, which carries over from one reg to the next
    simplices = Simplices(lower[None, :], upper[None, :])
    q = simplices.project(np.zeros((1, lower.size)))[0][0]
    error, spent = np.inf, 0
    outputs, errors, steps = [], [], []
    spread = float(cost.max() - cost.min())
    stages = [reg] if trace or max_iter <= 100 else _stages(spread, reg)
    log_u = np.zeros(mu.size)
    for position, stage in enumerate(stages):
        last = position == len(stages) - 1
        # The last stage, the only one with the right reg, must get its share of the iterations.
        budget = max_iter - spent if last else min(50, (max_iter - spent) // (len(stages) - position))
        kernel, log_v = _LogKernel(-cost / stage), potential / stage
        log_kv = kernel.times(log_v)
        for _ in range(budget):
            log_u = log_mu - log_kv
            log_s = kernel.transposed_times(log_u, log_v)
            projected, logarithms = simplices.project(log_s[None, :])
            q = projected[0]
            previous, log_v = log_v, logarithms[0] - log_s
            log_kv = kernel.times(log_v, log_u)
            error = float(np.abs(np.exp(log_u + log_kv) - mu).sum())
            spent += 1
            if trace:
                outputs.append(q)
                errors.append(error)
                steps.append(float(np.ptp(log_v - previous)))
            if error <= (tol if last else max(tol, 1e-3)):
                break
        potential = stage * log_v
    plan_cost = float((np.exp(log_u[:, None] - cost / reg + log_v) * cost).sum()) if spent else np.nan
    record = None
    if trace and spent:
        contraction = _birkhoff_contraction(cost, reg)
        start = steps[0] / (1.0 - contraction) if contraction < 1.0 else np.inf
        bound: Array = 2.0 * start * np.power(contraction, np.arange(1, spent + 1))
        record = Trace(np.array(outputs), np.array(errors), np.array(steps), contraction, bound)
    return q, plan_cost, error, spent, record


class _LogKernel:
    """Products with exp(exponents) in logarithms, by matrix products with an absorbed kernel where that is safe.

    The absorbed kernel is exp(exponents + rows + columns) for scalings (rows, columns) seen recently. Results that
    underflow in it are summed again one by one with their own maximum taken out.
    """

    def __init__(self, exponents: Array) -> None:
        self._exponents = exponents
        self._absorb(-exponents.max(axis=1), np.zeros(exponents.shape[1]))

    def _absorb(self, rows: Array, columns: Array) -> None:
        self._rows, self._columns = rows, columns
        self._kernel = np.exp(np.minimum(self._exponents + rows[:, None] + columns, _ABSORB_AT))

    def times(self, log_v: Array, log_u: Array | None = None) -> Array:
        """log(K exp(log_v))."""
        if np.abs(log_v - self._columns).max() > _ABSORB_AT:
            rows = -_log_sum_exp(self._exponents + log_v, axis=1) if log_u is None else log_u
            self._absorb(rows, log_v)
        total = self._kernel @ np.exp(log_v - self._columns)
        return self._finish(total, self._rows, self._exponents, log_v)

    def transposed_times(self, log_u: Array, log_v: Array) -> Array:
        """log(K' exp(log_u))."""
        if np.abs(log_u - self._rows).max() > _ABSORB_AT:
            self._absorb(log_u, log_v)
        total = np.exp(log_u - self._rows) @ self._kernel
        return self._finish(total, self._columns, self._exponents.T, log_u)

    def _finish(self, total: Array, absorbed: Array, exponents: Array, scaling: Array) -> Array:
        weak = total < 1e-200
        with np.errstate(divide="ignore"):
            logs = np.log(total) - absorbed
        if weak.any():
            logs[weak] = _log_sum_exp(exponents[weak] + scaling, axis=1)
        return np.asarray(logs)


def _log_sum_exp(values: Array, axis: int) -> Array:
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis))


def _stages(spread: float, reg: float) -> list[float]:
    """Decreasing regularisation, from a twentieth of the costs' spread by factors of 4 down to reg."""
    stages, stage = [], spread / 20.0
    while stage > 2.0 * reg:
        stages.append(stage)
        stage /= 4.0
    return [*stages, reg]


def _birkhoff_contraction(cost: Array, reg: float) -> float:
    """c = tanh(D/4)^2 with D the projective diameter of K, from differences of rows of the cost."""
    largest = 0.0
    for i in range(len(cost) - 1):
        largest = max(largest, float(np.ptp(cost[i + 1 :] - cost[i], axis=1).max()))
    return float(np.tanh(largest / reg / 4.0) ** 2)
