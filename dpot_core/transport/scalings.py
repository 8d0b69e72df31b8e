"""The iteration of Algorithm 1, asked of any kernel: in plain numbers for many inputs, in logarithms for one.

u = mu / (K v), s = K'u, q = KL projection of s on the box, v = q / s. An output with upper bound 0 keeps v = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.kernels import Kernel, LogKernel
from dpot_core.transport.warm_projection import Simplices, project_warm

#: Masses below this are dropped in plain numbers: they change nothing there, and subnormal products are slow.
_NEGLIGIBLE = 1e-200
#: Row sums are compared with mu every so many iterations in plain numbers.
_CHECK_EVERY = 10


@dataclass(frozen=True)
class Scaled:
    """Where the iteration in plain numbers stopped: q, scalings u and v, row errors (n,), iterations made.

    An input whose scalings left float64 has an error or an output that is not finite.
    """

    q: Array
    u: Array
    v: Array
    error: Array
    iterations: int


def scale(mu: Array, kernel: Kernel, lower: Array, upper: Array, max_iter: int, tol: float) -> Scaled:
    """Iterate for all inputs (n, k) at once, until all row errors are within tol or max_iter >= 1 is reached."""
    mu = np.where(mu < _NEGLIGIBLE, 0.0, mu)
    n, k_v = len(mu), lower.size
    v = np.tile(np.where(upper > 0, 1.0, 0.0), (n, 1))
    q, scaled = np.empty((n, k_v)), np.empty((n, k_v))
    u, kv = np.empty_like(mu), kernel.times(v)
    error = np.full(n, np.inf)
    for iteration in range(1, max_iter + 1):
        np.divide(mu, kv, out=u)
        s = kernel.transposed_times(u)
        if iteration == 1:
            x = 1.0 / s.sum(axis=1)
        x = project_warm(s, x, lower, upper, q, scaled)
        np.divide(q, s, out=v)
        kernel.times(v, kv)
        if iteration % _CHECK_EVERY == 0 or iteration == max_iter:
            with np.errstate(invalid="ignore", over="ignore"):
                error = np.abs(u * kv - mu).sum(axis=1)
            # A row that left float64 is done again in logarithms by the caller; it must not hold up the others.
            if (~(error > tol)).all():
                break
    return Scaled(q, u, v, error, iteration)


@dataclass(frozen=True)
class LogScaled:
    """Where the iteration in logarithms stopped, for one input.

    Attributes:
        q: output, (k_v,), inside the box up to rounding.
        plan_cost: of the last plan; NaN where no iteration was made.
        error: L1 distance of the plan's row sums from mu.
        iterations: iterations made, over all stages.
        history: (q, error, Hilbert step of v) after every iteration, if asked for.
    """

    q: Array
    plan_cost: float
    error: float
    iterations: int
    history: list[tuple[Array, float, float]]


def scale_in_logarithms(
    mu: Array,
    make_kernel: Callable[[float], LogKernel],
    stages: Sequence[float],
    lower: Array,
    upper: Array,
    max_iter: int,
    tol: float,
    trace: bool = False,
) -> LogScaled:
    """Iterate for one input (k,): no underflow at any reg.

    Args:
        mu: the input.
        make_kernel: reg -> kernel.
        stages: values of reg to go through, the one that is asked for last (`annealed`).
        lower: of the box, (k_v,).
        upper: of the box, (k_v,).
        max_iter: largest number of iterations in all.
        tol: of the row sums.
        trace: record every iteration.
    """
    with np.errstate(divide="ignore"):
        log_mu = np.log(mu)
    potential = np.where(upper > 0, 0.0, -np.inf)  # reg * log v, which carries over from one reg to the next
    simplices = Simplices(lower[None, :], upper[None, :])
    q = simplices.project(np.zeros((1, lower.size)))[0][0]
    error, spent = np.inf, 0
    history: list[tuple[Array, float, float]] = []
    for position, stage in enumerate(stages):
        last = position == len(stages) - 1
        # The last stage, the only one with the right reg, must get its share of the iterations.
        budget = max_iter - spent if last else min(50, (max_iter - spent) // (len(stages) - position))
        kernel, log_v = make_kernel(stage), potential / stage
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
                history.append((q, error, float(np.ptp(log_v - previous))))
            if error <= (tol if last else max(tol, 1e-3)):
                break
        potential = stage * log_v
    plan_cost = kernel.plan_cost(log_u, log_v) if spent else np.nan
    return LogScaled(q, plan_cost, error, spent, history)


def annealed(spread: float, reg: float) -> list[float]:
    """Decreasing regularisation, from a twentieth of the costs' spread by factors of 4 down to reg."""
    stages, stage = [], spread / 20.0
    while stage > 2.0 * reg:
        stages.append(stage)
        stage /= 4.0
    return [*stages, reg]
