"""Noisy sums over the power cells of public atoms: what the proven steps of a private barycenter ask of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.noise import Integers, gaussian
from dpot_core.mechanisms.central.projection import Projection
from dpot_core.mechanisms.central.regions import Region
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.transport.semidiscrete import SemidiscretePlan, power_cost, transport
from dpot_core.transport.smoothed_dual import soft_plan

#: Points of a stand-in for a group, for every atom and at most; more are no better than the noise allows.
STAND_IN_PER_ATOM = 210
STAND_IN = 10_000

#: With fewer points for each atom a stand-in is always solved exactly.
FEW = 60

#: A cell counts as holding at least this share of its due, so that noise in a nearly empty one is not blown up.
LEAST = 0.25

#: Positions count in multiples of the region's radius over about 2^19, so that sums over this many people are exact.
PLACES = 19
MOST_PEOPLE = 2**34


@dataclass(frozen=True)
class StandIn:
    """A measure that is public or private already, near a group: it shows where the power cells should lie.

    Attributes:
        points: (n, d).
        weights: (n,), sum 1.
        exact: whether its transport is solved exactly, or by the smoothed dual, which is quicker. Privacy is the same:
            whatever the potentials are, they follow from this measure and the public atoms.
        share: the group's public share beta_i of the objective; None for 1/k.
        projection: where cells are found, by the distances of projected points to projected atoms; None for the space
            of the points.
        p: order of the cost whose cells these are.
    """

    points: Array
    weights: Array
    exact: bool = True
    share: float | None = None
    projection: Projection | None = None
    p: float = 2.0

    def potentials(self, atoms: Array) -> Array:
        """Potentials (m,) whose power cells give every atom 1/m of this measure, nearly so if not exact."""
        return self._plan(atoms, None)[0] if self.p == 2.0 else self.even_plan(atoms, None).potentials

    def seen(self, points: Array) -> Array:
        """Points (n, d) as the cells see them: projected, (n, d'), or as they are."""
        return points if self.projection is None else self.projection(points)

    def labels(self, points: Array, atoms: Array, potentials: Array) -> Integers:
        """The cell of every point, (n,); each follows from the point alone, besides what is public."""
        return power_labels(self.seen(points), self.seen(atoms), potentials, self.p)

    def even_plan(self, atoms: Array, start: Array | None) -> SemidiscretePlan:
        """The exact plan of this measure to equal masses, where the cells are found."""
        return transport(self.seen(self.points), self.weights, self.seen(atoms), self.p, start=start)

    def _plan(self, atoms: Array, start: Array | None) -> tuple[Array, Array]:
        """Potentials (m,) and means (m, d) of cells of equal mass."""
        if not self.exact and len(self.points) >= FEW * len(atoms) > FEW:
            cost = scipy.spatial.distance.cdist(self.seen(atoms), self.seen(self.points), "sqeuclidean")
            return soft_plan(cost, self.points, self.weights, start)
        found = self.even_plan(atoms, start)
        if self.projection is None:
            return found.potentials, found.cell_means
        # Algorithm 4: the plan is found in the projection, the means are those of the points themselves.
        return found.potentials, (found.plan().T @ self.points) / found.cell_mass[:, None]

    def corrected(self, atoms: Array, potentials: Array, shares: Array) -> tuple[StandIn, Array]:
        """The same points, weighted such that the power cells have the given (noisy) shares, (m,).

        Also by how much the cells' means move, (m, d), when the cells are then made to hold 1/m each: what a mean over
        a cell of the wrong size lacks.
        """
        m = len(atoms)
        label = self.labels(self.points, atoms, potentials)
        better = self.reweighted(label, shares)
        mass = np.bincount(label, weights=better.weights, minlength=m)[:, None]
        sums = np.stack([np.bincount(label, weights=better.weights * x, minlength=m) for x in self.points.T], axis=1)
        _, even = better._plan(atoms, potentials)
        return better, np.where(mass > 0, even - sums / np.maximum(mass, 1e-300), 0.0)

    def reweighted(self, label: Integers, shares: Array) -> StandIn:
        """The same points, weighted such that the cells (n,) have the given (noisy) shares, (m,)."""
        m = len(shares)
        held = np.bincount(label, weights=self.weights, minlength=m)
        wanted = np.maximum(shares, LEAST / m)
        factor = np.divide(wanted, held, out=np.ones(m), where=held > 0)
        weights = self.weights * factor[label]
        weights /= weights.sum()
        return replace(self, weights=weights)


def power_labels(points: Array, atoms: Array, potentials: Array, p: float = 2.0) -> Integers:
    """The power cell of every point, (n,): the first j that minimises ``|x - y_j|^p - psi_j``."""
    return np.argmin(power_cost(atoms, points, p) - potentials, axis=1)


def cell_sums(points: Array, times: Integers, label: Integers, m: int, region: Region) -> Array:
    """A group's answer about m cells: ``(R N_j, sum of x - c over the cell)``, (m, 1 + d).

    c and R are centre and radius of a public ball around the region. Replacing x by x' in another cell changes two
    rows, by ``(R, x - c)`` and ``(R, x' - c)``: at most 2 R in the 2-norm. In the same cell it changes
    one row by ``(0, x' - x)``: at most 2 R. A point more or less changes one row: at most ``sqrt(2) R``.

    Sums over up to `MOST_PEOPLE` people are exact, so that rounding cannot add to this: R and the coordinates of x - c
    are first cut, towards 0, to multiples of a power of two.

    Args:
        points: (n, d).
        times: how often each occurs, (n,).
        label: the cell of each, (n,).
        m: number of cells.
        region: the public region.

    Returns:
        The sums.
    """
    return exact_sums(points - region.centre, times, label, m, region)


def exact_sums(vectors: Array, times: Integers | Array, label: Integers, m: int, region: Region) -> Array:
    """``(R N_j, sum of the vectors over the cell)``, (m, 1 + d), exact as in `cell_sums`, for vectors (n, d)."""
    step, weight = person_grid(region)
    columns = [np.full(len(vectors), weight), *(np.trunc(vectors / step) * step).T]
    return np.stack([np.bincount(label, weights=times * column, minlength=m) for column in columns], axis=1)


def person_grid(region: Region) -> tuple[float, float]:
    """The step of positions in sums, a power of two, and the radius cut to a multiple of it: a person's weight."""
    step = 2.0 ** (math.frexp(region.radius)[1] - PLACES)
    return step, math.floor(region.radius / step) * step


def sensitivity(region: Region, adjacency: str) -> float:
    """Largest change of all groups' `cell_sums` between neighbours, in the 2-norm: 2 R or sqrt(2) R.

    Args:
        region: the public region.
        adjacency: "replace" or "add-remove".

    Returns:
        The sensitivity, unit of the coordinates.
    """
    return (2.0 if adjacency == "replace" else math.sqrt(2.0)) * region.radius


@dataclass(frozen=True)
class NoisyCells:
    """The noisy answer of a group's cells about its people: whatever is worked out of it costs no more privacy."""

    vectors: Array  # sums over the people of each cell, (m, d)
    held: Array  # people in each cell, (m,); may be negative
    shares: Array  # of all people, (m,)
    counts: Array  # of people, to divide by: no cell holds fewer than LEAST of its even share, (m,)


def noisy_cells(
    sums: Array, noise: float, weight: float, rng: np.random.Generator, *, secure: Guarantee | None, size: int | None
) -> NoisyCells:
    """Ask the cells: normal noise on every sum, counts and vectors at once.

    Args:
        sums: counts times `weight`, and vectors, of the people of each cell, (m, 1 + d).
        noise: standard deviation of the noise on every sum; 0 for what would be said without noise.
        weight: of one person's count beside their vector, see `person_grid`.
        rng: source of randomness of an exploration.
        secure: for a release: what it promises, which must be proven; None for an exploration.
        size: public size of the group; None where it is not public.
    """
    sums = gaussian(sums, noise, rng, secure=secure)
    held = sums[:, 0] / weight
    n = max(float(held.sum()), 1.0) if size is None else size
    return NoisyCells(sums[:, 1:], held, held / n, np.maximum(held, LEAST * n / len(sums)))


def noisy_step(
    people: Sequence[tuple[Array, Integers]],
    stand_ins: Sequence[StandIn],
    atoms: Array,
    noise: float,
    region: Region,
    rng: np.random.Generator,
    *,
    secure: Guarantee | None,
    sizes: Sequence[int] | None,
) -> tuple[Array, list[StandIn]]:
    """One step: sums over the power cells of public atoms with noise, and what follows from them.

    The new atom j is the mean over the groups, each by its stand-in's share, of
    ``y_j + sum over the cell of (x - y_j) / N_j``, with noisy sums and counts, plus what the stand-in, corrected to the
    noisy shares, says that cells of equal shares would add.

    Args:
        people: points and counts of each group.
        stand_ins: one public or private measure per group, for the potentials.
        atoms: public atoms y, (m, d).
        noise: standard deviation of the noise on every sum; 0 for the step that would be made without noise.
        region: the public region.
        rng: source of randomness of an exploration.
        secure: for a release: what it promises, which must be proven; None for an exploration.
        sizes: public sizes of the groups; None where they are not public.

    Returns:
        New atoms (m, d), not yet moved into the region's convex hull, and the corrected stand-ins.
    """
    _, weight = person_grid(region)
    m = len(atoms)
    moves, corrected = np.zeros(atoms.shape), []
    for number, ((points, times), stand_in) in enumerate(zip(people, stand_ins, strict=True)):
        psi = stand_in.potentials(atoms)
        sums = cell_sums(points, times, stand_in.labels(points, atoms, psi), m, region)
        told = noisy_cells(sums, noise, weight, rng, secure=secure, size=None if sizes is None else sizes[number])
        better, lack = stand_in.corrected(atoms, psi, told.shares)
        corrected.append(better)
        move = (told.vectors - told.held[:, None] * (atoms - region.centre)) / told.counts[:, None] + lack
        # The sums of a group are noisy already, whatever its public share.
        moves += move / len(people) if stand_in.share is None else move * stand_in.share
    return atoms + moves, corrected


def stand_in_size(m: int) -> int:
    """Number of points of a stand-in for m atoms."""
    return min(STAND_IN, STAND_IN_PER_ATOM * m)


def stand_in(points: Array, exact: bool = True, share: float | None = None) -> StandIn:
    """Equal weights on points that are public or private already, (n, d)."""
    return StandIn(points, np.full(len(points), 1.0 / len(points)), exact, share)
