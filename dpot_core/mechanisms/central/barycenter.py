"""The barycenter without privacy: what private ones are measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array
from dpot_core.arguments.options import by_name
from dpot_core.transport.barycenters import EXACT, Plans, barycenter_cost, free_support
from dpot_core.transport.group_shares import check_shares
from dpot_core.transport.semidiscrete import transport


@dataclass(frozen=True)
class ReferenceBarycenter:
    """The result of `barycenter`: not private.

    Attributes:
        atoms: m atoms of weight 1/m, (m, d), in the units of the points.
        guarantee: None, because nothing is promised: the atoms are means of people's points.
        iterations: rounds of moving the atoms.
        converged: whether the last round no longer lowered the cost noticeably.
        p: order of the cost.
        weights: the groups' shares beta of the objective; None for 1/k.
    """

    atoms: Array
    guarantee: None
    iterations: int
    converged: bool
    p: float
    _cost: float = field(repr=False)
    weights: Array | None = None

    def cost(self, groups: Sequence[Any] | None = None) -> float:
        """sum_i beta_i W_p^p(mu_i, nu) for the atoms nu, by exact transport; the mean over groups without weights.

        Args:
            groups: pairs (points, weights or None); None for the groups that the barycenter is of.

        Returns:
            The cost, unit of the coordinates to the power p.
        """
        return self._cost if groups is None else barycenter_cost(groups, self.atoms, self.p, self.weights)

    def distance(self, atoms: ArrayLike) -> float:
        """W_p between these atoms and others, both of equal weights; see `atoms_distance`.

        Args:
            atoms: other atoms, (m', d).

        Returns:
            The distance, unit of the coordinates.
        """
        return atoms_distance(self.atoms, atoms, self.p)


@by_name(plans=Plans)
def barycenter(
    groups: Sequence[Any],
    m: int,
    *,
    rng: np.random.Generator,
    p: float = 2.0,
    weights: ArrayLike | None = None,
    plans: Plans = EXACT,
    starts: int = 3,
    max_iter: int = 30,
) -> ReferenceBarycenter:
    """Wasserstein barycenter of the groups with m equally weighted atoms, not private.

    argmin over y of sum_i beta_i W_p^p(mu_i, (1/m) sum_j delta_(y_j)), beta_i = 1/k by default: not convex, so a local
    minimum is returned, the best of several starts.

    Args:
        groups: for each group its points (N, d), or a pair (points, weights); weights are divided by their sum.
        m: number of atoms.
        rng: draws the starts.
        p: order of the cost |x - y|^p, at least 1.
        weights: beta, one positive number per group; None for 1/k. They are divided by their sum.
        plans: how plans are found; fields may be given by name: method, "semidiscrete" (cells of equal mass, exact at
            the end) or "entropic" (Sinkhorn plans as in the paper, p = 2 only), and reg, entropic weight for
            "entropic", relative to squared distances once the diameter is 1.
        starts: starts tried on a sample of the points; the best is refined on all.
        max_iter: largest number of rounds on all points.

    Returns:
        Atoms with their exact cost; `guarantee` is None.

    Raises:
        ValueError: for groups or parameters that do not fit.
        RuntimeError: if a solver fails, such as Sinkhorn's scalings by underflow at a small reg.

    Source: dp_barycenters, equation 1 and section 6; the semi-discrete method is ours.
    """
    found = free_support(groups, m, rng, p, weights=weights, plans=plans, starts=starts, max_iter=max_iter)
    shares = check_shares(weights, len(groups))
    return ReferenceBarycenter(found.atoms, None, found.iterations, found.converged, float(p), found.cost, shares)


def atoms_distance(first: ArrayLike, second: ArrayLike, p: float = 2.0) -> float:
    """W_p between two sets of equally weighted atoms.

    Args:
        first: atoms (m, d).
        second: atoms (m', d).
        p: order, at least 1.

    Returns:
        The distance, unit of the coordinates.

    Raises:
        ValueError: if the sets do not fit.

    Source: dp_barycenters, Definition 2.
    """
    return float(max(transport(first, None, second, p).cost, 0.0) ** (1.0 / p))
