"""Barycenter by Gaussian noise: noisy steps with a proven guarantee, or the paper's output perturbation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.accounting import check_delta, check_steps, gaussian_noise, gaussian_noise_beside_tree
from dpot_core.checks import EPSILON_RANGE, Array, check_count, check_finite
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.cells import MOST_PEOPLE, noisy_step, sensitivity, stand_in, stand_in_size
from dpot_core.mechanisms.central.chance import generator
from dpot_core.mechanisms.central.chunks import (
    average_means,
    chunk_barycenter,
    grid_step,
    optimal_chunks,
    sensitivity_of_means,
    split,
)
from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.mechanisms.central.groups import check_people, check_sizes
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.promises import Budget, budget
from dpot_core.mechanisms.central.regions import Region, as_region, uniform_points
from dpot_core.transport.barycenters import barycenter_cost

#: Part of epsilon that the private start spends, where there is one.
START_SHARE = 0.4

#: Points of each private measure, for every atom, from which the start is computed: it is only a start.
START_POINTS = 60


@dataclass(frozen=True)
class PerturbedBarycenter:
    """The result of `perturbed_barycenter`.

    Attributes:
        atoms: m atoms of weight 1/m, (m, d).
        guarantee: what is promised; towards the population if one was given. With guarantee="paper" it is not proven
            and says so.
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


def perturbed_barycenter(
    groups: Sequence[Any],
    m: int,
    epsilon: float,
    delta: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    guarantee: str = "proven",
    method: str = "cells",
    chunks: int | None = None,
    noise: str = "classical",
    steps: int = 4,
    start: ArrayLike | str = "coreset",
    adjacency: str = "replace",
    depth: int | None = None,
    outside: str = "clip",
    population: int | Sequence[int] | None = None,
    secure: bool = False,
    stand_in_points: int | None = None,
    start_points: int | None = None,
) -> PerturbedBarycenter:
    r"""Barycenter (p = 2) of the groups with Gaussian noise, (epsilon, delta)-private.

    guarantee="proven": T noisy steps from a start that is public, or private already. A step sees fixed atoms y that
    have been published; its result is moved into the region's convex hull. Neighbours differ in one point of one group.

    method="cells": the atoms' power cells for one group are found on a stand-in (the group's private coreset), so they
    are published as well. Released are the cells' counts and sums of positions (`cells.cell_sums`), over all groups
    together of sensitivity 2 R under "replace", sqrt(2) R under "add-remove", R the radius of a public ball around the
    region. A new atom is the mean over the groups of its cells' noisy means.

    method="chunks": ``y <- sum_c w_c b^c(y) + noise`` over the k k' chunks of all groups, where ``b^c_j(y)`` is the
    mean of what atom j receives under the optimal plan from chunk c to y (`chunks.plan_means`). A replaced point
    changes the contents of one chunk (`chunks.split`). Whatever plan is found, b_j before and after lies in the convex
    hull, of diameter D: the m atoms move by at most ``sqrt(m) D max_c w_c`` together; no property of an optimum is
    used. Under "add-remove" a point more or less changes one chunk too; an empty chunk says the region's centre.

    Either way T steps, each seeing what the ones before have published, compose like one Gaussian release of sqrt(T)
    times the sensitivity (`accounting.gaussian_noise`). A start from the coreset spends the share `START_SHARE` of
    epsilon where it stands alone. Epsilons are not added up: the privacy loss of the tree's levels, discrete Laplace
    noise on differences that neighbours change by 2 in the 1-norm, is composed with the Gaussian's, rounded up
    (`accounting.gaussian_noise_beside_tree`), over the worst level at which two points may part and the worst group.

    guarantee="paper": the barycenter of the chunks, found without noise, plus one Gaussian noise,
    ``sigma = D sqrt(2 m log(1.25/delta))/(epsilon k k')`` (noise="classical") or the analytic Gaussian's for the same
    assumed sensitivity ``sqrt(m) D/(k k')``. The result of an arg-min can move by much more (on a circle the whole
    barycenter can turn), so the promise is not proven, and says so.

    Args:
        groups: for each group its points (n_i, d), or a pair (points, whole-number counts).
        m: number of atoms, at most the number of points of any group.
        epsilon: privacy parameter in nats, towards the population if there is one.
        delta: slack, in (0, 1), likewise.
        region: public region, as in `private_measure`.
        rng: source of randomness of a demonstration; a release takes nothing from it.
        guarantee: "proven" or "paper".
        method: steps of guarantee="proven": "cells" or "chunks".
        chunks: number k' of chunks of each group, public; None for chunks of 4 m points. Not for method="cells".
        noise: calibration of guarantee="paper": "classical" as published, or "analytic".
        steps: number T of noisy steps of guarantee="proven".
        start: public atoms (m, d) that no data have influenced; "coreset" for a private coreset's barycenter, or
            "uniform" for atoms drawn in the region.
        adjacency: "replace" or "add-remove" (then numbers that follow from sizes must be given: chunks, depth).
        depth: depth of the coreset's partition; None for its own rule.
        outside: "clip" or "refuse", as in `private_measure`.
        population: people of whom each group is a uniform sample without replacement, one number or one per group.
        secure: draw the noise for a release, with OpenDP; the chunks come from a generator that the system seeds.
        stand_in_points: public number of points of each group's stand-in, whose cells are then found by the smoothed
            dual only, which is quicker; None for 210 m, at most 10,000, and exact transport.
        start_points: public number of private points of each group that the coreset's start sees; None for 60 m.

    Returns:
        `PerturbedBarycenter`.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        dp_barycenters, Algorithms 2 and 5 (guarantee="paper"); the proof above is ours.
    """
    m, delta, steps = check_count(m, "m"), check_delta(delta), check_steps(steps)
    for name, value, known in (
        ("guarantee", guarantee, ("proven", "paper")),
        ("method", method, ("cells", "chunks")),
        ("noise", noise, ("classical", "analytic")),
    ):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}; got {value!r}")
    cells = guarantee == "proven" and method == "cells"
    if cells and chunks is not None:
        raise ValueError(f"chunks must be None for method 'cells', which has none; got {chunks}")
    place, hidden, chance = as_region(region), adjacency == "add-remove", generator(rng, secure)
    if hidden and guarantee == "paper":
        raise ValueError("adjacency must be 'replace' for guarantee 'paper'; got 'add-remove'")
    if hidden and not cells and chunks is None:
        raise ValueError("chunks must be given under 'add-remove': sizes are not public; got None")
    people, _ = check_people(groups, place, outside, empty=hidden)
    sizes = [int(times.sum()) for _, times in people] if hidden else check_sizes(people, m)
    spend = budget(epsilon, delta, adjacency, sizes, population)
    facts = ["region where points may be", "number of atoms m"]
    parts: list[tuple[Array, float]] = []
    if not cells:
        facts.append("number of chunks")
        if chunks is None:
            chunks = optimal_chunks(min(sizes), len(people), m, place.lower.size, spend.epsilon, rule="size")
        # Who is in which chunk must stay unknown in a release: drawn by a generator that gives nothing else.
        parts = split(people, check_count(chunks, "chunks"), adjacency, generator(rng, secure))
    if guarantee == "paper":
        return _paper(people, parts, m, spend, place, chance, noise, secure, facts)
    if cells and max(int(times.sum()) for _, times in people) > MOST_PEOPLE:
        raise ValueError(f"groups must hold at most {MOST_PEOPLE:,} points for method 'cells', whose sums are exact")
    copies, keep = [], stand_in_size(m)
    trees: list[tuple[float, ...]] = []
    if stand_in_points is not None:
        keep = check_count(stand_in_points, "stand_in_points", m)
    if isinstance(start, str) and start == "coreset":
        facts.append("depth of the partition")
        share = spend.epsilon * START_SHARE
        if share < EPSILON_RANGE[0]:
            least = EPSILON_RANGE[0] / START_SHARE
            raise ValueError(f"epsilon must be at least {least:g} where a private start spends a part; got {epsilon:g}")
        coreset = coreset_barycenter(
            people,
            m,
            share,
            region=place,
            rng=chance,
            adjacency=adjacency,
            depth=depth,
            outside=outside,
            subsample=START_POINTS * m if start_points is None else start_points,
            starts=1,
            secure=secure,
        )
        atoms, copies = coreset.atoms, [measure.thin(keep, chance) for measure in coreset.measures]
        trees = [tuple(level.scale for level in measure.levels) for measure in coreset.measures]
    else:
        atoms = _public_start(start, m, place, chance)
        copies = [uniform_points(place, keep, chance)] * len(people)
    size = sensitivity(place, adjacency)
    if not cells:
        size = sensitivity_of_means(parts, m, place.diameter, place.radius, place.lower.size)
    if trees:
        sigma = gaussian_noise_beside_tree(spend.epsilon, spend.delta, size, steps, trees, adjacency)
    else:
        sigma = gaussian_noise(spend.epsilon, spend.delta, size, steps)
    # With a public start the Gaussian noise is all there is.
    mu = None if trees else size * math.sqrt(steps) / sigma
    stand_ins, trace = [stand_in(copy, exact=stand_in_points is None) for copy in copies], [atoms]
    for _ in range(steps):
        if cells:
            known_sizes = None if hidden else sizes
            atoms, stand_ins = noisy_step(
                people, stand_ins, atoms, sigma, place, chance, secure=secure, sizes=known_sizes
            )
        else:
            means = average_means(parts, atoms, place.centre, grid_step(place.radius))
            # The centre is added to what is private already: before, it would round to its own size.
            atoms = place.centre + gaussian(means, sigma, chance, secure=secure)
        atoms = place.into_hull(atoms)
        trace.append(atoms)
    return PerturbedBarycenter(
        atoms,
        spend.guarantee(*facts, gaussian=mu),
        spend.sample_guarantee(*facts, gaussian=mu),
        np.stack(trace),
        None,
        sigma,
        size,
        chunks,
        steps,
    )


def _paper(
    people: Sequence[tuple[Array, Any]],
    parts: Sequence[tuple[Array, float]],
    m: int,
    spend: Budget,
    place: Region,
    rng: np.random.Generator,
    noise: str,
    secure: bool,
    facts: Sequence[str],
) -> PerturbedBarycenter:
    """Algorithm 5: barycenter of all chunks, one noise; what it assumes is in the note of the promise."""
    size = place.diameter * math.sqrt(m) / len(parts)
    classical, needed = assumed_noise(spend.epsilon, spend.delta, size)
    sigma = classical if noise == "classical" else needed
    atoms = chunk_barycenter(people, parts, m, rng)
    published = place.into_hull(gaussian(atoms, sigma, rng, secure=secure))
    note = "the sensitivity sqrt(m) D/(k k') is assumed, and one replaced point can move a barycenter by more"
    if noise == "classical":
        verdict = "is proven for epsilon < 1 only; here " if spend.epsilon >= 1.0 else "is valid; "
        note += (
            f"; the classical constant sqrt(2 log(1.25/delta))/epsilon {verdict}it gives {classical / needed:.3g} "
            f"times the noise that the assumed sensitivity needs (epsilon {spend.epsilon:.4g}, delta {spend.delta:.3g})"
        )
    outer = replace(spend.guarantee(*facts, note=note), proven=False)
    inner = replace(spend.sample_guarantee(*facts, note=note), proven=False)
    before = None if secure else atoms
    return PerturbedBarycenter(
        published, outer, inner, published[None], before, sigma, size, len(parts) // len(people), 1
    )


def assumed_noise(epsilon: float, delta: float, size: float) -> tuple[float, float]:
    """Noise of guarantee="paper": by the classical constant, and what the assumed sensitivity really needs.

    Args:
        epsilon: what may be spent on the points at hand, nats.
        delta: likewise, the slack.
        size: assumed sensitivity of the atoms, in the 2-norm.

    Returns:
        Standard deviations, unit of ``size``.
    """
    return size * math.sqrt(2 * math.log(1.25 / delta)) / epsilon, gaussian_noise(epsilon, delta, size)


def _public_start(start: ArrayLike | str, m: int, place: Region, rng: np.random.Generator) -> Array:
    """Atoms that no data have influenced, inside the convex hull."""
    d = place.lower.size
    if isinstance(start, str):
        if start != "uniform":
            raise ValueError(f"start must be 'coreset', 'uniform' or public atoms (m, d); got {start!r}")
        return uniform_points(place, m, rng)
    atoms = check_finite(start, "start", non_negative=False)
    if atoms.shape != (m, d):
        raise ValueError(f"start must have shape ({m}, {d}); got {atoms.shape}")
    return place.into_hull(atoms)
