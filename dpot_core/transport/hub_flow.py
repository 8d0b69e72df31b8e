"""The cheapest flow between points over a few given pairs, made feasible by hubs.

By the triangle inequality a flow on any arcs between points of a metric space costs at least W_1 of what it carries: so
mass may go by way of other points. Here every source and every sink is joined to its hub, and the hubs to each other
along a flow that is known to be feasible between them, that of the coarser level. This costs few arcs, and besides
feasibility it keeps the potentials of the network simplex near those of the coarser level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.smoothed_dual import Rows
from dpot_core.transport.wasserstein import network_simplex, sparse_network_simplex


def sums(index: Rows, mass: Array, k: int) -> Array:
    """Sums of the masses at each of k points, (k,)."""
    return np.bincount(index, mass, k).astype(np.float64)


@dataclass(frozen=True)
class Flow:
    """Masses that move from point to point: indices (a,), (a,) and positive masses (a,)."""

    source: Rows
    target: Rows
    mass: Array

    def __add__(self, other: Flow) -> Flow:
        return Flow(
            np.concatenate([self.source, other.source]),
            np.concatenate([self.target, other.target]),
            np.concatenate([self.mass, other.mass]),
        )

    def outflow(self, k: int) -> Array:
        """The mass that leaves each of k points, less the mass that arrives, (k,)."""
        return sums(self.source, self.mass, k) - sums(self.target, self.mass, k)


@dataclass(frozen=True)
class Imbalance:
    """The masses that must leave the points `sources`, (n,), and arrive at `sinks`, (m,); both have the same sum."""

    sources: Rows
    supply: Array
    sinks: Rows
    demand: Array

    @property
    def mass(self) -> float:
        """How much must move."""
        return float(self.supply.sum())


def imbalance(surplus: Array) -> Imbalance:
    """Supply and demand of a signed measure (k,) whose sum is 0 up to rounding; empty where one sign lacks."""
    sources, sinks = np.flatnonzero(surplus > 0), np.flatnonzero(surplus < 0)
    if not (sources.size and sinks.size):
        return Imbalance(sources[:0], np.zeros(0), sinks[:0], np.zeros(0))
    supply, demand = surplus[sources], -surplus[sinks]
    return Imbalance(sources, supply, sinks, demand * (supply.sum() / demand.sum()))


def collapse(surplus: Array, home: Rows) -> Flow:
    """Surplus mass of a point moves to the point that stands for it (home); missing mass comes from there."""
    away = np.flatnonzero((home != np.arange(home.size)) & (surplus != 0))
    leaves = surplus[away] > 0
    return Flow(np.where(leaves, away, home[away]), np.where(leaves, home[away], away), np.abs(surplus[away]))


def lengths(points: Array, source: Rows, target: Rows) -> Array:
    """Euclidean distances between points (k, d) by pairs of indices (a,), (a,)."""
    return np.asarray(np.sqrt(((points[source] - points[target]) ** 2).sum(axis=1)))


def flow_on_all_pairs(task: Imbalance, cost: Array) -> tuple[Flow, Array]:
    """The cheapest flow from sources to sinks, by their numbers, and potentials of the sinks, (m,).

    Args:
        task: what must move, not nothing.
        cost: (n, m).

    Raises:
        RuntimeError: if the network simplex does not reach an optimum.
    """
    plan, u = network_simplex(task.supply / task.mass, task.demand / task.mass, cost)
    source, target = np.nonzero(plan)
    return Flow(source, target, plan[source, target] * task.mass), np.asarray((cost - u[:, None]).min(axis=0))


def flow_on_pairs(
    points: Array, task: Imbalance, pairs: tuple[Rows, Rows], home: Rows, between: Flow
) -> tuple[Flow, Array]:
    """The cheapest flow on the given pairs and by way of hubs, and potentials of the sinks, (m,).

    Args:
        points: (k, d).
        task: what must move, not nothing.
        pairs: numbers of sources and of sinks.
        home: the hub of every point, (k,).
        between: a flow between hubs that moves what their points lack together.

    Raises:
        RuntimeError: if the network simplex does not reach an optimum.
    """
    n, m = task.sources.size, task.sinks.size
    hubs, at = np.unique(
        np.concatenate([home[task.sources], home[task.sinks], between.source, between.target]), return_inverse=True
    )
    source_at, sink_at, from_at, to_at = np.split(at, [n, n + m, n + m + between.mass.size])
    # A hub is a source and a sink of all that may pass; what does not pass goes from it to itself.
    room = np.bincount(at, np.concatenate([task.supply, task.demand, between.mass, between.mass])) / task.mass
    h = np.arange(hubs.size)
    source = np.concatenate([pairs[0], np.arange(n), n + sink_at, n + h, n + from_at])
    target = np.concatenate([pairs[1], m + source_at, np.arange(m), m + h, m + to_at])
    first, last = np.concatenate([task.sources, hubs]), np.concatenate([task.sinks, hubs])
    supply, demand = np.append(task.supply / task.mass, room), np.append(task.demand / task.mass, room)
    found = sparse_network_simplex(supply, demand, source, target, lengths(points, first[source], last[target]))
    if found is None:
        raise RuntimeError("the network simplex did not finish on the pairs given")
    begin, end, mass, _, v = found
    moves = first[begin] != last[end]
    return Flow(first[begin[moves]], last[end[moves]], mass[moves] * task.mass), v[:m]
