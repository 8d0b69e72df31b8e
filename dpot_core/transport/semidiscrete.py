"""Exact transport of many weighted points to a few atoms, with a proof of optimality.

The smoothed dual (smoothed_dual) brings the potentials of the m atoms close to optimal. Then almost every point has
one best atom by a clear margin and goes there whole; the few points between cells form a small transport problem,
which the network simplex solves exactly. Its potentials, extended to all points, give a lower bound: where the bound
does not meet the cost, the points that spoil it join the small problem and it is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
import scipy.sparse as sparse
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, as_floats, check_finite, check_order, check_weights
from dpot_core.transport.coinciding_atoms import divide, join
from dpot_core.transport.smoothed_dual import Rows, cell_sums, fine_potentials, margins, rough_potentials
from dpot_core.transport.wasserstein import network_simplex

#: Largest duality gap accepted, relative to the cost (or to 1e-5 of the largest cost, where that is more).
GAP_TOLERANCE = 1e-9
#: Up to this many cost entries the network simplex takes all points at once.
_SMALL = 20_000
#: At first, about this many points per atom are left to the network simplex.
_UNDECIDED_PER_ATOM = 50


@dataclass(frozen=True)
class SemidiscretePlan:
    """Optimal plan from N weighted points to m atoms.

    Attributes:
        potentials: optimal dual potentials psi of the atoms, (m,), cost units, sum_j b_j psi_j = 0.
        cost: mean over the mass of distance ** p (W_p ** p), recomputed from the plan.
        gap: cost minus the dual value, which is a lower bound; cost units.
        labels: atom of every point, (N,); for a point that is split, the atom that takes most of it.
        split: points that are split over several atoms, (s,); fewer than m when no two points coincide.
        split_shares: how they are split, (s, m), rows sum to 1.
        cell_mass: mass that each atom receives, (m,), sums to 1.
        cell_means: mean position of the mass that each atom receives, (m, d).
        weights: mass of every point, (N,), sums to 1.
    """

    potentials: Array
    cost: float
    gap: float
    labels: Rows
    split: Rows
    split_shares: Array
    cell_mass: Array
    cell_means: Array
    weights: Array

    def plan(self) -> sparse.csr_array:
        """The plan as a sparse matrix of masses (N, m)."""
        return as_plan(self.labels, self.split, self.split_shares * self.weights[self.split, None], self.weights)


def transport(
    points: ArrayLike,
    weights: ArrayLike | None,
    atoms: ArrayLike,
    p: float = 2,
    start: ArrayLike | None = None,
    atom_weights: ArrayLike | None = None,
) -> SemidiscretePlan:
    """Exact optimal transport of weighted points to weighted atoms for the cost |x - y| ** p.

    min over plans of sum_ij pi_ij |x_i - y_j|^p with row sums w and column sums b
    = max over psi of sum_j b_j psi_j + sum_i w_i min_j (|x_i - y_j|^p - psi_j).

    Args:
        points: positions, shape (N, d); points that coincide are merged while solving.
        weights: their masses, shape (N,), divided by their sum; None for equal masses.
        atoms: positions, shape (m, d).
        p: order, at least 1.
        start: potentials (m,) to start from, cost units.
        atom_weights: masses of the atoms, shape (m,), positive, divided by their sum; None for equal masses.

    Returns:
        The plan, its cost and the potentials that prove it optimal.

    Raises:
        ValueError: for shapes or masses that do not fit.
        RuntimeError: if no plan within the duality gap is found.

    Source: the dual of dp_barycenters, Definition 2, over the potentials of the atoms; method ours.
    """
    x, w = check_points(points, weights)
    y = check_atoms(atoms, x.shape[1])
    p = check_order(p)
    m = y.shape[0]
    b = np.full(m, 1.0 / m)
    if atom_weights is not None:
        b = check_weights(atom_weights, "atom_weights", m)
        if not b.all():
            raise ValueError("atom_weights must be positive; leave out atoms without mass")
        b = b / b.sum()
    psi = None
    if start is not None:
        psi = check_finite(start, "start", non_negative=False)
        if psi.shape != (m,):
            raise ValueError(f"start must have shape ({m},); got {psi.shape}")
    distinct, mass, place = merge(x, w)
    centre = mass @ distinct
    return expand(solve(distinct - centre, mass, y - centre, b, p, psi), x, w, place, m)


def check_points(points: ArrayLike, weights: ArrayLike | None, name: str = "points") -> tuple[Array, Array]:
    """Positions (N, d) and masses (N,) that sum to 1."""
    x = check_finite(as_floats(points, name), name, non_negative=False)
    if x.ndim != 2 or 0 in x.shape:
        raise ValueError(f"{name} must be a non-empty matrix (N, d); got shape {x.shape}")
    if weights is None:
        return x, np.full(x.shape[0], 1.0 / x.shape[0])
    w = check_weights(weights, "weights", x.shape[0])
    return x, w / w.sum()


def check_atoms(atoms: ArrayLike, dimension: int) -> Array:
    """Positions of atoms (m, d) of the given dimension."""
    y = check_finite(atoms, "atoms", non_negative=False)
    if y.ndim != 2 or 0 in y.shape:
        raise ValueError(f"atoms must be a non-empty matrix (m, d); got shape {y.shape}")
    if y.shape[1] != dimension:
        raise ValueError(f"atoms must have the points' dimension {dimension}; got {y.shape[1]}")
    return y


def merge(points: Array, weights: Array) -> tuple[Array, Array, Rows]:
    """Distinct points of positive mass, their masses, and where each point went (-1 for no mass)."""
    kept = np.flatnonzero(weights > 0)
    order = kept[np.lexsort(points[kept].T[::-1])]
    ordered = points[order]
    new = np.ones(order.size, dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.cumsum(new) - 1
    place: Rows = np.full(weights.size, -1, dtype=np.intp)
    place[order] = number
    return ordered[new], np.bincount(number, weights[order]).astype(np.float64), place


def power_cost(points: Array, atoms: Array, p: float) -> Array:
    """Costs |x_i - y_j| ** p as a matrix (m, N)."""
    if p == 2:
        return scipy.spatial.distance.cdist(atoms, points, "sqeuclidean")
    distances = scipy.spatial.distance.cdist(atoms, points)
    return distances if p == 1 else distances**p


@dataclass(frozen=True)
class Solution:
    """Plan between distinct points and atoms: labels, the split points and their masses (s, m), potentials."""

    psi: Array
    cost: float
    gap: float
    label: Rows
    split: Rows
    flow: Array


def solve(
    points: Array,
    weights: Array,
    atoms: Array,
    masses: Array,
    p: float,
    psi: Array | None = None,
    temperature: float | None = None,
) -> Solution:
    """Exact plan for distinct points of positive mass; `psi` may be given with its temperature. Nothing is checked."""
    if points.shape[0] * atoms.shape[0] > _SMALL:
        distinct, joint, number = join(atoms, masses)
        if joint.size < masses.size:
            guess = None if psi is None else np.bincount(number, psi * masses) / joint
            return _divided(solve(points, weights, distinct, joint, p, guess, temperature), weights, masses, number)
    cost = power_cost(points, atoms, p)
    m, count = cost.shape
    if m == 1:
        return _finish(cost, weights, masses, np.zeros(1), np.zeros(count, dtype=bool))
    if cost.size <= _SMALL:
        return _finish(cost, weights, masses, np.zeros(m) if psi is None else psi, np.ones(count, dtype=bool))
    if psi is None:
        psi, temperature = rough_potentials(cost, weights, masses)
    elif temperature is None:
        temperature = float(weights @ (cost.max(axis=0) - cost.min(axis=0))) / 1000
    psi = fine_potentials(cost, weights, masses, psi, temperature)
    return _finish(cost, weights, masses, psi, np.zeros(count, dtype=bool))


def _divided(found: Solution, weights: Array, masses: Array, number: Rows) -> Solution:
    """The solution for all atoms from the one for distinct atoms."""
    plan = divide(as_plan(found.label, found.split, found.flow, weights), masses, number)
    plan.sum_duplicates()
    label = plan.indices[np.minimum(plan.indptr[:-1], plan.nnz - 1)].astype(np.intp)
    split = np.flatnonzero(np.diff(plan.indptr) > 1)
    flow = plan[split].toarray()
    label[split] = flow.argmax(axis=1)
    return Solution(found.psi[number], found.cost, found.gap, label, split, flow)


def as_plan(label: Rows, split: Rows, flow: Array, weights: Array) -> sparse.csr_array:
    """Sparse plan (N, m) of points that go whole to their label, and of split points with their masses (s, m)."""
    whole = weights > 0
    whole[split] = False
    rows = np.flatnonzero(whole)
    place, atom = np.nonzero(flow)
    return sparse.csr_array(
        (
            np.concatenate([weights[rows], flow[place, atom]]),
            (np.concatenate([rows, split[place]]), np.concatenate([label[rows], atom])),
        ),
        shape=(label.size, flow.shape[1]),
    )


def _finish(cost: Array, weights: Array, masses: Array, psi: Array, undecided: NDArray[np.bool_]) -> Solution:
    """Send decided points whole, the rest by the network simplex, and prove the result; enlarge the rest if needed."""
    m, count = cost.shape
    largest = float(cost.max())
    everyone = np.arange(count)
    lead = margins(cost, psi)
    label, margin = lead.label, lead.margin
    by_margin = np.argsort(margin, kind="stable")
    size = _UNDECIDED_PER_ATOM * m
    guide = psi
    while True:
        undecided[by_margin[:size]] = True
        room = _fill(undecided, label, margin, weights, masses)
        rows, decided = np.flatnonzero(undecided), np.flatnonzero(~undecided)
        flow, psi = _route(cost[:, rows], weights[rows], room, guide)
        psi = psi - psi[0]  # the simplex may return a large common constant
        psi = psi - masses @ psi
        best = (cost - psi[:, None]).min(axis=0)
        value = float(weights[decided] @ cost[label[decided], decided]) + float((flow * cost[:, rows].T).sum())
        gap = value - float(masses @ psi + weights @ best)
        if gap <= GAP_TOLERANCE * max(value, 1e-5 * largest):
            break
        if rows.size == count:
            raise RuntimeError(f"semi-discrete transport left a duality gap of {gap:.3g} at a cost of {value:.6g}")
        spoiling = np.flatnonzero(~undecided & (cost[label, everyone] - psi[label] > best))
        if spoiling.size <= rows.size:
            undecided[spoiling] = True
        size *= 3
    ways = (flow > 0).sum(axis=1) > 1
    label[rows] = flow.argmax(axis=1)
    return Solution(psi, value, gap, label, rows[ways], flow[ways])


def _fill(undecided: NDArray[np.bool_], label: Rows, margin: Array, weights: Array, masses: Array) -> Array:
    """Room left in every cell once decided points are in; points of overfull cells become undecided (in place)."""
    m = masses.size
    while True:
        decided = np.flatnonzero(~undecided)
        room = masses - np.bincount(label[decided], weights[decided], minlength=m)
        full = room <= 1e-3 * masses
        full &= np.bincount(label[decided], minlength=m) > 0
        if not full.any():
            return room
        for j in np.flatnonzero(full):
            inside = decided[label[decided] == j]
            inside = inside[np.argsort(margin[inside], kind="stable")]
            needed = 2e-3 * masses[j] - room[j]
            undecided[inside[: np.searchsorted(np.cumsum(weights[inside]), needed) + 1]] = True


def _route(cost: Array, supply: Array, room: Array, psi: Array) -> tuple[Array, Array]:
    """Optimal flow (n, m) of the undecided points into the room left, and potentials of the atoms that prove it."""
    table = np.ascontiguousarray(cost.T)
    scale = float(table.max()) or 1.0
    total = float(supply.sum())
    start = ((table - psi).min(axis=1) / scale, psi / scale)
    demand = np.maximum(room, 0.0)
    flow, rows = network_simplex(supply / total, demand / demand.sum(), table / scale, start)
    sums = flow.sum(axis=1, keepdims=True)
    flow = np.where(sums > 0, flow / np.where(sums > 0, sums, 1.0), 0.0)
    lost = np.flatnonzero(sums[:, 0] <= 0)
    psi = (table - rows[:, None] * scale).min(axis=0)
    flow[lost, (table[lost] - psi).argmin(axis=1)] = 1.0
    return flow * supply[:, None], psi


def expand(found: Solution, points: Array, weights: Array, place: Rows, m: int) -> SemidiscretePlan:
    """The plan for all points: those that coincide share their fate in proportion."""
    labels = np.where(place >= 0, found.label[place], 0)
    at = np.full(found.label.size, -1, dtype=np.intp)
    at[found.split] = np.arange(found.split.size)
    belongs = np.where(place >= 0, at[place], -1)
    split = np.flatnonzero(belongs >= 0)
    shares = found.flow / found.flow.sum(axis=1, keepdims=True)
    shares = shares[belongs[split]]
    whole = weights.copy()
    whole[split] = 0.0
    part = shares * weights[split, None]
    mass = np.bincount(labels, whole, minlength=m) + part.sum(axis=0)
    means = (cell_sums(labels, whole, points, m) + part.T @ points[split]) / mass[:, None]
    return SemidiscretePlan(found.psi, found.cost, found.gap, labels, split, shares, mass, means, weights)
