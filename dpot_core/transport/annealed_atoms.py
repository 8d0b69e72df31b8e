"""Free atoms for squared distances: soft cells of equal mass, cooled down on a sample, refined on all points.

At a high temperature the atoms' common cost has few local minima; cooling follows one of them down. Each round brings
the soft cells' masses to 1/m by Newton steps on the potentials and moves every atom to the mean of its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.group_shares import average, scaled
from dpot_core.transport.semidiscrete import Solution, power_cost, solve
from dpot_core.transport.smoothed_dual import Problem, ascend, cell_sums, systematic_sample

#: A group whose points are distinct: positions (N, d) and masses (N,).
Cloud = tuple[Array, Array]

#: Points of the sample, per atom.
_SAMPLE_PER_ATOM = 80
#: Temperatures relative to the cost of the start: first, factor per round, last.
_HOT, _COOLING, _COLD = 1.0, 0.6, 0.05
#: Below this temperature a start that was given goes on only if it costs at most such a share more than the best one.
#: (Of starts drawn at random, the best in the end may be far behind there.)
_HALFWAY, _NEAR = 0.25, 0.05
_MASS_TOLERANCE = 0.03
#: Beyond this many cost entries, only a few rounds are made with exact cells.
_LARGE, _EXACT_ROUNDS = 1_000_000, 4
#: A round that lowers the cost by a smaller share ends the refinement.
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Found:
    """Atoms (m, d), their exact cost, and how the search went."""

    atoms: Array
    cost: float
    iterations: int
    converged: bool
    trace: tuple[float, ...]


@dataclass(frozen=True)
class Start:
    """Atoms to start with: given ones, or drawn near the points.

    Attributes:
        m: number of atoms.
        rng: draws them.
        given: several times m atoms (s, m, d), in the coordinates of the clouds; None to draw.
    """

    m: int
    rng: np.random.Generator
    given: Array | None = None

    def __call__(self, clouds: Sequence[Cloud], number: int, shares: Array | None = None) -> Array:
        """The atoms (m, d) of a start, near these clouds."""
        if self.given is not None:
            return self.given[number]
        masses = scaled([w for _, w in clouds], shares)
        return spread_atoms([(x, w) for (x, _), w in zip(clouds, masses, strict=True)], self.m, self.rng)


@dataclass
class State:
    """Atoms and the potentials of every group at a temperature; `settled` says that all cells have their mass.

    Otherwise the value, that of a dual, is too low.
    """

    atoms: Array
    psis: list[Array]
    temperature: float
    value: float = np.inf
    settled: bool = True


def annealed_atoms(
    clouds: Sequence[Cloud], start: Start, starts: int, max_iter: int, shares: Array | None = None
) -> Found:
    """Best of several annealed starts on a sample, refined on all points and finished with exact cells."""
    sample = [sampled(cloud, start.m, len(clouds)) for cloud in clouds]
    tries = [_Try(sample, start(sample, number, shares), shares) for number in range(starts)]
    for one in tries:
        one.cool(_HALFWAY)
    best = min((one.state.value for one in tries if one.state.settled), default=np.inf)
    near = [one for one in tries if start.given is None or one.state.value <= best + _NEAR * abs(best)]
    for one in near:
        one.cool(_COLD)
    rounds = sum(one.rounds for one in tries)
    state = min((one.state for one in near), key=lambda state: (not state.settled, state.value))
    trace: list[float] = []
    for _ in range(max_iter):
        before = state.value
        state = _move(clouds, state, shares)
        trace.append(state.value)
        if before - state.value <= TOLERANCE * abs(state.value) and len(trace) > 2:
            break
    large = sum(w.size for _, w in clouds) * start.m > _LARGE
    limit = _EXACT_ROUNDS if large else max_iter
    return _descend(clouds, state.atoms, state.psis, state.temperature, rounds, trace, limit, shares)


def polished_atoms(
    clouds: Sequence[Cloud],
    atoms: Array,
    psis: Sequence[Array | None],
    max_iter: int,
    shares: Array | None = None,
) -> Found:
    """The local minimum that rounds with exact cells reach from given atoms, which never costs more than they do."""
    return _descend(clouds, atoms, psis, None, 0, [], max_iter, shares)


def _descend(
    clouds: Sequence[Cloud],
    atoms: Array,
    psis: Sequence[Array | None],
    temperature: float | None,
    rounds: int,
    trace: list[float],
    limit: int,
    shares: Array | None,
) -> Found:
    """Rounds with exact cells until they no longer pay; the last cost belongs to the last atoms."""
    kept, best, converged = atoms, np.inf, False
    masses = np.full(atoms.shape[0], 1.0 / atoms.shape[0])
    for _ in range(limit):
        plans = [solve(x, w, atoms, masses, 2, psi, temperature) for (x, w), psi in zip(clouds, psis, strict=True)]
        cost = float(average([plan.cost for plan in plans], shares))
        trace.append(cost)
        drop = best - cost
        if cost < best:
            kept, best = atoms, cost
        if drop <= TOLERANCE * best:
            converged = True
            break
        psis = [plan.psi for plan in plans]
        atoms = average([cell_means(plan, x, w, masses) for plan, (x, w) in zip(plans, clouds, strict=True)], shares)
    return Found(kept, best, rounds + len(trace), converged, tuple(trace))


def cell_means(plan: Solution, points: Array, weights: Array, masses: Array) -> Array:
    """Mean position of the mass that every atom receives, (m, d)."""
    m = masses.size
    whole = weights.copy()
    whole[plan.split] = 0.0
    return (cell_sums(plan.label, whole, points, m) + plan.flow.T @ points[plan.split]) / masses[:, None]


def sampled(cloud: Cloud, m: int, groups: int) -> Cloud:
    """A sample of the group's points, of a size that is shared among the groups; small groups are taken whole."""
    x, w = cloud
    size = max(_SAMPLE_PER_ATOM * m // groups, 8 * m)
    if w.size <= 2 * size:
        return cloud
    rows, share = systematic_sample(w, size)
    return x[rows], share


def spread_atoms(clouds: Sequence[Cloud], m: int, rng: np.random.Generator) -> Array:
    """Start in the manner of k-means++: the next atom falls on a point with odds of mass times squared distance."""
    points = np.concatenate([x for x, _ in clouds])
    weights = np.concatenate([w for _, w in clouds])
    odds = weights
    chosen = np.empty(m, dtype=np.intp)
    nearest = np.full(weights.size, np.inf)
    for j in range(m):
        ends = np.cumsum(odds)
        chosen[j] = min(int(np.searchsorted(ends, rng.random() * ends[-1], side="right")), weights.size - 1)
        nearest = np.minimum(nearest, ((points - points[chosen[j]]) ** 2).sum(axis=1))
        odds = weights * nearest if nearest.any() else weights
    scale = np.sqrt(weights @ ((points - weights @ points / weights.sum()) ** 2) / weights.sum())
    # A little apart, because atoms that coincide would stay together.
    return points[chosen] + 1e-3 * scale * rng.normal(size=(m, points.shape[1]))


class _Try:
    """A start that cools down on a sample."""

    def __init__(self, clouds: Sequence[Cloud], atoms: Array, shares: Array | None) -> None:
        cheapest = float(average([w @ power_cost(x, atoms, 2).min(axis=0) for x, w in clouds], shares))
        variance = float(average([w @ ((x - w @ x) ** 2).sum(axis=1) for x, w in clouds], shares))
        # Atoms that start on all the points cost nothing; with all points in one place any temperature will do.
        self.base = max(cheapest, 1e-3 * variance) or 1.0
        self.clouds, self.shares, self.rounds = clouds, shares, 0
        self.state = State(atoms, [np.zeros(atoms.shape[0]) for _ in clouds], _HOT * self.base / _COOLING)

    def cool(self, last: float) -> None:
        """Rounds at falling temperatures until the one at ``last`` (relative) is done."""
        while self.state.temperature > last * self.base:
            self.state.temperature = max(self.state.temperature * _COOLING, last * self.base)
            self.state = _move(self.clouds, self.state, self.shares)
            self.rounds += 1


def _move(clouds: Sequence[Cloud], state: State, shares: Array | None) -> State:
    """One round: potentials for the masses, then every atom to the mean over groups of its cells' means."""
    m = state.atoms.shape[0]
    masses = np.full(m, 1.0 / m)
    psis, centres, value, settled = [], [], 0.0, True
    for number, ((x, w), psi) in enumerate(zip(clouds, state.psis, strict=True)):
        cost = power_cost(x, state.atoms, 2)
        psi, cells = ascend(Problem(cost, w, masses, state.temperature, x), psi, _MASS_TOLERANCE)
        # A cell too empty to have a mean leaves its atom where it is.
        full = cells.mass > 1e-9 / m
        centre = np.where(full[:, None], cells.moments / np.where(full, cells.mass, 1.0)[:, None], state.atoms)
        value += cells.value / len(clouds) if shares is None else cells.value * shares[number]
        settled = settled and bool(np.abs(masses - cells.mass).sum() <= _MASS_TOLERANCE)
        psis.append(psi)
        centres.append(centre)
    atoms = average(centres, shares)
    # Keeps the reduced cost of each cell's centre, and with it roughly the cells' masses, as the atoms move.
    psis = [
        psi + ((centre - atoms) ** 2).sum(axis=1) - ((centre - state.atoms) ** 2).sum(axis=1)
        for psi, centre in zip(psis, centres, strict=True)
    ]
    return State(atoms, psis, state.temperature, value, settled)
