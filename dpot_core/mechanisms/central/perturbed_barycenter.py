"""Barycenter by Gaussian noise: noisy steps with a proven guarantee."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import EPSILON_RANGE, Array, check_count, check_number
from dpot_core.arguments.options import by_name, formerly
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.cells import MOST_PEOPLE, noisy_step, sensitivity, stand_in, stand_in_size
from dpot_core.mechanisms.central.chunks import (
    average_means,
    grid_step,
    optimal_chunks,
    sensitivity_of_means,
    split,
)
from dpot_core.mechanisms.central.coreset_barycenter import Search, coreset_barycenter
from dpot_core.mechanisms.central.groups import check_crowd
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.paper_barycenter import paper_barycenter
from dpot_core.mechanisms.central.projection import drawn_matrix, projection_of
from dpot_core.mechanisms.central.promises import Budget, Protection, budget
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.pulls import noisy_descent
from dpot_core.mechanisms.central.region_draws import public_atoms, uniform_points
from dpot_core.mechanisms.central.regions import Region, as_region
from dpot_core.privacy.accounting import check_delta, check_steps, gaussian_noise, gaussian_noise_beside_tree
from dpot_core.transport.barycenters import LARGEST_ORDER
from dpot_core.transport.group_shares import check_shares

#: Part of epsilon that the private start spends, where there is one.
START_SHARE = 0.4

#: Points of each private measure, for every atom, from which the start is computed: it is only a start.
START_POINTS = 60

METHODS = ("cells", "chunks")


@dataclass(frozen=True)
class Iteration:
    """The noisy steps, and where they start.

    Attributes:
        method: of a step: "cells" or "chunks".
        steps: number T of steps.
        chunks: number k' of chunks of each group, public; None for chunks of 4 m points. Not for method="cells".
        start: public atoms (m, d) that no data have influenced; "coreset" for a private coreset's barycenter, or
            "uniform" for atoms drawn in the region.
        depth: depth of the coreset's partition; None for its own rule.
        begin: public atoms (s, m, d) that no data have influenced, with which the searches for the coreset's barycenter
            start; None to draw one start from the private copies.
        weights: beta, one positive number per group, public; None for 1/k. They are divided by their sum.
        projection: dimension d' of the random projection in which the start, plans and cells are found; None, or d, for
            none.
        p: order of the cost, at most `LARGEST_ORDER`; 2 for method="chunks".
        start_points: public number of private points of each group that the coreset's start sees; None for 60 m.
        stand_in_points: public number of points of each group's stand-in, whose cells are then found by the smoothed
            dual only, which is quicker; None for 210 m, at most 10,000, and exact transport.
    """

    method: str = "cells"
    steps: int = 4
    chunks: int | None = None
    start: ArrayLike | str = "coreset"
    depth: int | None = None
    start_points: int | None = None
    stand_in_points: int | None = None
    begin: ArrayLike | None = None
    weights: ArrayLike | None = None
    projection: int | None = None
    p: float = 2.0


@dataclass(frozen=True)
class _Start:
    """Where the steps start: atoms, and of each group points of which the atoms' cells are found.

    Attributes:
        atoms: (m, d).
        copies: points of each group's stand-in.
        trees: scales of the noise of each group's tree, level by level; empty where nothing private was looked at.
        matrix: of the projection, (d, d'); None without one.
    """

    atoms: Array
    copies: list[Array]
    trees: list[tuple[float, ...]]
    matrix: Array | None


@formerly("guarantee", paper=paper_barycenter)
@by_name(protection=Protection, iteration=Iteration)
def perturbed_barycenter(
    groups: Sequence[Any],
    m: int,
    epsilon: float,
    delta: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    protection: Protection = Protection(),
    iteration: Iteration = Iteration(),
) -> PerturbedBarycenter:
    r"""Barycenter of the groups with Gaussian noise, (epsilon, delta)-private.

    T noisy steps from a start that is public, or private already. Neighbours differ in one point of one group.
    method="cells" releases counts and sums of positions in the atoms' power cells, of sensitivity 2 R under "replace",
    sqrt(2) R under "add-remove". method="chunks" releases ``sum_c w_c b^c(y)``, means under the optimal plans from
    chunks of the data, of sensitivity ``sqrt(m) D max_c w_c``. All steps and the start compose by privacy losses.

    Proof: ``docs/proofs/perturbed_barycenter.md``, also for projections, for p other than 2 and for the weights beta.

    Args:
        groups: for each group its points (n_i, d), or a pair (points, whole-number counts).
        m: number of atoms, at most the number of points of any group.
        epsilon: privacy parameter in nats, towards the population if there is one.
        delta: slack, in (0, 1), likewise.
        region: public region, as in `private_measure`.
        rng: source of randomness of a demonstration; a release takes nothing from it.
        protection: whom the promise protects; fields may be given by name (adjacency, population, outside, secure).
        iteration: the steps and where they start; fields may be given by name (method, steps, chunks, start, depth,
            start_points, stand_in_points, begin, weights, projection, p).

    Returns:
        `PerturbedBarycenter`.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        dp_barycenters, Algorithms 2 to 4; the proof is ours. Their Algorithm 5 is `paper_barycenter`.
    """
    m, delta, steps = check_count(m, "m"), check_delta(delta), check_steps(iteration.steps)
    if iteration.method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; got {iteration.method!r}")
    cells, chunks = iteration.method == "cells", iteration.chunks
    p = check_number(iteration.p, "p", 1.0, LARGEST_ORDER)
    if p != 2.0 and not cells:
        raise ValueError(f"p must be 2 for method 'chunks', which averages means; got {p:g}")
    if cells and chunks is not None:
        raise ValueError(f"chunks must be None for method 'cells', which has none; got {chunks}")
    hidden, adjacency, place = protection.hidden, protection.adjacency, as_region(region)
    if hidden and not cells and chunks is None:
        raise ValueError("chunks must be given under 'add-remove': sizes are not public; got None")
    people, sizes = check_crowd(groups, m, place, protection)
    shares = check_shares(iteration.weights, len(people))
    spend = budget(epsilon, delta, sizes, protection)
    secure = spend.sample_guarantee().released() if protection.secure else None
    chance = generator(rng, secure)
    parts: list[tuple[Array, float]] = []
    if cells:
        if max(sizes) > MOST_PEOPLE:
            raise ValueError(
                f"groups must hold at most {MOST_PEOPLE:,} points for method 'cells', whose sums are exact"
            )
        size = sensitivity(place, adjacency)
    else:
        if chunks is None:
            chunks = optimal_chunks(min(sizes), len(people), m, place.lower.size, spend.epsilon, rule="size")
        # Who is in which chunk must stay unknown in a release: drawn by a generator that gives nothing else.
        parts = split(people, check_count(chunks, "chunks"), adjacency, generator(rng, secure), shares)
        size = sensitivity_of_means(parts, m, place.diameter, place.radius, place.lower.size)
    start = _start(people, m, spend, place, chance, protection, iteration)
    if start.trees:
        sigma = gaussian_noise_beside_tree(spend.epsilon, spend.delta, size, steps, start.trees, adjacency)
    else:
        sigma = gaussian_noise(spend.epsilon, spend.delta, size, steps)
    # With a public start the Gaussian noise is all there is.
    mu = None if start.trees else size * math.sqrt(steps) / sigma
    own = [None] * len(people) if shares is None else shares.tolist()
    exact = iteration.stand_in_points is None
    projection = projection_of(start.matrix, place)
    stand_ins = [
        replace(stand_in(copy, exact, share), projection=projection, p=p)
        for copy, share in zip(start.copies, own, strict=True)
    ]
    step = noisy_step if p == 2.0 else noisy_descent
    known_sizes = None if hidden else sizes
    trace = [start.atoms]
    for _ in range(steps):
        if cells:
            atoms, stand_ins = step(
                people, stand_ins, trace[-1], sigma, place, chance, secure=secure, sizes=known_sizes
            )
        else:
            means = average_means(parts, trace[-1], place.centre, grid_step(place.radius), projection)
            # The centre is added to what is private already: before, it would round to its own size.
            atoms = place.centre + gaussian(means, sigma, chance, secure=secure)
        trace.append(place.into_hull(atoms))
    facts = ["region where points may be", "number of atoms m"]
    facts += [] if cells else ["number of chunks"]
    facts += ["depth of the partition"] if start.trees else []
    facts += [] if projection is None else ["dimension of the projection"]
    return PerturbedBarycenter(
        trace[-1],
        spend.guarantee(*facts, gaussian=mu),
        spend.sample_guarantee(*facts, gaussian=mu),
        np.stack(trace),
        None,
        sigma,
        size,
        chunks,
        steps,
        tuple(stand_ins),
        shares,
        start.matrix,
        p,
        tuple(start.trees),
    )


def _start(
    people: Sequence[tuple[Array, Any]],
    m: int,
    spend: Budget,
    place: Region,
    chance: np.random.Generator,
    protection: Protection,
    iteration: Iteration,
) -> _Start:
    """Atoms and stand-ins to start with: of private coresets, which spend their share, or public."""
    keep = stand_in_size(m)
    if iteration.stand_in_points is not None:
        keep = check_count(iteration.stand_in_points, "stand_in_points", m)
    if not (isinstance(iteration.start, str) and iteration.start == "coreset"):
        atoms = public_atoms(iteration.start, m, place, chance, "'coreset', ")
        copies = [uniform_points(place, keep, chance)] * len(people)
        return _Start(atoms, copies, [], drawn_matrix(place, iteration.projection, chance))
    share = spend.epsilon * START_SHARE
    if share < EPSILON_RANGE[0]:
        least = EPSILON_RANGE[0] / START_SHARE
        raise ValueError(
            f"epsilon must be at least {least:g} where a private start spends a part; got {spend.outer[0]:g}"
        )
    seen = START_POINTS * m if iteration.start_points is None else iteration.start_points
    coreset = coreset_barycenter(
        people,
        m,
        share,
        region=place,
        rng=chance,
        # Its share is of what may be spent on the points at hand, which is amplified already.
        protection=replace(protection, population=None),
        search=Search(
            p=iteration.p,
            projection=None if iteration.projection == place.lower.size else iteration.projection,
            subsample=seen,
            depth=iteration.depth,
            starts=1,
            begin=iteration.begin,
            weights=iteration.weights,
        ),
    )
    copies = [measure.thin(keep, chance) for measure in coreset.measures]
    trees = [tuple(level.scale for level in one.levels) for one in coreset.measures]
    return _Start(coreset.atoms, copies, trees, coreset.projection)
