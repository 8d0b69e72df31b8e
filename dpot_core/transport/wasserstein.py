"""Exact Wasserstein distances between two given distributions (POT's network simplex)."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_cost, check_distributions, check_order

Rows = NDArray[np.intp]

#: POT's default of 1e5 stops early at a few thousand points and then returns a wrong value with only a warning.
MAX_PIVOTS = 10_000_000

#: Small problems stop earlier: by then pivots go round in a circle, on reduced costs that are nothing but rounding.
_FEW_PIVOTS, _PIVOTS_PER_ARC = 100_000, 10

#: Bits that whole numbers have in float64, less some room for sums of potentials.
_BITS = 50

#: Largest duality gap accepted, relative to the value, and relative to the costs in sight: a few roundings of masses.
GAP_TOLERANCE = 1e-9
_ROUNDINGS = 2.0**-48

#: A mass of so little in all is what roundings of masses leave, not what a distribution has.
_LOST = 2.0**-50

#: Costs are cut at so many times the largest one in use: less, and it must be done again; more costs digits. At the
#: second where these digits are missing.
_BEYOND, _TIGHT = 16.0, 2.0

#: Times that a plan is improved beside its own potentials.
_REFINED = 3


def network_simplex(
    supply: Array, demand: Array, cost: Array, start: tuple[Array, Array] | None = None
) -> tuple[Array, Array]:
    """Optimal plan and row potentials of a balanced transportation problem; all masses positive, costs not negative.

    `start` holds potentials of rows and columns that guide the first pivots; any will do, good ones save time.

    The unit of the costs does not matter. The solver's own accuracy is a rounding of the largest cost, which proves
    nothing about a value that is far smaller (forbidden cells, one far output, high powers of distances): the gap is
    compared with the value, and where it is too large costs are cut down (see `_near`).

    Raises:
        RuntimeError: if the solver reports anything but an optimal solution, or leaves a duality gap above 1e-9 of the
            value and above what rounding of the masses can cost.
    """
    exponent = _exponent(cost)
    given = np.ldexp(cost, -exponent)
    guide = None if start is None else (np.ldexp(start[0], -exponent), np.ldexp(start[1], -exponent))
    plan, rows = _solved(supply, demand, given, guide)
    if not _proven(plan, rows, given):
        plan, rows = _near(supply, demand, given, plan)
    return plan, np.ldexp(rows, exponent)


def _exponent(cost: Array) -> int:
    """The power of two that takes the largest cost to between 1 and 2: the solver takes 1 for a cost of some size."""
    return math.frexp(float(cost.max(initial=0.0)))[1] - 1


def _solved(supply: Array, demand: Array, cost: Array, start: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
    """Optimal plan and row potentials up to roundings of the largest cost, which lies between 1 and 2.

    Where rounding keeps the pivots going, costs are cut to multiples of a power of two that is so large that all sums
    of costs are exact: the plan is then optimal up to 2^-47 (n + m) times the largest cost.
    """
    pivots = min(MAX_PIVOTS, _FEW_PIVOTS + _PIVOTS_PER_ARC * cost.size)
    plan, log = _pivoted(supply, demand, cost, pivots, start)
    if not _finished(log):
        plan, log = _pivoted(supply, demand, _dyadic(cost), MAX_PIVOTS, None)
    if not _finished(log):
        raise RuntimeError(f"the network simplex did not finish: {log['warning']}")
    return np.asarray(plan, dtype=np.float64), np.asarray(log["u"], dtype=np.float64)


def _near(supply: Array, demand: Array, cost: Array, plan: Array) -> tuple[Array, Array]:
    """The same to roundings of the largest cost *in use*, from a plan that is roughly right.

    Each row's, then each column's least cost is paid in any case; what exceeds it is cut down to a level T. A plan of
    min(C, T) that uses no cell above T is optimal for C: it costs the same there, and no other plan costs less than
    under min(C, T). Otherwise T is raised.
    """
    least = cost.min(axis=1)
    excess = cost - least[:, None]
    excess -= excess.min(axis=0)
    lost = _LOST * float(supply.sum())
    before, times = math.inf, _BEYOND
    while (used := float(excess[plan > lost].max(initial=0.0))) < before or times > _TIGHT:
        times = times if used < before else _TIGHT
        before = used
        plan, rows, level = _below(supply, demand, excess, used, times)
        if _proven(plan, rows, excess, float((plan * cost).sum()), level):
            return plan, least + rows
    # A plan that leaves a rounding of the largest cost in use: what is left of costs beside its potentials is far less.
    for _ in range(_REFINED):
        reduced = excess - rows[:, None]
        reduced -= reduced.min(axis=0)
        plan, more, _ = _below(supply, demand, reduced, float(reduced[plan > lost].max(initial=0.0)), _BEYOND)
        rows = rows + more
        if _proven(plan, rows, excess, float((plan * cost).sum()), level):
            return plan, least + rows
    raise RuntimeError("the network simplex left a duality gap: costs differ by more than float64 can tell apart")


def _below(supply: Array, demand: Array, excess: Array, used: float, times: float) -> tuple[Array, Array, float]:
    """Optimal plan, row potentials and level T of costs cut at T: a plan that uses no cell above T.

    T is `used`, or the least cost that is not 0, times a power of `times`.
    """
    lost = _LOST * float(supply.sum())
    level = used or float(excess[excess > 0].min(initial=1.0)) / times
    while True:
        level *= times
        near = np.minimum(excess, level)
        exponent = _exponent(near)
        plan, rows = _solved(supply, demand, np.ldexp(near, -exponent))
        beyond = excess > level
        if plan[beyond].sum() <= lost:
            plan[beyond] = 0.0
            return plan, np.ldexp(rows, exponent), level


def _proven(plan: Array, rows: Array, cost: Array, value: float | None = None, level: float = 0.0) -> bool:
    """Whether the gap, sum_ij pi_ij (C_ij - f_i - g_j) with g_j = min_i (C_ij - f_i), is next to nothing of the value.

    All terms are non-negative, and 0 where an arc is tight, however large the potentials are: nothing cancels.
    """
    source, target = np.nonzero(plan)
    mass, paid = plan[source, target], cost[source, target]
    some = mass > _LOST * float(mass.sum())
    best = _least_over_rows(cost, rows)
    gap = float(mass @ (paid - rows[source] - best[target]))
    # Mass that rounding left on a far cell is no part of what the distance is.
    stray = float(mass[~some] @ paid[~some])
    value = float(mass[some] @ paid[some]) if value is None else value
    return max(gap, stray) <= GAP_TOLERANCE * value + _ROUNDINGS * level * float(mass.sum())


def _least_over_rows(cost: Array, rows: Array) -> Array:
    """g_j = min_i (C_ij - f_i), one vector after another: a second matrix of the cost's size takes longer."""
    if 4 * cost.shape[1] < cost.shape[0]:  # columns do not lie together in memory, but they are few
        return np.array([(column - rows).min() for column in cost.T])
    best = np.full(cost.shape[1], np.inf)
    for costs, potential in zip(cost, rows, strict=True):
        np.minimum(best, costs - potential, out=best)
    return best


def _pivoted(
    supply: Array, demand: Array, cost: Array, pivots: int, start: tuple[Array, Array] | None
) -> tuple[Array, dict[str, Any]]:
    import ot  # at the first call: its import takes as long as that of all else here

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan, log = ot.emd(supply, demand, cost, numItermax=pivots, log=True, center_dual=False, potentials_init=start)
    return plan, log


def _finished(log: dict[str, Any]) -> bool:
    return log["warning"] is None and log["result_code"] == 1


def _dyadic(cost: Array) -> Array:
    """Costs cut to multiples of a power of two of which all paths' costs, and artificial arcs', are exact sums.

    An artificial arc costs n + m times as much as the dearest one.
    """
    largest = float(np.abs(cost).max())
    bits = _BITS - 1 - math.ceil(math.log2(sum(cost.shape)))
    step = math.ldexp(1.0, math.frexp(largest)[1] - bits)
    return np.asarray(np.round(cost / step) * step) if largest else cost


def sparse_network_simplex(
    supply: Array, demand: Array, source: Rows, target: Rows, cost: Array
) -> tuple[Rows, Rows, Array, Array, Array] | None:
    """The same on given arcs only; None where the solver reports anything but an optimal solution.

    Returns:
        (sources, targets and masses of the arcs in use, potentials of all sources, of all targets).
    """
    import ot

    exponent = _exponent(cost)
    arcs = sparse.coo_array((np.ldexp(cost, -exponent), (source, target)), shape=(supply.size, demand.size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flow, log = ot.emd(supply, demand, arcs, numItermax=MAX_PIVOTS, log=True, center_dual=False)
    if log["warning"] is not None or log["result_code"] != 1:
        return None
    used = (flow.row.astype(np.intp), flow.col.astype(np.intp), flow.data)
    u, v = (np.ldexp(np.asarray(log[name], dtype=np.float64), exponent) for name in "uv")
    return *used, u, v


def wasserstein(mu: ArrayLike, nu: ArrayLike, cost: ArrayLike, p: float) -> float:
    """Wasserstein distance W_p(mu, nu) = (min over couplings pi of sum C_ij pi_ij)^(1/p), in units of the metric.

    Args:
        mu: distribution on the rows of the cost, shape (k,).
        nu: distribution on its columns, shape (k_v,).
        cost: C_ij = d(x_i, v_j)^p, shape (k, k_v).
        p: the order that the cost was raised to.

    Raises:
        ValueError: if shapes or masses do not fit.
        RuntimeError: if the solver does not reach an optimum.

    Source: wpm_2605.10015, section 3.1.
    """
    matrix = check_cost(cost)
    p = check_order(p)
    (first, _), (second, _) = (
        check_distributions(mu, "mu", matrix.shape[0]),
        check_distributions(nu, "nu", matrix.shape[1]),
    )
    if len(first) != 1 or len(second) != 1:
        raise ValueError("wasserstein compares two distributions; loop over rows for several")
    return float(transport_cost(first[0], second[0], matrix) ** (1.0 / p))


def transport_cost(mu: Array, nu: Array, cost: Array) -> float:
    """min over couplings of sum C_ij pi_ij, unchecked; zero masses are dropped first."""
    rows, columns = mu > 0, nu > 0
    part = np.ascontiguousarray(cost[np.ix_(rows, columns)])
    supply, demand = mu[rows], nu[columns]
    plan, _ = network_simplex(supply / supply.sum(), demand / demand.sum(), part)
    return max(float((plan * part).sum()), 0.0)
