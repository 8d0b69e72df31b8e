"""Wasserstein barycenters with m equally weighted free atoms.

min over y_1..y_m of sum_i beta_i W_p^p(mu_i, (1/m) sum_j delta_(y_j)), beta_i = 1/k unless said. Not convex: several
starts on a sample of the points, the best one refined on all points, and a last evaluation by exact transport.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_finite, check_number, check_order
from dpot_core.arguments.options import by_name
from dpot_core.transport.annealed_atoms import Start, annealed_atoms, polished_atoms
from dpot_core.transport.group_shares import average, check_shares
from dpot_core.transport.lloyd_atoms import descended_atoms, lloyd_atoms
from dpot_core.transport.semidiscrete import merge
from dpot_core.transport.sinkhorn_atoms import sinkhorn_atoms
from dpot_core.transport.support_points import Group, check_groups, group_plans, solution_weights, support_points

METHODS = ("semidiscrete", "entropic")

#: Costs of higher orders differ by more powers of ten than float64 can tell apart.
LARGEST_ORDER = 12.0

__all__ = [
    "Barycenter",
    "barycenter_cost",
    "free_support",
    "polished",
    "solution_weights",
    "support_points",
]


@dataclass(frozen=True)
class Plans:
    """How plans are found.

    Attributes:
        method: "semidiscrete" (exact cells) or "entropic" (p = 2 only; Sinkhorn plans, as in the paper).
        reg: entropic weight relative to the squared diameter of the points; for "entropic" only.
    """

    method: str = "semidiscrete"
    reg: float | None = None


#: What is used unless something else is asked for.
EXACT = Plans()


@dataclass(frozen=True)
class Barycenter:
    """Atoms of equal mass and their exact cost.

    Attributes:
        atoms: positions, (m, d), in the units of the points.
        cost: weighted mean over groups of W_p ** p to the atoms, by exact transport.
        iterations: rounds of moving the atoms, on samples and on all points.
        converged: whether the last round on all points lowered the cost by less than the tolerance.
        trace: cost after every round on all points; the last entries are exact, earlier ones approximate.
    """

    atoms: Array
    cost: float
    iterations: int
    converged: bool
    trace: tuple[float, ...] = field(repr=False)


def barycenter_cost(groups: Sequence[Group], atoms: ArrayLike, p: float = 2, weights: ArrayLike | None = None) -> float:
    """sum_i beta_i W_p^p(mu_i, nu) to equally weighted atoms, by exact transport; the mean over groups by default.

    Args:
        groups: pairs of positions (N_i, d) and masses (N_i,), or None for equal masses.
        atoms: positions of the atoms, shape (m, d).
        p: order of the cost |x - y| ** p.
        weights: beta, one per group, as in `group_shares.check_shares`; None for 1/k.

    Raises:
        ValueError: for groups, atoms or weights that do not fit.
        RuntimeError: if the transport cannot be proven optimal.

    Source: dp_barycenters, equation 1.
    """
    plans = group_plans(check_groups(groups), atoms, check_order(p))
    return float(average([plan.cost for plan in plans], check_shares(weights, len(plans))))


@by_name(plans=Plans)
def free_support(
    groups: Sequence[Group],
    m: int,
    rng: np.random.Generator,
    p: float = 2,
    *,
    weights: ArrayLike | None = None,
    plans: Plans = EXACT,
    starts: int | ArrayLike = 3,
    max_iter: int = 30,
) -> Barycenter:
    """Barycenter of groups with m free atoms of mass 1/m each.

    argmin over y of sum_i beta_i W_p^p(mu_i, (1/m) sum_j delta_(y_j)), a local minimum of it.

    Args:
        groups: pairs of positions (N_i, d) and masses (N_i,), or None for equal masses.
        m: number of atoms.
        rng: draws the starts.
        p: order of the cost |x - y| ** p, at most `LARGEST_ORDER`.
        weights: beta, one per group, as in `group_shares.check_shares`; None for 1/k.
        plans: how plans are found; fields may be given by name (method, reg).
        starts: how many starts are tried on a sample, of which the best is refined; or the atoms (s, m, d) that s
            searches start with, which are not drawn then (not for "entropic", which draws one).
        max_iter: largest number of rounds on all points.

    Returns:
        Atoms and their exact cost.

    Raises:
        ValueError: for arguments that do not fit.
        RuntimeError: if a solver fails; for "entropic" also when Sinkhorn's scalings underflow.

    Source: dp_barycenters, equation 1 and appendix F; "semidiscrete" is ours.
    """
    checked = check_groups(groups)
    shares, method, reg = check_shares(weights, len(checked)), plans.method, plans.reg
    m = check_count(m, "m")
    p = check_number(p, "p", 1.0, LARGEST_ORDER)
    drawn = np.ndim(starts) == 0
    count = check_count(cast("int", starts), "starts") if drawn else 0
    max_iter = check_count(max_iter, "max_iter")
    if method not in METHODS:
        raise ValueError(f"method must be one of {sorted(METHODS)}; got {method!r}")
    clouds = [merge(x, w)[:2] for x, w in checked]
    centre = average([w @ x for x, w in clouds], shares)
    clouds = [(x - centre, w) for x, w in clouds]
    if method == "entropic":
        if p != 2:
            raise ValueError(f"p must be 2 for method='entropic'; got {p:g}")
        if reg is None:
            raise ValueError("reg must be given for method='entropic'")
        reg = check_number(reg, "reg", 1e-12, 1e6)
        if not drawn:
            raise ValueError("starts must be a number for method='entropic'")
        atoms, rounds, rest = sinkhorn_atoms(clouds, m, rng, reg, max_iter, shares)
        cost = barycenter_cost(clouds, atoms, weights=shares)
        return Barycenter(atoms + centre, cost, rounds, rest, (cost,))
    if reg is not None:
        raise ValueError(f"reg belongs to method='entropic'; got reg={reg!r}")
    given = None if drawn else _beginnings(starts, m, centre)
    start, count = Start(m, rng, given), count if given is None else len(given)
    search = annealed_atoms if p == 2 else partial(lloyd_atoms, p=p)
    found = search(clouds, start, starts=count, max_iter=max_iter, shares=shares)
    return Barycenter(found.atoms + centre, found.cost, found.iterations, found.converged, found.trace)


def _beginnings(starts: ArrayLike, m: int, centre: Array) -> Array:
    given = check_finite(starts, "starts", non_negative=False)
    if given.ndim != 3 or not len(given) or given.shape[1:] != (m, centre.size):
        raise ValueError(f"starts must have shape (s, {m}, {centre.size}), s >= 1; got {given.shape}")
    return given - centre


def polished(
    groups: Sequence[Group],
    atoms: ArrayLike,
    potentials: Sequence[Array] | None = None,
    max_iter: int = 30,
    p: float = 2,
    weights: ArrayLike | None = None,
) -> Barycenter:
    """The local minimum of the cost to which atoms of equal mass descend, by exact plans and their best atoms in turn.

    A round never raises the cost: the result costs at most what the atoms do, and is near them where they are near a
    local minimum. The distance in between is what keeps them from it.

    Args:
        groups: pairs of positions (N_i, d) and masses (N_i,), or None for equal masses.
        atoms: where to start, (m, d).
        potentials: for each group potentials (m,) to start the transport with; None where there are none.
        max_iter: largest number of rounds.
        p: order of the cost |x - y| ** p, at most `LARGEST_ORDER`.
        weights: beta, one per group, as in `group_shares.check_shares`; None for 1/k.

    Returns:
        Atoms, in the order of those given, and their exact cost.

    Raises:
        ValueError: for arguments that do not fit.
        RuntimeError: if the transport cannot be proven optimal.

    Source: dp_barycenters, equation 1; alternating minimisation.
    """
    clouds = [merge(x, w)[:2] for x, w in check_groups(groups)]
    start = check_finite(atoms, "atoms", non_negative=False)
    d = clouds[0][0].shape[1]
    if start.ndim != 2 or not len(start) or start.shape[1] != d:
        raise ValueError(f"atoms must have shape (m, {d}), m >= 1; got {start.shape}")
    shares, p = check_shares(weights, len(clouds)), check_number(p, "p", 1.0, LARGEST_ORDER)
    centre = average([w @ x for x, w in clouds], shares)
    clouds = [(x - centre, w) for x, w in clouds]
    psis = [None] * len(clouds) if potentials is None else list(potentials)
    rounds = check_count(max_iter, "max_iter")
    if p == 2:
        found = polished_atoms(clouds, start - centre, psis, rounds, shares)
    else:
        found = descended_atoms(clouds, start - centre, p, rounds, shares, psis)
    return Barycenter(found.atoms + centre, found.cost, found.iterations, found.converged, found.trace)
