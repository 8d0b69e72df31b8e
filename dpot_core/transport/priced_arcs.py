"""Exact transport to a capped simplex from potentials that are nearly optimal, with a proof: few arcs, priced.

Given potentials f of the rows, arcs of slack C_ij - f_i - g_j up to a width are kept, columns whose side is clear leave
the network, a network simplex solves the rest, and arcs with a negative reduced cost join until there are none. The
lower bound is weak duality at the potentials found. Steps and proof: ``docs/proofs/exact_transport.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.transport.boxed_dual import first_of, threshold_at_zero
from dpot_core.transport.smoothed_dual import Rows
from dpot_core.transport.wasserstein import sparse_network_simplex

#: What the gap should come to, relative to the largest cost: rounding, far below what is accepted.
_AIM = 1e-11
#: Where no arc is missing, rounding alone can leave so much of it: a tenth of what is accepted.
_ROUNDED = 1e-10
#: Reduced costs above minus this are not negative.
_ROUNDING = 1e-12
_PENALTY = 2.0
#: Rows and nodes of less mass have this much: the simplex gives none of less any sensible potential.
_LEAST = 1e-18
#: Decided columns may take so much more than a row has: rounding of sums.
_SPARE = 1e-15
_MAX_ROUNDS = 12


@dataclass(frozen=True)
class ArcFlow:
    """An optimal plan as arcs (row, column, mass), its cost, and a lower bound of the optimum."""

    row: Rows
    column: Rows
    mass: Array
    value: float
    bound: float


@dataclass(frozen=True)
class _Network:
    """The problem that is left to the network simplex.

    Attributes:
        inside: columns that are in it, (c,).
        first: demand of the columns' first nodes, (c,).
        two: which of them have a second node, (c,).
        supply: what decided columns leave to the rows, (r,).
        decided: columns that went whole to their row.
    """

    inside: Rows
    first: Array
    two: NDArray[np.bool_]
    supply: Array
    decided: Rows


@dataclass(frozen=True)
class _Solved:
    """Masses of arcs, the total cost of penalties, potentials of the rows (dummy: 0) and of first nodes."""

    row: Rows
    column: Rows
    mass: Array
    penalty: float
    rows: Array
    columns: Array


def transport_on_priced_arcs(
    mu: Array, cost: Array, lower: Array, room: Array, potentials: Array, width: float
) -> ArcFlow | None:
    """The best plan found and its bound; None where the network simplex reports anything but an optimal solution.

    Args:
        mu: row masses, (r,), positive.
        cost: C_ij, (r, N), of a largest one of at most 1.
        lower: l_j, (N,), positive.
        room: m_j = u_j - l_j, (N,).
        potentials: f, (r,).
        width: largest slack of the arcs that are kept at first.
    """
    best = (cost - potentials[:, None]).min(axis=0)
    best -= threshold_at_zero(best, lower, room)
    # Rows of little mass: no higher potential changes g, and each has an arc of slack 0.
    slack = cost - best
    slack -= slack.min(axis=1)[:, None]
    label = first_of(slack == slack.min(axis=0))
    near, unclear = _within(width, slack, best, room)
    demand = np.where(best < 0, lower + room, lower)
    for _ in range(_MAX_ROUNDS):
        while (network := _network(mu, near, unclear, np.where(unclear, lower, demand), label)) is None:
            width = max(2.0 * width, _ROUNDING)
            more = _within(width, slack, best, room)
            near, unclear = near | more[0], unclear | more[1]
        solved = _solve(cost, room, near, network)
        if solved is None:
            return None
        row = np.concatenate([label[network.decided], solved.row])
        column = np.concatenate([network.decided, solved.column])
        mass = np.concatenate([demand[network.decided], solved.mass])
        value = float(mass @ cost[row, column]) + solved.penalty
        # Columns that went whole have the potential at which their arc costs nothing more.
        v = cost[label, np.arange(label.size)] - solved.rows[label]
        v[network.inside] = solved.columns
        reduced = cost - v
        reduced -= solved.rows[:, None]
        # A node of hardly any mass may have too low a potential.
        free = np.maximum(reduced.min(axis=0), 0.0)
        v += free
        reduced -= free
        bound = float(mu @ (solved.rows + reduced.min(axis=1)) + lower @ v + room @ np.minimum(v, 0.0))
        missing = (reduced < -_ROUNDING) & ~near
        wrong = ~unclear & (room > 0) & np.where(best < 0, v > _ROUNDING, v < -_ROUNDING)
        complete = not (missing.any() or wrong.any())
        if value - bound <= (_ROUNDED if complete else _AIM) and solved.penalty <= _SPARE:
            break
        near |= missing
        unclear |= wrong
        if complete:
            # Where nodes have hardly any mass, potentials may be no proof though the plan is optimal, or hide an arc.
            width = max(8.0 * width, _ROUNDING)
            more = _within(width, slack, best, room)
            near, unclear = near | more[0], unclear | more[1]
    return ArcFlow(row, column, mass, value, bound)


def _within(width: float, slack: Array, best: Array, room: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The arcs of slack up to the width, and the columns whose side it leaves unclear."""
    return slack <= width, (np.abs(best) <= 2.0 * width) & (room > 0)


def _network(
    mu: Array, near: NDArray[np.bool_], unclear: NDArray[np.bool_], first: Array, label: Rows
) -> _Network | None:
    """Send decided columns to their rows; None if that is more than a row has."""
    decided = ~unclear & (np.count_nonzero(near, axis=0) == 1)
    supply = mu - np.bincount(label[decided], first[decided], minlength=mu.size)
    if (supply < -_SPARE).any():
        return None
    inside = np.flatnonzero(~decided)
    return _Network(inside, first[inside], unclear[inside], np.maximum(supply, _LEAST), np.flatnonzero(decided))


def _solve(cost: Array, room: Array, near: NDArray[np.bool_], network: _Network) -> _Solved | None:
    """The network simplex on the arcs that are kept."""
    r, count, extra = network.supply.size, network.inside.size, int(network.two.sum())
    sink = count + extra
    row, at = np.nonzero(near[:, network.inside])
    price, twice = cost[row, network.inside[at]], network.two[at]
    second = np.cumsum(network.two) + (count - 1)
    arcs = [
        (row, at, price),
        (row[twice], second[at[twice]], price[twice]),
        (np.full(extra, r), np.arange(count, sink), np.zeros(extra)),
        (np.full(count, r), np.arange(count), np.full(count, _PENALTY)),
        (np.arange(r + 1), np.full(r + 1, sink), np.append(np.full(r, _PENALTY), 0.0)),
    ]
    source, target, prices = (np.concatenate(parts) for parts in zip(*arcs, strict=True))
    demand = np.concatenate([network.first, room[network.inside[network.two]], [1.0]])
    demand = np.maximum(demand, _LEAST)
    supply = np.append(network.supply, demand.sum() - network.supply.sum())
    found = sparse_network_simplex(supply, demand, source, target, prices)
    if found is None:
        return None
    source, target, mass, u, v = found
    real = (source < r) & (target < sink)
    fined = ((source < r) & (target == sink)) | ((source == r) & (target < count))
    column = np.concatenate([network.inside, network.inside[network.two]])[target[real]]
    penalty = _PENALTY * float(mass[fined].sum())
    return _Solved(source[real], column, mass[real], penalty, u[:r] - u[r], v[:count] + u[r])
