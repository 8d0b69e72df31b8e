"""Results of noisy Sinkhorn, and the plan that belongs to potentials and marginals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry
from dpot_core.privacy.guarantees import Guarantee


@dataclass(frozen=True)
class Trace:
    """The releases of each of the K rounds; phi lives on the rows, psi on the columns.

    Attributes:
        phi: released potentials, (K, k).
        psi: released potentials, (K, l).
        phi_noise: standard deviation of the noise on each entry, (K,), unit of the cost.
        psi_noise: the same for psi, (K,).
        phi_raw: phi before it was clipped to the public box, (K, k). Released too.
        psi_raw: psi before it was clipped, (K, l). Released too.
        phi_sensitivity: largest change of the noiseless phi between neighbours, in the 2-norm, (K,); as claimed for
            "paper".
        psi_sensitivity: the same for psi, (K,).
    """

    phi: Array
    psi: Array
    phi_noise: Array
    psi_noise: Array
    phi_raw: Array
    psi_raw: Array
    phi_sensitivity: Array
    psi_sensitivity: Array


@dataclass(frozen=True)
class NoisySinkhorn:
    """Potentials and a plan with noise, and the promise about them.

    Attributes:
        potentials: (phi (k,), psi (l,)), unit of the cost, of the last round.
        plan: (k, l). "proven": a coupling of the private marginals, total mass 1; None without private marginals.
            "paper": ``exp((phi_i + psi_j - c_ij)/eta)/n^2`` as it stands, whose mass is not 1 (inf beyond float64).
        marginals: private marginals ((k,), (l,)); None for "paper", where they are uniform.
        guarantee: the promise; for "paper" it is claimed, and ``.proven`` is False.
        ledger: who pays for what.
        trace: all rounds.
        eta: entropic weight, unit of the cost.
        noise_ratio: noise of the last round over the range of the cost; from 1 on the potentials say nothing.
    """

    potentials: tuple[Array, Array]
    plan: Array | None
    marginals: tuple[Array, Array] | None
    guarantee: Guarantee
    ledger: tuple[Entry, ...]
    trace: Trace
    eta: float
    noise_ratio: float

    @property
    def vacuous(self) -> bool:
        """Whether the noise is at least as large as everything that the potentials could say."""
        return self.noise_ratio >= 1.0


def coupling(phi: Array, psi: Array, rows: Array, columns: Array, cost: Array, eta: float) -> Array:
    """The coupling of two marginals next to ``rows_i columns_j exp((phi_i + psi_j - c_ij)/eta)``, (k, l).

    The product is scaled to mass 1 and rounded to its marginals: rows and columns that are too heavy are scaled down,
    what is missing is added as a product.

    Source: Altschuler, Weed, Rigollet 2017, Algorithm 2 (the rounding).
    """
    with np.errstate(divide="ignore"):
        exponent = (phi[:, None] + psi[None, :] - cost) / eta + np.log(rows)[:, None] + np.log(columns)[None, :]
    plan = np.exp(exponent - exponent.max())
    plan /= plan.sum()
    plan *= _shrink(rows, plan.sum(axis=1))[:, None]
    plan *= _shrink(columns, plan.sum(axis=0))[None, :]
    missing_rows = np.maximum(rows - plan.sum(axis=1), 0.0)
    missing_columns = np.maximum(columns - plan.sum(axis=0), 0.0)
    mass = missing_columns.sum()
    if mass > 0.0:
        plan += missing_rows[:, None] * (missing_columns / mass)[None, :]
    return np.asarray(plan)


def _shrink(wanted: Array, present: Array) -> Array:
    heavy = present > wanted
    factor = np.ones_like(wanted)
    factor[heavy] = wanted[heavy] / present[heavy]
    return factor
