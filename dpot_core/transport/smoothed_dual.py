"""Smoothed semi-discrete dual: potentials of the atoms by damped Newton steps at falling temperatures.

The dual of transport from weights w to masses b is max over psi of b.psi + sum_i w_i min_j (C_ji - psi_j). A soft
minimum at temperature t makes it smooth: its gradient is b minus the masses of the soft cells, its Hessian is m x m.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from dpot_core.arguments import Array

Rows = NDArray[np.intp]

#: Points per block: a block of 48 atoms then stays in the second-level cache.
_BLOCK = 2048
#: The last temperature leaves about this many points per atom between two cells.
_UNDECIDED_PER_ATOM = 30
#: A rough solution is found on about this many points per atom before all are used.
_SAMPLE_PER_ATOM = 60
#: Where no exact plan follows, the last temperature leaves fewer between cells.
_SOFT_PER_ATOM = 6
_COOLING = 0.25
_ROUGH, _FINE = 0.05, 2e-3
#: Points whose best atom leads by this many temperatures count as settled.
_REACH = 12.0
#: Up to this many cost entries, settling points costs more than it saves.
_SMALL = 400_000


@dataclass(frozen=True)
class SoftCells:
    """The soft cells of given potentials: dual value and masses (m,).

    Attributes:
        value: of the dual.
        mass: of every cell, settled points among them, (m,).
        blocks: for each block of points sqrt(w) P (m, n), P the points' shares, with their sqrt(w) and positions.
        temperature: of the dual.
        settled: first moments of settled points, (m, d).
    """

    value: float
    mass: Array
    blocks: list[tuple[Array, Array, Array]]
    temperature: float
    settled: Array

    @property
    def curvature(self) -> Array:
        """Minus the Hessian (m, m): (diag(P w) - P diag(w) P') / temperature. Steps that are not taken need none."""
        mass, outer = sum(share @ root for share, root, _ in self.blocks), sum(s @ s.T for s, _, _ in self.blocks)
        return (np.diag(mass) - outer) / self.temperature

    @property
    def moments(self) -> Array:
        """First moments of the cells, (m, d); d = 0 unless coordinates were given."""
        return self.settled + sum(share @ (root[:, None] * points) for share, root, points in self.blocks)


@dataclass(frozen=True)
class Problem:
    """A smoothed dual: costs (m, N), weights (N,) and masses (m,), each summing to 1, and a temperature.

    `points` (N, d) are given when the cells' moments are wanted.
    """

    cost: Array
    weights: Array
    masses: Array
    temperature: float
    points: Array | None = None


@dataclass(frozen=True)
class OpenPoints:
    """The points whose share among the atoms is looked at; the others are settled in one cell each.

    Attributes:
        rows: which points are open, as a mask (N,).
        cost: their costs (m, n).
        weights: their weights (n,).
        points: their positions (n, d).
        mass: mass of settled points in every cell (m,).
        moments: first moments of settled points in every cell (m, d).
        paid: cost of settled points.
    """

    rows: NDArray[np.bool_]
    cost: Array
    weights: Array
    points: Array
    mass: Array
    moments: Array
    paid: float


@dataclass(frozen=True)
class Lead:
    """For every point: its best atom, the reduced cost min_j (C_ji - psi_j) there, and the second best's excess."""

    best: Array
    label: Rows
    margin: Array


def ascend(problem: Problem, psi: Array, tolerance: float, max_steps: int = 40) -> tuple[Array, SoftCells]:
    """Damped Newton ascent until the soft cells' masses are within `tolerance` (sum of differences) of the masses.

    Points with a clear best atom are settled there. Reduced costs are linear along a step, so a point that leads
    clearly with the same atom at both ends does so all along: before a step the others are opened.
    """
    everyone = np.ones(problem.weights.size, dtype=bool)
    few = problem.cost.size <= _SMALL
    reach = _REACH * problem.temperature
    # Optimal potentials differ by less: a longer step runs along a direction that moves hardly any mass.
    longest = float(problem.cost.max()) + reach
    psi = np.maximum(psi, psi.max() - longest)
    # Rounding, and that points are counted as open or as settled, change the dual by less.
    slack = 1e-2 * problem.temperature + 1e-12 * longest
    lead = None if few else margins(problem.cost, psi)
    view = open_points(problem, everyone if lead is None else lead.margin <= reach, lead)
    cells = soft_cells(problem, view, psi)
    for _ in range(max_steps):
        gradient = problem.masses - cells.mass
        if np.abs(gradient).sum() <= tolerance:
            break
        step = newton_step(cells.curvature, gradient, problem.masses, problem.temperature)
        step *= min(1.0, longest / max(float(np.ptp(step)), 1e-300))
        ahead = None
        if lead is not None:
            ahead = margins(problem.cost, psi + step)
            unclear = (ahead.margin <= reach) | (ahead.label != lead.label)
            if (unclear & ~view.rows).any():
                view = open_points(problem, view.rows | unclear, lead)
        slope, length = float(gradient @ step), 1.0
        while True:
            trial = soft_cells(problem, view, psi + length * step)
            end = float((problem.masses - trial.mass) @ step)
            # The dual is concave: the step is not too long if the dual neither is lower at its end nor falls steeply
            # there. (It may fall gently for long, where all mass has gone to one side.)
            higher = trial.value >= cells.value - slack
            if (higher and end >= -0.5 * slope) or length < 1e-6:
                break
            length *= min(max(slope / (slope - end), 0.1), 0.6) if higher else 0.1
        psi, cells = psi + length * step, trial
        if ahead is not None:
            lead = ahead if length == 1.0 else margins(problem.cost, psi)
            still = lead.margin <= reach
            if 2 * still.sum() < view.rows.sum():
                view = open_points(problem, still, lead)
    return psi, cells


def open_points(problem: Problem, rows: NDArray[np.bool_], lead: Lead | None) -> OpenPoints:
    """Open the given points and settle the others where they lead; opens all when that is most of them."""
    m, count = problem.cost.shape
    places = np.zeros((count, 0)) if problem.points is None else problem.points
    if lead is None or rows.sum() > 0.7 * count:
        nothing = np.zeros((m, places.shape[1]))
        return OpenPoints(np.ones(count, dtype=bool), problem.cost, problem.weights, places, np.zeros(m), nothing, 0.0)
    held = np.where(rows, 0.0, problem.weights)
    index = np.flatnonzero(rows)
    return OpenPoints(
        rows,
        problem.cost[:, index],
        problem.weights[index],
        places[index],
        np.bincount(lead.label, held, minlength=m).astype(np.float64),
        cell_sums(lead.label, held, places, m),
        float(held @ problem.cost[lead.label, np.arange(count)]),
    )


def cell_sums(label: Rows, weights: Array, points: Array, m: int) -> Array:
    """First moments (m, d) of weighted points (N, d) by their labels (N,)."""
    cells = [np.bincount(label, weights * column, minlength=m) for column in points.T]
    return np.stack(cells, axis=1) if cells else np.zeros((m, 0))


def soft_cells(problem: Problem, view: OpenPoints, psi: Array) -> SoftCells:
    """Soft cells of the potentials `psi` (m,), with settled points counted as they are."""
    temperature = problem.temperature
    mass, blocks = view.mass.copy(), []
    value = float((problem.masses - view.mass) @ psi) + view.paid
    for first in range(0, view.cost.shape[1], _BLOCK):
        block = slice(first, first + _BLOCK)
        share = psi[:, None] - view.cost[:, block]
        share /= temperature
        top = share.max(axis=0)
        share -= top
        np.exp(share, out=share)
        total = share.sum(axis=0)
        w = view.weights[block]
        root = np.sqrt(w)
        value -= temperature * float(w @ (top + np.log(total)))
        # Rows of `share` become sqrt(w) P, so that one symmetric product gives P diag(w) P'.
        share *= root / total
        mass += share @ root
        blocks.append((share, root, view.points[block]))
    return SoftCells(value, mass, blocks, temperature, view.moments)


def newton_step(curvature: Array, gradient: Array, masses: Array, temperature: float) -> Array:
    """Newton step of the potentials, with a small ridge; potentials are free up to a constant, which stays put."""
    m = gradient.size
    ridge = 1e-5 * float(masses.mean()) / temperature
    system = curvature + np.full((m, m), float(np.trace(curvature)) / m**2 + ridge / m)
    system.flat[:: m + 1] += ridge
    # Straight to LAPACK: for a dozen atoms the usual wrappers cost several times the factorisation.
    _, step, failed = dposv(system, gradient)
    if failed:
        step = gradient * temperature / masses
    return step - step.mean()


def margins(cost: Array, psi: Array) -> Lead:
    """Which atom is best for every point, for costs (m, N) and potentials (m,), and by how much it leads."""
    count = cost.shape[1]
    best, second = np.empty(count), np.empty(count)
    label = np.empty(count, dtype=np.intp)
    for first in range(0, count, _BLOCK):
        block = slice(first, first + _BLOCK)
        reduced = cost[:, block] - psi[:, None]
        chosen = reduced.argmin(axis=0)
        columns = np.arange(chosen.size)
        label[block] = chosen
        best[block] = reduced[chosen, columns]
        reduced[chosen, columns] = np.inf
        second[block] = reduced.min(axis=0)
    return Lead(best, label, second - best)


def systematic_sample(weights: Array, size: int) -> tuple[Rows, Array]:
    """Rows hit by `size` equally spaced marks on the running sum of weights, and their share of the marks."""
    ends = np.cumsum(weights)
    marks = (np.arange(size) + 0.5) / size * ends[-1]
    rows, counts = np.unique(np.searchsorted(ends, marks), return_counts=True)
    return np.minimum(rows, weights.size - 1), counts / size


def undecided_temperature(margin: Array, m: int) -> float:
    """The temperature at which about `_UNDECIDED_PER_ATOM` points per atom lie between two cells."""
    place = min(_UNDECIDED_PER_ATOM * m, margin.size - 1)
    return float(np.partition(margin, place)[place])


def rough_potentials(cost: Array, weights: Array, masses: Array) -> tuple[Array, float]:
    """Potentials from nothing, and their temperature: on a sample, cooled down from the spread of the costs."""
    m, count = cost.shape
    if count > 2 * _SAMPLE_PER_ATOM * m:
        rows, weights = systematic_sample(weights, _SAMPLE_PER_ATOM * m)
        cost = np.ascontiguousarray(cost[:, rows])
    spread = float(weights @ (cost.max(axis=0) - cost.min(axis=0)))
    psi, temperature = np.zeros(m), spread
    while spread > 0:
        psi, _ = ascend(Problem(cost, weights, masses, temperature), psi, _ROUGH)
        if temperature <= max(undecided_temperature(margins(cost, psi).margin, m), 1e-5 * spread):
            break
        temperature *= _COOLING
    return psi, temperature


def soft_plan(cost: Array, points: Array, weights: Array, psi: Array | None = None) -> tuple[Array, Array]:
    """Potentials (m,) for costs (m, N) and equal masses, good to about `_FINE` of the mass, and the soft cells' means.

    No exact plan follows, so nothing is proven of them. With potentials to start from, one temperature will do.
    """
    m = cost.shape[0]
    masses = np.full(m, 1.0 / m)
    floor = 1e-5 * float(weights @ (cost.max(axis=0) - cost.min(axis=0)))
    if floor <= 0:
        return np.zeros(m), np.tile(weights @ points, (m, 1))
    if psi is None:
        psi, temperature = rough_potentials(cost, weights, masses)
    else:
        temperature = undecided_temperature(margins(cost, psi).margin, m)
    temperature = max(temperature, floor)
    while True:
        psi, cells = ascend(Problem(cost, weights, masses, temperature, points), psi, _FINE)
        between = np.partition(margins(cost, psi).margin, min(_SOFT_PER_ATOM * m, weights.size - 1))
        target = max(float(between[min(_SOFT_PER_ATOM * m, weights.size - 1)]), floor)
        if temperature <= 1.5 * target:
            break
        temperature = max(temperature * _COOLING, target)
    return psi, cells.moments / np.maximum(cells.mass, 1e-300)[:, None]


def fine_potentials(cost: Array, weights: Array, masses: Array, psi: Array, temperature: float) -> Array:
    """Potentials on all points from rough ones, cooled down until few points are undecided."""
    floor = 1e-5 * temperature
    while True:
        psi, _ = ascend(Problem(cost, weights, masses, temperature), psi, _FINE)
        target = max(undecided_temperature(margins(cost, psi).margin, masses.size), floor)
        if temperature <= target:
            return psi
        temperature = max(temperature * _COOLING, target)
