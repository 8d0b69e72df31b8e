"""Noisy steps of a private barycenter for costs of other orders than 2: by gradients, of the same sensitivity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.cells import StandIn, exact_sums, noisy_cells, person_grid
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.mechanisms.central.regions import Region
from dpot_core.privacy.guarantees import Guarantee

#: A hair by which a pull is shortened, so that rounding cannot make it longer than the proof allows.
HAIR = 2.0**-40

#: Distances count as at least this share of a cell's reach where they are divided by (p < 2), a reach as at least this
#: share of the region's radius, and a cost bends by at least this much.
LEAST_SHARE = 1e-3


def pulls(points: Array, goals: Array, p: float, reach: Array) -> Array:
    r"""``u(x, y) = min(|x - y|/rho, 1)^(p-1) rho (x - y)/|x - y|``, (n, d); 0 at x = y.

    Up to the distance rho this is minus the gradient of ``|x - y|^p/p`` in y, over rho^(p-2); beyond, it is as long as
    at rho. So ``|u| <= rho`` for every p >= 1 and every x and y.

    Args:
        points: x, (n, d).
        goals: y of each point, (n, d).
        p: order of the cost, at least 1.
        reach: rho of each, more than 0, (n,).
    """
    away = points - goals
    length = _lengths(away)
    size = reach * np.minimum(length / reach, 1.0) ** (p - 1.0)
    return away * np.divide(size, length, out=np.zeros(len(away)), where=length > 0)[:, None]


def _lengths(vectors: Array) -> Array:
    """Norms (n,), added up coordinate by coordinate: a person's does not depend on how many others there are."""
    squares = np.zeros(len(vectors))
    for column in vectors.T:
        squares += column * column
    return np.asarray(np.sqrt(squares))


def cell_pulls(
    points: Array, times: Integers, label: Integers, atoms: Array, reach: Array, p: float, region: Region
) -> Array:
    r"""A group's answer about the cells of m public atoms: ``(R N_j, sum of v over the cell)``, (m, 1 + d).

    ``v = (R/rho_j) u(x, y_j)``, u as in `pulls`. As for `cells.cell_sums` a person adds ``(R, v)`` to one row, with
    ``|v| <= R``. Replacing x by x' in another cell changes two rows, by at most ``sqrt(2) R`` each: 2 R together. In
    the same cell it changes one row by ``(0, v' - v)``: at most 2 R. A point more or less changes one row, by at most
    ``sqrt(2) R``. So the sensitivity is `cells.sensitivity`, whatever p and rho are and wherever the cells lie.

    Args:
        points: (n, d).
        times: how often each occurs, (n,).
        label: the cell of each, (n,).
        atoms: y, public, (m, d).
        reach: rho of every atom, public, (m,).
        p: order of the cost.
        region: the public region.

    Returns:
        The sums; exact, as v is shortened by a `HAIR` and cut towards 0 to a grid.
    """
    vectors = pulls(points, atoms[label], p, reach[label]) * (region.radius * (1.0 - HAIR) / reach[label])[:, None]
    return exact_sums(vectors, times, label, len(atoms), region)


def cell_reach(stand_ins: Sequence[StandIn], psis: Sequence[Array], atoms: Array, region: Region) -> Array:
    """rho of every atom: how far from it the stand-ins' points of its cell lie, (m,); private already, or public."""
    reach = np.zeros(len(atoms))
    for one, psi in zip(stand_ins, psis, strict=True):
        label = one.labels(one.points, atoms, psi)
        np.maximum.at(reach, label, _lengths(one.points - atoms[label]))
    return np.maximum(reach, LEAST_SHARE * region.radius)


def noisy_descent(
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
    r"""One step of descent for ``sum_i beta_i W_p^p(mu_i, nu)``, with the noise of `cells.noisy_step`.

    ``y_j <- y_j + sum_i beta_i t_ij / sum_i beta_i h_ij``, by at most ``rho_j/max(1, p - 1)``. t_ij is the mean of u
    over group i's cell, by noisy sums (`cell_pulls`), plus what the stand-in, corrected to the noisy shares, says that
    cells of equal shares would add; ``h_ij = max(1, p - 1) E (|x - y_j|/rho_j)^(p-2)``, on the stand-in, is how much
    the cost bends at most. For p = 2 it is the step of `cells.noisy_step`, but for points beyond rho.

    Args:
        people: points and counts of each group.
        stand_ins: one public or private measure per group, for potentials, reach and how much the cost bends.
        atoms: public atoms y in the region's hull, (m, d).
        noise: standard deviation of the noise on every sum; 0 for the step that would be made without noise.
        region: the public region.
        rng: source of randomness of an exploration.
        secure: for a release: what it promises, which must be proven; None for an exploration.
        sizes: public sizes of the groups; None where they are not public.

    Returns:
        New atoms (m, d), not yet moved into the region's convex hull, and the corrected stand-ins.
    """
    _, weight = person_grid(region)
    psis = [stand_in.potentials(atoms) for stand_in in stand_ins]
    reach = cell_reach(stand_ins, psis, atoms, region)
    pull, bend, corrected = np.zeros(atoms.shape), np.zeros(len(atoms)), []
    for number, ((points, times), stand_in, psi) in enumerate(zip(people, stand_ins, psis, strict=True)):
        label = stand_in.labels(points, atoms, psi)
        sums = cell_pulls(points, times, label, atoms, reach, stand_in.p, region)
        told = noisy_cells(sums, noise, weight, rng, secure=secure, size=None if sizes is None else sizes[number])
        better, lack, bends = _evened(stand_in, atoms, psi, told.shares, reach)
        corrected.append(better)
        share = 1.0 / len(people) if stand_in.share is None else stand_in.share
        pull += share * (told.vectors * (reach / region.radius / told.counts)[:, None] + lack)
        bend += share * bends
    # The people's own cells bend at least by max(1, p - 1) |t|/rho, even where the stand-in knows no one far away.
    bend = np.maximum(bend, max(1.0, stand_ins[0].p - 1.0) * _lengths(pull) / reach)
    move = pull / bend[:, None]
    return atoms + move, corrected


def _evened(stand_in: StandIn, atoms: Array, psi: Array, shares: Array, reach: Array) -> tuple[StandIn, Array, Array]:
    """The stand-in with the cells' noisy shares; mean pulls that equal shares would add (m, d); how the cost bends."""
    m, p, points = len(atoms), stand_in.p, stand_in.points
    label = stand_in.labels(points, atoms, psi)
    better = stand_in.reweighted(label, shares)
    mass = np.bincount(label, weights=better.weights, minlength=m)[:, None]
    held = _summed(better.weights[:, None] * pulls(points, atoms[label], p, reach[label]), label, m)
    plan = better.even_plan(atoms, psi).plan().tocoo()
    source, target = (np.asarray(index, dtype=np.int64) for index in plan.coords)
    even = _summed(plan.data[:, None] * pulls(points[source], atoms[target], p, reach[target]), target, m) * m
    far = np.clip(_lengths(points[source] - atoms[target]) / reach[target], LEAST_SHARE, 1.0) ** (p - 2.0)
    bends = np.bincount(target, weights=plan.data * far, minlength=m) * (m * max(1.0, p - 1.0))
    lack = np.where(mass > 0, even - held / np.maximum(mass, 1e-300), 0.0)
    return better, lack, np.maximum(bends, LEAST_SHARE)


def _summed(vectors: Array, label: Integers, m: int) -> Array:
    """Sums (m, d) of vectors (n, d) by their cells."""
    return np.stack([np.bincount(label, weights=column, minlength=m) for column in vectors.T], axis=1)
