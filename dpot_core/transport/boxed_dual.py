"""Row potentials of transport to a capped simplex with few rows and many columns, by Newton steps on a smoothed dual.

Problem, for row masses mu (r,) that sum to 1, costs C (r, N) and a box l <= q <= u = l + m:

    minimise sum_ij C_ij pi_ij over pi >= 0 with sum_j pi_ij = mu_i and l_j <= sum_i pi_ij <= u_j.                 (1)

Its dual (3), with g_j(f) = min_i (C_ij - f_i), is to maximise mu.f + sum_j l_j g_j(f) + m_j min(g_j(f), 0), and its
smoothed form (4) has the gradient (5) and the Hessian (6): see ``docs/proofs/exact_transport.md``. Samples of the
columns grow to all, the temperature falls, and settled columns add a constant only. Nothing here is exact and nothing
is promised of it: `priced_arcs` finishes, and proves what it found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from dpot_core.arguments import Array
from dpot_core.transport.entropic import ROUGHNESS, rough_row_potentials
from dpot_core.transport.smoothed_dual import Rows, systematic_sample

#: Up to so many columns all are taken at once. Of more the first sample has `_LEAST`, or so many per row if that is
#: more; each next one `_GROWTH` as many.
_WHOLE, _LEAST, _SAMPLE_PER_ROW, _GROWTH = 4096, 2048, 64, 4
#: The last temperature of a sample leaves about this many columns per row between two rows.
_UNDECIDED_PER_ROW = 30
#: Temperatures fall by this from one sample to the next.
_BETWEEN_SAMPLES = 0.2
#: No temperature is below this, times the costs' range, rows over columns.
_FLOOR = 0.01
#: Columns whose best row leads by so many temperatures count as settled.
_REACH = 8.0
#: Row sums are right up to this sum of differences.
_TOLERANCE = 2e-3
_MAX_PASSES, _MAX_STEPS = 12, 12
#: Shares below e^`_NOTHING` count as that; with more rows than `_FEW`, those with no other are left out of a block.
_FEW, _NOTHING = 24, -40.0


@dataclass(frozen=True)
class _Pace:
    """How potentials are found: it decides between optima that are equally good, so that small problems keep theirs."""

    cooling: float  # by which temperatures fall on one sample
    trust: float  # temperatures by which potentials move at a time
    block: int  # entries of a block, or columns of one; it then stays in the second-level cache
    by_entries: bool

    def columns(self, rows: int) -> int:
        return max(1, self.block // rows) if self.by_entries else self.block


#: Of at most `_WHOLE` columns, and of more.
_SMALL, _LARGE = _Pace(0.1, 4.0, 2048, False), _Pace(0.2, 8.0, 98_304, True)


@dataclass(frozen=True)
class Lead:
    """For every column: g_j = min_i (C_ij - f_i), the row that has it, and by how much it leads the second."""

    best: Array
    label: Rows
    margin: Array


@dataclass(frozen=True)
class _Soft:
    """Value, row sums P q (r,) and minus the Hessian (r, r) of the smoothed dual, without mu.f."""

    value: float
    mass: Array
    curvature: Array


def leads(cost: Array, potentials: Array) -> Lead:
    """The best row of every column for costs (r, N) and potentials (r,); the margin is infinite where r = 1."""
    count = cost.shape[1]
    best, second = np.empty(count), np.full(count, np.inf)
    label: Rows = np.empty(count, dtype=np.intp)
    step = _LARGE.columns(len(cost))
    for first in range(0, count, step):
        block = slice(first, first + step)
        reduced = cost[:, block] - potentials[:, None]
        best[block] = reduced.min(axis=0)
        chosen = first_of(reduced == best[block])
        label[block] = chosen
        reduced[chosen, np.arange(chosen.size)] = np.inf
        second[block] = reduced.min(axis=0)
    return Lead(best, label, second - best)


def first_of(marked: NDArray[np.bool_]) -> Rows:
    """The first row that is marked in every column (r, n): several times as fast as `argmax` down the columns."""
    r = len(marked)
    from_below = np.arange(r, 0, -1, dtype=np.uint8 if r < 256 else np.uint32)
    return r - (marked * from_below[:, None]).max(axis=0).astype(np.intp)


def smoothed_potentials(mu: Array, cost: Array, lower: Array, room: Array) -> tuple[Array, float]:
    """Potentials f of the rows near the maximum of (3), (r,), and their temperature, in cost units.

    Args:
        mu: row masses, (r,), positive, of sum 1.
        cost: C_ij, (r, N).
        lower: l_j, (N,).
        room: m_j = u_j - l_j, (N,).

    Source: the reduction of (1) to (3) and the method are ours; (1) is wpm_2605.10015, section 4.
    """
    r, count = cost.shape
    # What rough potentials are smoothed with.
    temperature = float((cost.max(axis=1) - cost.min(axis=1)).max()) / ROUGHNESS
    if r == 1 or temperature == 0.0:
        return cost.min(axis=1), 0.0
    size = max(_LEAST if count > _WHOLE else count, _SAMPLE_PER_ROW * r)
    level = (cost, lower, room) if count <= size else _sample(cost, lower, room, size)
    f = rough_row_potentials(mu, level[0], level[1], level[1] + level[2])
    if f is None:  # float64 did not hold them
        f, temperature = cost.min(axis=1), temperature * 10.0
    elif count <= size:
        return f, temperature
    while True:
        f, temperature = _cooled(mu, *level, f, temperature, _LARGE if count > _WHOLE else _SMALL)
        if level[1].size == count:
            return f, temperature
        size *= _GROWTH
        temperature *= _BETWEEN_SAMPLES
        level = (cost, lower, room) if count <= 2 * size else _sample(cost, lower, room, size)


def _cooled(
    mu: Array, cost: Array, lower: Array, room: Array, f: Array, temperature: float, pace: _Pace
) -> tuple[Array, float]:
    """Potentials on one sample, cooled down until few columns are undecided or cooling leaves as many; temperature."""
    f = f + threshold_at_zero((cost - f[:, None]).min(axis=0), lower, room)
    floor = _FLOOR * float(np.ptp(cost)) * mu.size / lower.size
    before = lower.size
    while True:
        f = _ascend(mu, cost, lower, room, f, temperature, pace)
        margin = _side_margins(leads(cost, f))
        place = min(_UNDECIDED_PER_ROW * mu.size, margin.size - 1)
        target = max(float(np.partition(margin, place)[place]), floor)
        unclear = int((margin <= _REACH * temperature).sum())
        # Where many columns tie exactly, as with the L1 metric, no temperature separates them.
        if temperature <= 1.5 * target or 0.7 * before < unclear < 0.5 * lower.size:
            return f, temperature
        before, temperature = unclear, max(temperature * pace.cooling, target)


def threshold_at_zero(best: Array, lower: Array, room: Array) -> float:
    """The threshold tau of the box program for g = `best`: with tau added to f, and taken from g, it is 0."""
    order = np.argsort(best)
    filled = np.cumsum(room[order])
    missing = min(max(1.0 - float(lower.sum()), 0.0), float(filled[-1]))
    return float(best[order[min(int(np.searchsorted(filled, missing)), best.size - 1)]])


def _side_margins(lead: Lead) -> Array:
    """The margin by which a column's row or its side of the threshold is clear, whichever is less."""
    return np.minimum(lead.margin, np.abs(lead.best))


def _sample(cost: Array, lower: Array, room: Array, size: int) -> tuple[Array, Array, Array]:
    """About `size` columns in the place of all, hit in proportion to their upper bounds, with the masses of all."""
    columns, share = systematic_sample(lower + room, size)
    part = lower[columns] / (lower[columns] + room[columns])
    low, free = share * part, share * (1.0 - part)
    # The two totals decide where the threshold lies; a sample has them only about.
    low *= float(lower.sum()) / max(float(low.sum()), 1e-300)
    free *= float(room.sum()) / max(float(free.sum()), 1e-300)
    return np.ascontiguousarray(cost[:, columns]), low, free


def _ascend(mu: Array, cost: Array, lower: Array, room: Array, f: Array, temperature: float, pace: _Pace) -> Array:
    """Damped Newton ascent of (4) until the row sums are right up to `_TOLERANCE`.

    A pass opens the columns within `_REACH` temperatures of a tie and moves no potential by more than `pace.trust`:
    few settled columns leave, and the next pass sees them.
    """
    reach = _REACH * temperature
    for _ in range(_MAX_PASSES):
        lead = leads(cost, f)
        clear = _side_margins(lead) > reach
        # Columns of one row side by side: only the rows next to it take part in their block.
        unclear, settled = np.flatnonzero(~clear), np.flatnonzero(clear)
        unclear = unclear[np.argsort(lead.label[unclear], kind="stable")]
        q = np.where(lead.best[settled] < 0, lower[settled] + room[settled], lower[settled])
        fixed = np.bincount(lead.label[settled], q, minlength=mu.size)
        goal, open_cost = mu - fixed, cost[:, unclear]
        low, free = lower[unclear], room[unclear]
        f, error, inside = _newton(goal, mu, open_cost, low, free, f, temperature, pace)
        if inside and error <= _TOLERANCE:
            break
    return f


def _newton(
    goal: Array, mu: Array, cost: Array, lower: Array, room: Array, f: Array, temperature: float, pace: _Pace
) -> tuple[Array, float, bool]:
    """Newton steps until row sums are `goal`: (potentials, error, whether they stayed well within `pace.trust`)."""
    start, longest = f, pace.trust * temperature
    soft = _soft(cost, lower, room, f, temperature, pace)
    for _ in range(_MAX_STEPS):
        gradient = goal - soft.mass
        error = float(np.abs(gradient).sum())
        if error <= _TOLERANCE:
            return f, error, True
        step = _step(soft.curvature, gradient, np.maximum(soft.mass, mu), temperature)
        at_most = longest - float(np.abs(f - start).max())
        clipped = float(np.abs(step).max()) > at_most
        if clipped:
            whole, step = step, np.clip(step, -at_most, at_most)
            if gradient @ step <= 0:
                step = whole * (at_most / float(np.abs(whole).max()))
        before = float(goal @ f) + soft.value
        slope, length = float(gradient @ step), 1.0
        while True:
            trial = _soft(cost, lower, room, f + length * step, temperature, pace)
            higher = float(goal @ (f + length * step)) + trial.value >= before + 1e-4 * length * slope - 1e-14
            if higher or length < 1e-3:
                break
            length *= 0.3
        f, soft = f + length * step, trial
        if clipped:
            return f, error, False
    return f, float(np.abs(goal - soft.mass).sum()), True


def _step(curvature: Array, gradient: Array, masses: Array, temperature: float) -> Array:
    """Newton step with a small ridge, in units in which rows have a curvature of about 1, however small their mass."""
    root = np.sqrt(np.maximum(masses, 1e-300) / temperature)
    system = curvature / root / root[:, None]
    system.flat[:: gradient.size + 1] += 1e-6
    _, step, failed = dposv(system, gradient / root)
    if failed:
        return np.asarray(gradient / root / root)
    return np.asarray(step / root)


def _soft(cost: Array, lower: Array, room: Array, f: Array, temperature: float, pace: _Pace) -> _Soft:
    """(4) without mu.f, (5) and (6) on open columns."""
    r = f.size
    value, mass, outer, everyone = 0.0, np.zeros(r), np.zeros((r, r)), np.arange(r)
    step = pace.columns(r)
    for first in range(0, lower.size, step):
        block = slice(first, first + step)
        share = f[:, None] - cost[:, block]
        top = share.max(axis=0)
        share -= top
        near = everyone
        if r > _FEW:
            near = np.flatnonzero(share.max(axis=1) >= _NOTHING * temperature)
            share = share[near]
        share /= temperature
        # What underflows takes a dozen times as long as all the rest.
        np.maximum(share, _NOTHING, out=share)
        np.exp(share, out=share)
        total = share.sum(axis=0)
        depth = top / temperature + np.log(total)
        s = scipy.special.expit(depth)
        low, free = lower[block], room[block]
        value -= temperature * float(low @ depth + free @ np.logaddexp(0.0, depth))
        share /= total
        mass[near] += share @ (low + free * s)
        share *= np.sqrt(low + free * s**2)
        outer[np.ix_(near, near)] += share @ share.T
    return _Soft(value, mass, (np.diag(mass) - outer) / temperature)
