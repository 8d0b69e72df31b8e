"""Plans of several groups to common atoms, and the atoms recovered from plans (Algorithms 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy
import scipy.sparse as sparse
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_order
from dpot_core.transport.semidiscrete import SemidiscretePlan, check_atoms, check_points, transport

#: A group: positions (N, d) and masses (N,), or None for equal masses. Positions alone have equal masses.
Group = tuple[ArrayLike, ArrayLike | None] | Array

#: Steps after which Newton's are tried as well: where points lie nearly on a line, reweighted means hardly move.
_SLOW, _MAX_ITERATIONS = 50, 2000
_TOLERANCE = 1e-12


def check_groups(groups: Sequence[Group]) -> list[tuple[Array, Array]]:
    """Groups as positions (N, d) of one dimension and masses (N,) that sum to 1."""
    if len(groups) == 0:
        raise ValueError("groups must hold at least one group")
    checked = []
    for number, group in enumerate(groups):
        if isinstance(group, tuple):
            if len(group) != 2:
                raise ValueError(f"group {number} must be points or a pair (points, weights); got {len(group)} entries")
            points, weights = group
        else:
            points, weights = group, None
        try:
            checked.append(check_points(points, weights))
        except ValueError as error:
            raise ValueError(f"group {number}: {error}") from error
    dimensions = sorted({x.shape[1] for x, _ in checked})
    if len(dimensions) > 1:
        raise ValueError(f"groups must have points of one dimension; got {dimensions}")
    return checked


def solution_weights(groups: Sequence[Group], atoms: ArrayLike, p: float = 2) -> list[sparse.csr_array]:
    """Optimal plans T_i from every group to equally weighted atoms: row l, column j is the mass sent from x_l to y_j.

    Args:
        groups: pairs of positions (N_i, d) and masses (N_i,), or None for equal masses.
        atoms: positions of the atoms, shape (m, d).
        p: order of the cost |x - y| ** p.

    Returns:
        One sparse matrix (N_i, m) per group; rows sum to the masses, columns to 1/m.

    Raises:
        ValueError: for groups or atoms that do not fit.

    Source: dp_barycenters, Algorithm 3.
    """
    return [plan.plan() for plan in group_plans(check_groups(groups), atoms, p)]


def group_plans(
    groups: Sequence[tuple[Array, Array]], atoms: ArrayLike, p: float, starts: Sequence[Array] | None = None
) -> list[SemidiscretePlan]:
    """The exact plan of every group to equally weighted atoms, from given potentials where there are some."""
    y = check_atoms(atoms, groups[0][0].shape[1])
    guesses: Sequence[Array | None] = [None] * len(groups) if starts is None else starts
    return [transport(x, w, y, p, psi) for (x, w), psi in zip(groups, guesses, strict=True)]


def support_points(groups: Sequence[Group], plans: Sequence[Array | sparse.csr_array], p: float = 2) -> Array:
    """The best atoms for given plans: y_j = argmin sum_i sum_l T_i[l, j] |x_il - y| ** p.

    p = 2: the mean; p = 1: the geometric median (Weiszfeld, safe at data points); else reweighted means.

    Args:
        groups: pairs of positions (N_i, d) and masses (only positions are used; the plans hold the masses).
        plans: one matrix (N_i, m) of masses per group, dense or sparse.
        p: order of the cost |x - y| ** p.

    Returns:
        Atoms, shape (m, d).

    Raises:
        ValueError: if plans do not fit the groups, or an atom receives no mass.
        RuntimeError: if the iteration for p other than 2 does not converge.

    Source: dp_barycenters, Algorithm 4.
    """
    p = check_order(p)
    checked = check_groups(groups)
    if len(plans) != len(checked):
        raise ValueError(f"plans must hold one matrix per group; got {len(plans)} for {len(checked)} groups")
    matrices = [sparse.csc_array(plan) for plan in plans]
    for number, (matrix, (x, _)) in enumerate(zip(matrices, checked, strict=True)):
        if matrix.shape != (x.shape[0], matrices[0].shape[1]):
            raise ValueError(f"plan {number} must have one row per point and one column per atom; got {matrix.shape}")
        if not np.isfinite(matrix.data).all() or (matrix.data < 0).any():
            raise ValueError(f"plan {number} must hold finite masses that are not negative")
    stacked = sparse.vstack(matrices, format="csc")
    stacked.eliminate_zeros()
    mass = stacked.sum(axis=0)
    if not (mass > 0).all():
        raise ValueError(f"every atom must receive mass; atom {int(np.argmin(mass))} receives none")
    points = np.concatenate([x for x, _ in checked])
    centre = points.mean(axis=0)
    points = points - centre
    if p == 2:
        return (stacked.T @ points) / mass[:, None] + centre
    atoms = np.empty((mass.size, points.shape[1]))
    for j in range(mass.size):
        part = slice(stacked.indptr[j], stacked.indptr[j + 1])
        atoms[j] = power_mean(points[stacked.indices[part]], stacked.data[part], p)
    return atoms + centre


def power_mean(points: Array, weights: Array, p: float) -> Array:
    """argmin over y of sum_i w_i |x_i - y| ** p, by iteratively reweighted means with damping, then by Newton's steps.

    At a data point, where a weight of p < 2 is infinite, the rule of Vardi and Zhang decides whether it is the optimum
    and otherwise moves on.

    Raises:
        RuntimeError: if the steps have not died out.

    Source: Vardi and Zhang 2000 (PNAS 97) for p = 1.
    """
    y = weights @ points / weights.sum()
    spread = float(np.sqrt(((points - y) ** 2).sum(axis=1).max()))
    if spread == 0 or p == 2:
        return y
    value = _power_sum(points, weights, y, p)
    refused = -1  # the data point that was nearest last and is not the median: most steps keep it
    for number in range(_MAX_ITERATIONS):
        offset = points - y
        distance = np.sqrt((offset**2).sum(axis=1))
        nearest = int(distance.argmin())
        if p == 1 and nearest != refused:
            if _is_median(points, weights, points[nearest]):
                return points[nearest].copy()
            refused = nearest
        near = distance <= 1e-14 * spread
        pull = weights[~near] * distance[~near] ** (p - 2)
        force = pull @ offset[~near]
        step = force / pull.sum()
        if near.any() and p == 1:
            step *= 1 - float(weights[near].sum()) / float(np.sqrt((force**2).sum()))
        if p > 2:
            step /= p - 1
        newton = number >= _SLOW and bool(number % 2) and not near.any()
        if newton:
            step = _newton_step(offset / distance[:, None], pull, force, p)
        length = 1.0
        while True:
            trial = y + length * step
            moved = _power_sum(points, weights, trial, p)
            if moved <= value or length < 1e-12:
                break
            length /= 2
        done = float(np.abs(trial - y).max()) <= _TOLERANCE * spread or value - moved <= 1e-15 * value
        if moved <= value:
            y, value = trial, moved
        if done and not newton:  # a step that the model misjudges ends nothing
            return y
    raise RuntimeError(f"the power mean of order {p:g} did not converge in {_MAX_ITERATIONS} steps")


def _newton_step(directions: Array, pull: Array, force: Array, p: float) -> Array:
    """The step to the minimum of the second-order model of sum_i w_i |x_i - y| ** p; none where the model is flat."""
    hessian = pull.sum() * np.eye(force.size) + (p - 2) * (directions * pull[:, None]).T @ directions
    step: Array = np.linalg.lstsq(hessian, force, rcond=1e-15)[0]
    return step


def _is_median(points: Array, weights: Array, candidate: Array) -> bool:
    """Whether a data point is the geometric median: the others pull at it no harder than its own mass holds it."""
    offset = candidate - points
    distance = np.sqrt((offset**2).sum(axis=1))
    away = distance > 0
    force = (weights[away] / distance[away]) @ offset[away]
    return bool(np.sqrt((force**2).sum()) <= weights[~away].sum())


def _power_sum(points: Array, weights: Array, y: Array, p: float) -> float:
    return float(weights @ scipy.spatial.distance.cdist(points, y[None])[:, 0] ** p)
