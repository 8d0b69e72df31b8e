"""What the barycenters by Gaussian noise return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dpot_core.checks import Array
from dpot_core.guarantees import Guarantee
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

    def cost(self, groups: Sequence[Any], p: float = 2.0) -> float:
        """Mean over groups of W_p^p to the atoms; of the true groups it is not private.

        Args:
            groups: pairs (points, weights or None).
            p: order of the cost.

        Returns:
            The cost, unit of the coordinates to the power p.
        """
        return barycenter_cost(groups, self.atoms, p)
