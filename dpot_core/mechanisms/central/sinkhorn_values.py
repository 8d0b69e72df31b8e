"""Values of a transport problem at given potentials or a given plan, and how much a dual value may change."""

from __future__ import annotations

import math

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn


def feasible_potentials(psi: Array, cost: Array) -> tuple[Array, Array]:
    """``phi_i = min_j (c_ij - psi_j)``, then ``psi_j = min_i (c_ij - phi_i)``: phi_i + psi_j <= c_ij for all i, j."""
    phi = (cost - psi[None, :]).min(axis=1)
    return phi, (cost - phi[:, None]).min(axis=0)


def dual_sensitivity(potentials: tuple[Array, Array], n: tuple[int, int], together: bool) -> float:
    """Largest change of ``<a, phi> + <b, psi>`` at public potentials between neighbours: ``range(phi)/n_1``, or both.

    Args:
        potentials: phi (k,) and psi (l,), public.
        n: number of points of the two data sets.
        together: whether one point of each data set changes (both ranges add up), or one of either (the larger).
    """
    changes = [float(np.ptp(values)) / size for values, size in zip(potentials, n, strict=True)]
    return sum(changes) if together else max(changes)


def linear_cost(released: NoisySinkhorn, cost: Array) -> float:
    """``<c, pi>`` with the plan as it stands, whose mass is not 1; inf beyond float64."""
    phi, psi = released.potentials
    exponent = (phi[:, None] + psi[None, :] - cost) / released.eta - 2.0 * math.log(len(cost))
    top = float(exponent.max())
    inner = float((cost * np.exp(exponent - top)).sum())
    return inner * math.exp(top) if top < 700.0 else (math.inf if inner > 0.0 else 0.0)
