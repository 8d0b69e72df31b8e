"""Free atoms for any order p: exact cells and best atoms for them in turn, on a sample first."""

from __future__ import annotations

from collections.abc import Sequence

from dpot_core.arguments import Array
from dpot_core.transport.annealed_atoms import TOLERANCE, Cloud, Found, Start, sampled
from dpot_core.transport.group_shares import average, scaled
from dpot_core.transport.semidiscrete import transport
from dpot_core.transport.support_points import support_points


def lloyd_atoms(
    clouds: Sequence[Cloud], start: Start, p: float, starts: int, max_iter: int, shares: Array | None = None
) -> Found:
    """Best of several starts on a sample, then rounds on all points; every cost is exact."""
    sample = [sampled(cloud, start.m, len(clouds)) for cloud in clouds]
    tries = [descended_atoms(sample, start(sample, number, shares), p, max_iter, shares) for number in range(starts)]
    best = min(tries, key=lambda found: found.cost)
    refined = descended_atoms(clouds, best.atoms, p, max_iter, shares)
    rounds = refined.iterations + sum(found.iterations for found in tries)
    return Found(refined.atoms, refined.cost, rounds, refined.converged, refined.trace)


def descended_atoms(
    clouds: Sequence[Cloud],
    atoms: Array,
    p: float,
    max_iter: int,
    shares: Array | None,
    psis: Sequence[Array | None] = (),
) -> Found:
    """Rounds of exact transport and best atoms; a round never raises the cost, so the last atoms are the best."""
    trace: list[float] = []
    psis = psis or [None] * len(clouds)
    while True:
        plans = [transport(x, w, atoms, p, psi) for (x, w), psi in zip(clouds, psis, strict=True)]
        trace.append(float(average([plan.cost for plan in plans], shares)))
        settled = len(trace) > 1 and trace[-2] - trace[-1] <= TOLERANCE * trace[-1]
        if settled or len(trace) > max_iter:
            return Found(atoms, trace[-1], len(trace), settled, tuple(trace))
        psis = [plan.potentials for plan in plans]
        atoms = support_points(clouds, scaled([plan.plan() for plan in plans], shares), p)
