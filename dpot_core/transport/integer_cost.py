"""The exact transport cost between whole numbers, where not even the last digit may be wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpot_core.transport.wasserstein import network_simplex

Integers = NDArray[np.int64]

#: Masses times costs, and sums of costs along a path, stay below this.
LARGEST = 2**62
#: Potentials that the solver proposes are cut down to this.
FARTHEST = 2.0**50


def integer_transport(supply: Integers, demand: Integers, cost: Integers) -> int:
    """min over integer couplings of sum C_ij x_ij, exactly: all arithmetic is on integers.

    The network simplex in floats only proposes a plan. Bellman and Ford's algorithm on its residual graph, in integers,
    then proves it optimal or finds a cycle of negative cost, along which the plan is mended; each such step lowers the
    cost by at least 1, so that this ends. No input is refused for the sake of rounding.

    Args:
        supply: non-negative, (k,).
        demand: non-negative, (l,), of the same sum.
        cost: non-negative, (k, l); the sum of the supply times the largest cost must stay below ``LARGEST``.

    Returns:
        The optimal cost, the same for every optimal plan.

    Raises:
        ValueError: if the sums differ or the cost could leave 64-bit integers.

    Source:
        Ahuja, Magnanti, Orlin 1993, Theorem 3.8 (negative cycle optimality).
    """
    total = sum(supply.tolist())
    if total != sum(demand.tolist()):
        raise ValueError("supply and demand must have the same sum")
    if total * int(cost.max()) >= LARGEST or sum(cost.shape) * int(cost.max()) >= LARGEST:
        raise ValueError("supply times cost must stay below 2^62")
    rows, columns = supply > 0, demand > 0
    if not rows.any():
        return 0
    supply, demand, part = supply[rows], demand[columns], np.ascontiguousarray(cost[np.ix_(rows, columns)])
    plan, potentials = _proposed(supply, demand, part)
    plan = _optimal(plan, part, potentials)
    return int((plan * part).sum())


def _proposed(supply: Integers, demand: Integers, cost: Integers) -> tuple[Integers, Integers]:
    """A plan with exactly these marginals, near the best one if floats do well, and potentials of the rows."""
    try:
        found, duals = network_simplex(supply.astype(np.float64), demand.astype(np.float64), cost.astype(np.float64))
        plan = np.rint(found).astype(np.int64)
        # Any start will do, as long as sums with it stay in 64 bits.
        potentials = np.rint(np.clip(duals, -FARTHEST, FARTHEST)).astype(np.int64)
        if plan.min() >= 0 and (plan.sum(axis=1) == supply).all() and (plan.sum(axis=0) == demand).all():
            return plan, potentials
    except RuntimeError:
        pass  # whatever the solver could not do, the integers below can
    return _corner(supply, demand), np.zeros(supply.size, dtype=np.int64)


def _corner(supply: Integers, demand: Integers) -> Integers:
    """The plan of the north-west corner rule."""
    plan = np.zeros((supply.size, demand.size), dtype=np.int64)
    left, wanted = supply.copy(), demand.copy()
    i = j = 0
    while i < left.size and j < wanted.size:
        amount = min(left[i], wanted[j])
        plan[i, j] = amount
        left[i] -= amount
        wanted[j] -= amount
        if left[i] == 0:
            i += 1
        else:
            j += 1
    return plan


def _optimal(plan: Integers, cost: Integers, potentials: Integers) -> Integers:
    """Cancel negative cycles until there is none."""
    while True:
        cycle = _negative_cycle(plan, cost, potentials)
        if not cycle:
            return plan
        back = [(i, j) for i, j, forward in cycle if not forward]
        amount = min(int(plan[place]) for place in back)
        for i, j, forward in cycle:
            plan[i, j] += amount if forward else -amount


def _negative_cycle(plan: Integers, cost: Integers, potentials: Integers) -> list[tuple[int, int, bool]]:
    """Arcs (row, column, whether from the row to the column) of a cycle of negative cost; empty if there is none.

    Bellman and Ford's sweeps converge, from any start, if and only if there is no such cycle, and then within as many
    sweeps as there are nodes; otherwise the arcs that lowered the distances last hold a cycle.
    """
    k, columns = cost.shape
    used = plan > 0
    far = np.iinfo(np.int64).max // 2
    to_row, to_column = -potentials, np.full(columns, far)
    row_from, column_from = np.full(k, -1), np.full(columns, -1)
    for _ in range(k + columns + 1):
        ways = to_row[:, None] + cost
        best = ways.argmin(axis=0)
        shorter = ways[best, np.arange(columns)]
        lower_columns = shorter < to_column
        to_column = np.where(lower_columns, shorter, to_column)
        column_from = np.where(lower_columns, best, column_from)
        back = np.where(used, to_column[None, :] - cost, far)
        best = back.argmin(axis=1)
        shorter = back[np.arange(k), best]
        lower_rows = shorter < to_row
        to_row = np.where(lower_rows, shorter, to_row)
        row_from = np.where(lower_rows, best, row_from)
        if not lower_rows.any():
            return []
    row = int(np.flatnonzero(lower_rows)[0])
    seen: list[int] = []
    while row not in seen:
        seen.append(row)
        row = int(column_from[row_from[row]])
    arcs: list[tuple[int, int, bool]] = []
    for node in seen[seen.index(row) :]:
        column = int(row_from[node])
        arcs += [(node, column, False), (int(column_from[column]), column, True)]
    return arcs
