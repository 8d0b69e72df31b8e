"""Barycenter of private copies of the groups: everything after the copies is post-processing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_finite, check_number
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.groups import check_crowd
from dpot_core.mechanisms.central.private_measure import PrivateMeasure, private_measure
from dpot_core.mechanisms.central.projection import gaussian_matrix
from dpot_core.mechanisms.central.promises import Protection, budget
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.regions import as_region
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.profiles import Profile, profile_of
from dpot_core.transport.barycenters import (
    LARGEST_ORDER,
    barycenter_cost,
    free_support,
    solution_weights,
    support_points,
)
from dpot_core.transport.group_shares import average, check_shares, scaled
from dpot_core.transport.support_points import group_plans


@dataclass(frozen=True)
class CoresetBarycenter:
    """The result of `coreset_barycenter`.

    Attributes:
        atoms: m atoms of weight 1/m, (m, d).
        guarantee: what is promised; towards the population if one was given.
        sample_guarantee: what is promised to those whose points were used.
        measures: the private copies, one per group.
        projection: the random matrix, (d, d'); None without projection.
        projected_atoms: atoms in the projected space, (m, d').
        p: order of the cost.
        copies: of each group the private points that the atoms were computed from, (n, d), all of one
            weight.
        weights: the groups' shares beta of the objective, public; None for 1/k.
    """

    atoms: Array
    guarantee: Guarantee
    sample_guarantee: Guarantee
    measures: tuple[PrivateMeasure, ...] = field(repr=False)
    projection: Array | None = field(repr=False)
    projected_atoms: Array = field(repr=False)
    p: float
    copies: tuple[Array, ...] = field(repr=False)
    weights: Array | None = None

    @property
    def profile(self) -> Profile:
        """delta at every epsilon of one release."""
        trees = tuple(tuple(level.scale for level in one.levels) for one in self.measures)
        return profile_of(self.guarantee, self.sample_guarantee, None, trees)

    @property
    def distance_bound(self) -> float | None:
        r"""``B = (D^(p-1) sum_i beta_i e_i)^(1/p)``: what the copies may hide of any atoms' distance, on average.

        With ``R(nu) = (sum_i beta_i W_p^p(mu_i, nu))^(1/p)``, and R~ the same to the whole private copies, the triangle
        inequality of W_p and of the weighted p-norm gives, for all atoms nu at once, however they were found,
        ``R(nu) <= R~(nu) + (sum_i beta_i W_p^p(mu_i, mu~_i))^(1/p)``. ``W_p^p <= D^(p-1) W_1`` in a region of diameter
        D, ``E W_1(mu_i, mu~_i) <= e_i`` (`PrivateMeasure.error_bound`), and a concave root is not less outside of the
        mean: ``E[R - R~] <= B``. R~ follows from what may be published, so that this bounds R without a look at people.

        Returns:
            B, unit of the coordinates; None where no e_i is proved ("add-remove").
        """
        errors = [one.error_bound for one in self.measures]
        known = [error for error in errors if error is not None]
        if len(known) < len(errors):
            return None
        mean = float(average(known, self.weights))
        return float((self.measures[0].region.diameter ** (self.p - 1.0) * mean) ** (1.0 / self.p))

    def copy_distance(self) -> float:
        """R~ of the atoms, as in `distance_bound`: by exact transport from the whole copies; as private as these."""
        copies = [(one.points, None) for one in self.measures]
        return float(barycenter_cost(copies, self.atoms, self.p, self.weights) ** (1.0 / self.p))

    def potentials(self) -> Array:
        """Potentials psi (k, m) of the atoms' power cells (p = 2), which split each group's private copy evenly.

        They follow from private points and released atoms alone: the promise covers them, and nothing more is spent.
        """
        shares = [(copy, np.full(len(copy), 1.0 / len(copy))) for copy in self.copies]
        return np.stack([plan.potentials for plan in group_plans(shares, self.atoms, 2.0)])

    def cost(self, groups: Sequence[Any]) -> float:
        """sum_i beta_i W_p^p(mu_i, nu) for the atoms nu; of the true groups it is not private.

        Args:
            groups: pairs (points, weights or None).

        Returns:
            The cost, unit of the coordinates to the power p.
        """
        return barycenter_cost(groups, self.atoms, self.p, self.weights)


@dataclass(frozen=True)
class Search:
    """How private copies are made and a barycenter of them is found.

    Attributes:
        p: order of the cost, at most `LARGEST_ORDER`.
        projection: dimension d' of the projection; None for none.
        subsample: points that are kept of each private measure, for speed, evenly over its cells; None for all.
        depth: depth of the partitions; None for ceil(log2(epsilon n_i)) where sizes are public.
        shrink: as in `private_measure`.
        starts: starts of the barycenter search, drawn from the private copies.
        begin: public atoms (s, m, d) that no data have influenced, with which s searches start instead; None to draw.
        weights: beta, one positive number per group, public; None for 1/k. They are divided by their sum.
    """

    p: float = 2.0
    projection: int | None = None
    subsample: int | None = None
    depth: int | None = None
    shrink: float = 1.0
    starts: int = 2
    begin: ArrayLike | None = None
    weights: ArrayLike | None = None


@by_name(protection=Protection, search=Search)
def coreset_barycenter(
    groups: Sequence[Any],
    m: int,
    epsilon: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    protection: Protection = Protection(),
    search: Search = Search(),
) -> CoresetBarycenter:
    """Barycenter of the groups' private measures, epsilon-differentially private (pure).

    1. A private measure of every group (`private_measure`; disjoint groups compose in parallel).
    2. A random projection to d' dimensions, Gaussian entries of variance 1/d', drawn without looking at the data.
    3. A barycenter of the projected measures, m atoms of weight 1/m.
    4. The optimal plans there (`SolutionWeights`), and from their weights the atoms in the original space
       (`SupportPoints`): ``nu_j = argmin_y sum_x w_j(x) |x - y|^p`` over the private points.
    Steps 2 to 4 see private points only, and the groups' public weights beta: whatever these are, epsilon is the same.

    Args:
        groups: for each group its points (n_i, d), or a pair (points, whole-number counts).
        m: number of atoms, at most the number of points of any group.
        epsilon: privacy parameter in nats, towards the population if there is one.
        region: public region, as in `private_measure`.
        rng: source of randomness of a demonstration; a release takes nothing from it.
        protection: whom the promise protects; fields may be given by name (adjacency, population, outside, secure).
        search: how copies are made and searched; fields may be given by name (p, projection, subsample, depth, shrink,
            starts, begin, weights).

    Returns:
        `CoresetBarycenter`.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        dp_barycenters, Algorithms 1, 3 and 4, Theorem 4.5.
    """
    m, p = check_count(m, "m"), check_number(search.p, "p", 1.0, LARGEST_ORDER)
    place = as_region(region)
    people, sizes = check_crowd(groups, m, place, protection)
    shares = check_shares(search.weights, len(people))
    spend = budget(epsilon, 0.0, sizes, protection)
    facts = ("region where points may be", "depth of the partition", "number of atoms m")
    promise = spend.sample_guarantee(*facts)
    rng = generator(rng, promise if protection.secure else None)
    measures = tuple(
        private_measure(
            points,
            spend.epsilon,
            region=place,
            rng=rng,
            counts=times,
            depth=search.depth,
            shrink=search.shrink,
            # Towards the population the groups' budget is amplified already.
            protection=replace(protection, population=None),
        )
        for points, times in people
    )
    keep = None if search.subsample is None else check_count(search.subsample, "subsample", m)
    copies = [measure.points if keep is None else measure.thin(keep, rng) for measure in measures]
    d = place.lower.size
    matrix, flat = None, copies
    if search.projection is not None:
        target = check_count(search.projection, "projection", 1, d)
        matrix = gaussian_matrix(d, target, rng)
        flat = [copy @ matrix for copy in copies]
    begin = None if search.begin is None else check_finite(search.begin, "begin", non_negative=False)
    if begin is not None and matrix is not None:
        begin = begin @ matrix
    starts = search.starts if begin is None else begin
    found = free_support([(copy, None) for copy in flat], m, rng, p, weights=shares, starts=starts)
    plans = solution_weights([(copy, None) for copy in flat], found.atoms, p)
    atoms = support_points([(copy, None) for copy in copies], scaled(plans, shares), p)
    return CoresetBarycenter(
        place.into_hull(atoms),
        spend.guarantee(*facts),
        promise,
        measures,
        matrix,
        found.atoms,
        p,
        tuple(copies),
        shares,
    )
