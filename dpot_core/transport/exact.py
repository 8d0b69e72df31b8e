"""Exact transport to the cheapest point of a capped simplex: min <C, pi>, row sums mu, column sums in a box.

Knows nothing of privacy. Three solvers for one linear program: a network simplex on all arcs; for large problems
near-optimal potentials and a network simplex on the few arcs that they leave (`boxed_dual`, `priced_arcs`), which falls
back on the first; and SciPy's HiGHS. Each is held against the next, slower and more obvious one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy
import scipy.sparse as sparse

from dpot_core.arguments import Array
from dpot_core.transport.boxed_dual import smoothed_potentials
from dpot_core.transport.capped_simplex import minimise_linear, repair
from dpot_core.transport.entropic import rough_row_potentials
from dpot_core.transport.priced_arcs import transport_on_priced_arcs
from dpot_core.transport.wasserstein import network_simplex

#: Largest duality gap accepted, relative to the largest cost: what rounding leaves of sums of potentials.
GAP_TOLERANCE = 1e-9
#: From few arcs, relative to the value too: otherwise all arcs are solved, whose gap is compared with the value.
_SHARE = 1e-6
#: From this many cost entries on, starting from rough potentials saves more pivots than it costs.
_WARM_START_SIZE = 10_000
#: From this many cost entries on, few arcs are priced in the place of all; from fewer on where there are few rows and
#: many columns. They are faster from 16,000 on in any case, but where several outputs are nearest they may pick another
#: one: pages that stood before keep theirs.
PRICED_SIZE = 100_000
FEW_ROWS_SIZE = 5_000
_MANY_COLUMNS = 8
#: Arcs are kept at first whose slack is at most so many temperatures of the potentials.
_WIDTH = 3.0


@dataclass(frozen=True)
class BoxedTransport:
    """Solution of a boxed transportation problem.

    Attributes:
        output: cheapest point of the capped simplex, (k_v,), inside it in floating point.
        value: its transport cost from mu, in cost units.
        gap: value minus a lower bound proved by dual feasibility (0 up to rounding).
        plan: optimal plan (k, k_v), if asked for.
    """

    output: Array
    value: float
    gap: float
    plan: Array | None = field(default=None, repr=False)


def boxed_transport(mu: Array, cost: Array, lower: Array, upper: Array, return_plan: bool = False) -> BoxedTransport:
    """Solve on few arcs if the problem is large, on all arcs otherwise or where the gap does not close.

    Raises:
        RuntimeError: if the solver stops early or leaves a duality gap.
    """
    rows, columns = np.count_nonzero(mu), np.count_nonzero(upper)
    if rows * columns >= (FEW_ROWS_SIZE if columns >= _MANY_COLUMNS * rows else PRICED_SIZE):
        found = boxed_transport_priced(mu, cost, lower, upper, return_plan)
        # Beside one far output the largest cost says nothing of the value.
        if found is not None and found.gap <= _SHARE * found.value:
            return found
    return boxed_transport_simplex(mu, cost, lower, upper, return_plan)


def boxed_transports(
    mu: Array, cost: Array, lower: Array, upper: Array, return_plan: bool = False
) -> list[BoxedTransport]:
    """Solve for every row of mu (n, k); rows that are equal share one solution, as people at one place do."""
    if len(mu) == 1:
        return [boxed_transport(mu[0], cost, lower, upper, return_plan)]
    distinct, number = np.unique(mu, axis=0, return_inverse=True)
    solved = [boxed_transport(row, cost, lower, upper, return_plan) for row in distinct]
    return [solved[i] for i in number.ravel()]


def boxed_transport_priced(
    mu: Array, cost: Array, lower: Array, upper: Array, return_plan: bool = False
) -> BoxedTransport | None:
    """Solve from near-optimal potentials on the arcs that they leave; None if the gap does not close.

    Source: `boxed_dual` and `priced_arcs` have the derivation and why the certificate holds.
    """
    rows, columns = np.flatnonzero(mu > 0), np.flatnonzero(upper > 0)
    part = cost[np.ix_(rows, columns)]
    scale = float(part.max()) or 1.0
    part /= scale
    low, room = lower[columns], upper[columns] - lower[columns]
    potentials, temperature = smoothed_potentials(mu[rows], part, low, room)
    found = transport_on_priced_arcs(mu[rows], part, low, room, potentials, _WIDTH * temperature)
    if found is None or not found.value - found.bound <= GAP_TOLERANCE:
        return None
    row, column = rows[found.row], columns[found.column]
    reached = np.bincount(column, found.mass, upper.size).astype(np.float64)
    output = repair(reached[None, :], lower, upper)[0]
    value = float(found.mass @ cost[row, column])
    plan = None
    if return_plan:
        plan = np.zeros_like(cost)
        np.add.at(plan, (row, column), found.mass)
    return BoxedTransport(output, value, value - found.bound * scale, plan)


def boxed_transport_simplex(
    mu: Array, cost: Array, lower: Array, upper: Array, return_plan: bool = False
) -> BoxedTransport:
    """Solve by a network simplex on a balanced problem with every column split in two.

    The first copy of column j demands lower_j, the second upper_j - lower_j; a dummy row supplies the
    sum(upper) - 1 that stays unused, at cost 0 to second copies and at a prohibitive cost to first ones. Exchanging
    the dummy's mass on a first copy against real mass on any second copy would save more than the largest cost, so an
    optimal plan has none there. How near the optimum it comes, relative to the value, is proven by the network simplex;
    the gap found here from its potentials is rounded like the largest cost.

    Raises:
        RuntimeError: if the solver stops early or leaves a duality gap.

    Source: the reduction is ours; the linear program is wpm_2605.10015, section 4 and appendix I.
    """
    rows, columns = np.flatnonzero(mu > 0), np.flatnonzero(upper > 0)
    part = np.ascontiguousarray(cost[np.ix_(rows, columns)])
    low, room = lower[columns], upper[columns] - lower[columns]
    seconds = np.flatnonzero(room > 0)
    scale = float(part.max()) or 1.0
    supply = mu[rows]
    unused = low.sum() + room.sum() - supply.sum()
    costs = np.concatenate([part, part[:, seconds]], axis=1) / scale
    if unused > 0:
        dummy = np.concatenate([np.full(low.size, 2.0), np.zeros(seconds.size)])
        costs, supply = np.vstack([costs, dummy]), np.append(supply, unused)
    demand = np.concatenate([low, room[seconds]])
    start = None
    if unused > 0 and part.size >= _WARM_START_SIZE:
        start = _start(mu[rows], part / scale, low, low + room, seconds)
    flow, potentials = network_simplex(supply, demand * (supply.sum() / demand.sum()), costs, start)
    real = flow[: rows.size]
    compact = real[:, : low.size]
    compact[:, seconds] += real[:, low.size :]
    output = np.zeros(cost.shape[1])
    output[columns] = compact.sum(axis=0)
    output = repair(output[None, :], lower, upper)[0]
    value = float((compact * part).sum())
    gap = value - _dual_bound(mu[rows], part, potentials[: rows.size] * scale, low, upper[columns])
    if gap > GAP_TOLERANCE * scale:
        raise RuntimeError(f"exact projection left a duality gap of {gap:.3g} (largest cost {scale:.3g})")
    plan = None
    if return_plan:
        plan = np.zeros_like(cost)
        plan[np.ix_(rows, columns)] = compact
    return BoxedTransport(output, value, gap, plan)


def _start(
    mu: Array, cost: Array, lower: Array, upper: Array, seconds: np.ndarray[Any, np.dtype[np.intp]]
) -> tuple[Array, Array] | None:
    """Feasible dual potentials of the balanced problem, (rows and dummy, first and second copies), from rough ones.

    Given row potentials, first copies take what the rows allow them; the dummy's is the threshold of the box program.
    """
    potentials = rough_row_potentials(mu, cost, lower, upper)
    if potentials is None:
        return None
    columns = (cost - potentials[:, None]).min(axis=0)
    potentials = (cost - columns).min(axis=1)
    _, threshold = minimise_linear(columns[None, :], np.argsort(columns)[None, :], lower, upper)
    first_and_second = np.append(columns, np.minimum(columns[seconds], threshold[0]))
    return np.append(potentials, -threshold[0]), first_and_second


def _dual_bound(mu: Array, cost: Array, potentials: Array, lower: Array, upper: Array) -> float:
    """Lower bound mu.f + min_q q.g with g_j = min_i (C_ij - f_i): valid for any row potentials f."""
    columns = (cost - potentials[:, None]).min(axis=0)[None, :]
    value, _ = minimise_linear(columns, np.argsort(columns, axis=1), lower, upper)
    return float(mu @ potentials + value[0])


def boxed_transport_lp(mu: Array, cost: Array, lower: Array, upper: Array) -> BoxedTransport:
    """The same linear program by SciPy's HiGHS: slow and obvious, kept as the reference.

    Raises:
        RuntimeError: if HiGHS stops early, or its prices do not prove the value to a millionth: its tolerances are
            absolute, and beside a cost of 1e10 times the others it does not see those.

    Source: wpm_2605.10015, section 4.
    """
    k, k_v = cost.shape
    row_sums = sparse.kron(sparse.identity(k), np.ones((1, k_v)), format="csr")
    column_sums = sparse.kron(np.ones((1, k)), sparse.identity(k_v), format="csr")
    # HiGHS's tolerances are absolute: a cost in small units would count as zero.
    scale = float(cost.max()) or 1.0
    solution: Any = scipy.optimize.linprog(  # type: ignore[call-overload]  # the stubs know no sparse matrix with these options
        cost.ravel() / scale,
        A_eq=row_sums,
        b_eq=mu,
        A_ub=sparse.vstack([column_sums, -column_sums], format="csr"),
        b_ub=np.concatenate([upper, -lower]),
        bounds=(0, None),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if solution.status != 0:
        raise RuntimeError(f"the reference linear program failed: {solution.message}")
    plan = solution.x.reshape(k, k_v)
    output = repair(plan.sum(axis=0)[None, :], lower, upper)[0]
    value = float((plan * cost).sum())
    gap = value - _dual_bound(mu, cost, solution.eqlin.marginals * scale, lower, upper)
    used = max(float(cost[plan > 0].max(initial=0.0)), float(cost[cost > 0].min(initial=scale)))
    if gap > 1e-6 * value + 1e-10 * used:
        raise RuntimeError(f"the reference linear program left a duality gap of {gap:.3g} (its value is {value:.3g})")
    return BoxedTransport(output, value, gap, plan)
