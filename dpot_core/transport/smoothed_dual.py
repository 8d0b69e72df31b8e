"""Smoothed semi-discrete dual: potentials of the atoms by damped Newton steps at falling temperatures.

The dual of transport from weights w to masses b is max over psi of b.psi + sum_i w_i min_j (C_ji - psi_j). A soft
minimum at temperature t makes it smooth: its gradient is b minus the masses of the soft cells, its Hessian is m x m.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from dpot_core.checks import Array

Rows = NDArray[np.intp]

#: Points per block: a block of 48 atoms then stays in the second-level cache.
_BLOCK = 2048
#: The last temperature leaves about this many points per atom between two cells.
_UNDECIDED_PER_ATOM = 30
#: A rough solution is found on about this many points per atom before all are used.
_SAMPLE_PER_ATOM = 60
_COOLING = 0.25
_ROUGH, _FINE = 0.05, 2e-3
#: Points whose best atom leads by this many temperatures count as settled.
_REACH = 12.0
#: Up to this many cost entries, settling points costs more than it saves.
_SMALL = 400_000


@dataclass(frozen=True)
class SoftCells:
    """The soft cells of given potentials: dual value, masses (m,), curvature (m, m) = minus the Hessian.

    `moments` (m, d) are the first moments of the cells; d = 0 unless coordinates were given.
    """

    value: float
    mass: Array
    curvature: Array
    moments: Array


def soft_cells(
    cost: Array,
    weights: Array,
    psi: Array,
    masses: Array,
    temperature: float,
    settled: Array | None = None,
    points: Array | None = None,
) -> SoftCells:
    """Soft cells of the potentials `psi` (m,) at a temperature, for costs (m, N).

    `settled` (m,) is mass of other points that counts as it is; `points` (N, d) ask for moments.
    """
    m, count = cost.shape
    mass, outer = (np.zeros(m) if settled is None else settled.copy()), np.zeros((m, m))
    moments = np.zeros((m, 0 if points is None else points.shape[1]))
    value = float((masses - mass) @ psi)
    soft = np.zeros(m)
    for first in range(0, count, _BLOCK):
        block = slice(first, first + _BLOCK)
        share = psi[:, None] - cost[:, block]
        share /= temperature
        top = share.max(axis=0)
        share -= top
        np.exp(share, out=share)
        total = share.sum(axis=0)
        w = weights[block]
        root = np.sqrt(w)
        value -= temperature * float(w @ (top + np.log(total)))
        # Rows of `share` become sqrt(w) P, so that one symmetric product gives P diag(w) P'.
        share *= root / total
        outer += share @ share.T
        soft += share @ root
        if points is not None:
            moments += share @ (root[:, None] * points[block])
    return SoftCells(value, mass + soft, (np.diag(soft) - outer) / temperature, moments)


def ascend(
    cost: Array,
    weights: Array,
    masses: Array,
    psi: Array,
    temperature: float,
    tolerance: float,
    settled: Array | None = None,
    points: Array | None = None,
    max_steps: int = 40,
    reach: float = np.inf,
) -> tuple[Array, SoftCells, bool]:
    """Damped Newton ascent until the soft cells' masses are within `tolerance` (sum of differences) of `masses`.

    Stops early when differences of potentials have moved by `reach`; the last value says whether it did.
    """
    first = psi
    cells = soft_cells(cost, weights, psi, masses, temperature, settled, points)
    for _ in range(max_steps):
        gradient = masses - cells.mass
        if np.abs(gradient).sum() <= tolerance:
            break
        step = newton_step(cells.curvature, gradient, masses, temperature)
        slope, length = float(gradient @ step), min(1.0, 0.7 * reach / max(float(np.ptp(step)), 1e-300))
        while True:
            trial = soft_cells(cost, weights, psi + length * step, masses, temperature, settled, points)
            end = float((masses - trial.mass) @ step)
            # The dual is concave: while it does not fall steeply at the end of the step, the step is not too long.
            if end >= -0.5 * slope or length < 1e-6:
                break
            length *= min(max(slope / (slope - end), 0.1), 0.6)
        psi, cells = psi + length * step, trial
        if np.ptp(psi - first) > 0.5 * reach:
            return psi, cells, True
    return psi, cells, False


def newton_step(curvature: Array, gradient: Array, masses: Array, temperature: float) -> Array:
    """Newton step of the potentials, with a small ridge; potentials are free up to a constant, which stays put."""
    m = gradient.size
    ridge = 1e-5 * float(masses.mean()) / temperature
    system = curvature + np.full((m, m), float(np.trace(curvature)) / m**2 + ridge / m)
    system.flat[:: m + 1] += ridge
    try:
        step = cho_solve(cho_factor(system), gradient)
    except LinAlgError:
        step = gradient * temperature / masses
    return step - step.mean()


def margins(cost: Array, psi: Array) -> tuple[Array, Rows, Array]:
    """Best reduced cost min_j (C_ji - psi_j), its atom, and how much the second best lies above it; each (N,)."""
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
    return best, label, second - best


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
    while True:
        psi, _, _ = ascend(cost, weights, masses, psi, temperature, _ROUGH)
        if temperature <= max(undecided_temperature(margins(cost, psi)[2], m), 1e-5 * spread):
            return psi, temperature
        temperature *= _COOLING


def settled_ascent(
    cost: Array,
    weights: Array,
    masses: Array,
    psi: Array,
    temperature: float,
    tolerance: float,
    points: Array | None = None,
) -> tuple[Array, SoftCells]:
    """`ascend` in which points with a clear best atom are settled there, so that steps only look at the others.

    Potentials that move far unsettle points: then those with a clear best atom are sought anew.
    """
    m, count = cost.shape
    reach = _REACH * temperature
    while True:
        best, label, margin = margins(cost, psi)
        is_open = margin <= reach
        rows = np.flatnonzero(is_open)
        if rows.size > 0.7 * count or cost.size <= _SMALL:
            psi, cells, _ = ascend(cost, weights, masses, psi, temperature, tolerance, None, points)
            return psi, cells
        held = np.where(is_open, 0.0, weights)
        settled = np.bincount(label, held, minlength=m).astype(np.float64)
        paid = float(held @ (best + psi[label]))
        part = None if points is None else points[rows]
        psi, cells, moved = ascend(
            cost[:, rows], weights[rows], masses, psi, temperature, tolerance, settled, part, reach=reach
        )
        if not moved:
            break
        reach *= 2
    moments = cells.moments
    if points is not None:
        moments = moments + np.stack([np.bincount(label, held * column, minlength=m) for column in points.T], axis=1)
    return psi, replace(cells, value=cells.value + paid, moments=moments)


def fine_potentials(cost: Array, weights: Array, masses: Array, psi: Array, temperature: float) -> Array:
    """Potentials on all points from rough ones, cooled down until few points are undecided."""
    m = cost.shape[0]
    floor = 1e-5 * temperature
    while True:
        psi, _ = settled_ascent(cost, weights, masses, psi, temperature, _FINE)
        target = max(undecided_temperature(margins(cost, psi)[2], m), floor)
        if temperature <= target:
            return psi
        temperature = max(temperature * _COOLING, target)
