"""Both ends of what W_1 can be, from a potential and from a flow, with room for every rounding on the way.

All bounds are moved apart by `ROUNDINGS` units of rounding of the largest quantity in sight: distances, potentials and
the normalised masses come from a few dozen operations each. Sums of many terms are rounded once (math.fsum), so that
the number of points does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.hub_flow import Flow, flow_on_all_pairs, imbalance, sums
from dpot_core.transport.smoothed_dual import Rows

#: More than the operations behind a distance or a mass round, together.
ROUNDINGS = 512
EPS = float(np.finfo(np.float64).eps)

#: Lower and upper end.
Ends = tuple[float, float]


def around(value: float, reach: float, roundings: float = ROUNDINGS) -> Ends:
    """The ends about a value that is off by so many roundings of `reach`."""
    slack = roundings * EPS * reach
    return max(value - slack, 0.0), value + slack


def lower_end(potential: Array, surplus: Array, reach: float) -> float:
    """sum_i phi_i s_i, at most W_1 for a potential that is 1-Lipschitz up to rounding.

    Args:
        potential: phi, (k,).
        surplus: s, (k,), of sum 0 and absolute sum at most 2, up to rounding.
        reach: the largest distance.
    """
    # A constant changes nothing but rounding.
    centred = potential - (potential.max() + potential.min()) / 2
    value = math.fsum((centred * surplus).tolist())
    return max(around(value, reach + float(np.abs(potential).max()))[0], 0.0)


def upper_end(flow: Flow, paid: Array, surplus: Array, reach: float) -> float:
    """The cost of a flow, and the most that its imbalance could cost: at least W_1 of the surplus.

    Args:
        flow: between points.
        paid: the lengths of its arcs, (a,).
        surplus: what it should leave at every point, (k,).
        reach: the largest distance.
    """
    k = surplus.size
    ends = np.concatenate([flow.source, flow.target])
    passing = sums(ends, np.tile(flow.mass, 2), k)
    # Sums at a point of many arcs are rounded as often.
    missing = np.abs(surplus - flow.outflow(k)) + EPS * (np.bincount(ends, minlength=k) + 1) * passing
    value = math.fsum((flow.mass * paid).tolist()) + reach * math.fsum(missing.tolist())
    return around(value, reach)[1]


def ends_on_all_pairs(surplus: Array, distances: Callable[[Rows, Rows], Array], reach: float) -> Ends:
    """The ends by the network simplex on all pairs of sources and sinks: equal up to rounding.

    Args:
        surplus: mu - nu, of sum 0 up to rounding, (k,).
        distances: from some points to others, by their indices.
        reach: the largest distance.

    Raises:
        RuntimeError: if the network simplex does not reach an optimum.
    """
    task = imbalance(surplus)
    if not task.mass:
        return 0.0, around(reach * float(np.abs(surplus).sum()), reach)[1]
    cost = distances(task.sources, task.sinks)
    flow, sinks = flow_on_all_pairs(task, cost)
    # Each source's potential is the highest that the sinks allow: weak duality holds whatever these are.
    potential = np.zeros(surplus.size)
    potential[task.sources], potential[task.sinks] = (cost - sinks).min(axis=1), -sinks
    moves = Flow(task.sources[flow.source], task.sinks[flow.target], flow.mass)
    used = np.append(task.sources, task.sinks)
    lower = lower_end(potential[used], surplus[used], reach)
    return lower, upper_end(moves, cost[flow.source, flow.target], surplus, reach)
