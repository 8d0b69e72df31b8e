"""Slow ways to the minimax base measure that the fast one is held against: the paper's, and one linear program."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
import scipy.sparse as sparse

from dpot_core.arguments import Array
from dpot_core.base_measures.objective import GapProgress, Objective


def mirror_descent(objective: Objective, steps: int, report: GapProgress) -> tuple[Array, float, Array]:
    """The paper's method: multiplicative updates with a constant step, mass clipped, the average returned.

    m <- m exp(-eta g), eta = sqrt(2 (1 + log k)) / (beta max C sqrt T), from m_1 = 1 / (alpha k_v). The mean of the
    cuts met on the way is a lower bound, which the paper does not use.

    Source: wpm_2605.10015, appendix G and Proposition G.1.
    """
    k, k_v = objective.cost.shape
    largest = float(objective.cost.max()) or 1.0
    step = np.sqrt(2 * (1 + np.log(max(k, k_v)))) / (objective.beta * largest * np.sqrt(steps))
    base, total = np.full(k_v, 1.0 / (objective.alpha * k_v)), np.zeros(k_v)
    tau_sum, gradient_sum = 0.0, np.zeros(k_v)
    value, bound, trace = np.inf, -np.inf, []
    for t in range(1, steps + 1):
        total += base
        phi, tau = objective.values(base)
        # The first of those that rounding tells apart, so that all processors take the same steps.
        worst = np.array([int(np.argmax(phi >= (1 - 1e-12) * phi.max()))])
        gradient = objective.gradients(worst, tau)[0]
        tau_sum, gradient_sum = tau_sum + float(tau[worst[0]]), gradient_sum + gradient
        value = min(value, float(phi.max()))
        bound = max(bound, objective.bound(np.ones(1), np.array([tau_sum / t]), gradient_sum[None, :] / t))
        trace.append((value, bound))
        report(t, value, bound)
        base = base * np.exp(-step * gradient)
        base *= np.clip(base.sum(), objective.alpha, objective.beta) / base.sum()
    return total / steps, bound, np.array(trace)


def full_program(objective: Objective) -> tuple[Array, float, Array]:
    """One linear program in the mechanism's outputs on all Diracs, the base measure and the worst case t."""
    k, k_v = objective.cost.shape
    each = sparse.identity(k * k_v, format="csr")
    same = sparse.kron(np.ones((k, 1)), sparse.identity(k_v), format="csr")
    none = sparse.csr_matrix((k * k_v, 1))
    costs = sparse.hstack(
        [
            sparse.block_diag([row[None, :] for row in objective.cost]),
            sparse.csr_matrix((k, k_v)),
            sparse.csr_matrix(-np.ones((k, 1))),
        ]
    )
    upper = sparse.hstack([each, -objective.beta * same, none])
    lower = sparse.hstack([-each, objective.alpha * same, none])
    total = sparse.kron(sparse.identity(k), np.ones((1, k_v)))
    solution: Any = scipy.optimize.linprog(
        np.append(np.zeros(k * k_v + k_v), 1.0),
        A_ub=sparse.vstack([costs, upper, lower], format="csr"),
        b_ub=np.zeros(k + 2 * k * k_v),
        A_eq=sparse.hstack([total, sparse.csr_matrix((k, k_v + 1))], format="csr"),
        b_eq=np.ones(k),
        bounds=[(0, None)] * (k * k_v + k_v) + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if solution.status != 0:
        raise RuntimeError(f"minimax base: the full linear program failed: {solution.message}")
    base = np.maximum(solution.x[k * k_v : k * k_v + k_v], 0.0)
    base *= np.clip(base.sum(), objective.alpha, objective.beta) / base.sum()
    value = float(objective.values(base)[0].max())
    bound = float(solution.eqlin.marginals.sum())
    return base, bound, np.array([[value, bound]])
