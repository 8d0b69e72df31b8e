"""Results of the barycenters by Gaussian noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.central.cells import StandIn
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.profiles import Profile, profile_of
from dpot_core.transport.barycenters import barycenter_cost


@dataclass(frozen=True)
class PerturbedBarycenter:
    """The result of `perturbed_barycenter` and `paper_barycenter`.

    Attributes:
        atoms: m atoms of weight 1/m, (m, d).
        guarantee: what is promised; towards the population if one was given. Of a paper run it is not proven, and says
            so.
        sample_guarantee: what is promised to those whose points were used.
        trace: what a proven run publishes, its start and the atoms after every step, (steps + 1, m, d); of a paper run
            the atoms only, (1, m, d).
        unperturbed: of a paper run the atoms before the noise, (m, d), not private; None otherwise and for a release.
        noise: standard deviation of the noise of one step, unit of the coordinates; on the atoms, or with
            method="cells" on the cells' sums over people.
        sensitivity: change of one step between neighbours in the 2-norm, likewise: proven, or in a paper run assumed.
        chunks: number k' of chunks of each group; None where there are none.
        steps: number of noisy steps.
        stand_ins: of each group a measure that is public, or private already, and shows where its power cells lie; none
            after a paper run, which publishes its atoms only.
        weights: the groups' shares beta of the objective, public; None for 1/k.
        projection: the random matrix (d, d') by which plans and cells were found; None without projection.
        p: order of the cost.
        trees: of each group the scales of the noise of its private start's tree, level by level, public; none with a
            public start.
    """

    atoms: Array
    guarantee: Guarantee
    sample_guarantee: Guarantee
    trace: Array = field(repr=False)
    unperturbed: Array | None = field(repr=False)
    noise: float
    sensitivity: float
    chunks: int | None
    steps: int
    stand_ins: tuple[StandIn, ...] = field(default=(), repr=False)
    weights: Array | None = None
    projection: Array | None = field(default=None, repr=False)
    p: float = 2.0
    trees: tuple[tuple[float, ...], ...] = ()

    @property
    def profile(self) -> Profile | None:
        """delta at every epsilon of one release; None for a paper run, whose promise is not proven."""
        if not self.guarantee.proven:
            return None
        mu = self.sensitivity * math.sqrt(self.steps) / self.noise
        return profile_of(self.guarantee, self.sample_guarantee, mu, self.trees)

    def potentials(self) -> Array | None:
        """Potentials psi (k, m) of the atoms' power cells, which split each group's stand-in evenly; None without any.

        With a projection they are those of the projected atoms' cells for the projected points. They follow from what
        has been published, as the cells of the steps do: the promise covers them.
        """
        return np.stack([one.potentials(self.atoms) for one in self.stand_ins]) if self.stand_ins else None

    def cost(self, groups: Sequence[Any], p: float | None = None) -> float:
        """sum_i beta_i W_p^p(mu_i, nu) for the atoms nu; of the true groups it is not private.

        Args:
            groups: pairs (points, weights or None).
            p: order of the cost; None for that of the barycenter.

        Returns:
            The cost, unit of the coordinates to the power p.
        """
        return barycenter_cost(groups, self.atoms, self.p if p is None else p, self.weights)
