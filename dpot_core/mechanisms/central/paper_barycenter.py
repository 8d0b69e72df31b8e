"""Barycenter by output perturbation, as published: what is claimed for it is not proven."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import check_count
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.chunks import chunk_barycenter, optimal_chunks, split
from dpot_core.mechanisms.central.groups import check_crowd
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.projection import drawn_matrix, projection_of
from dpot_core.mechanisms.central.promises import Protection, budget
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.regions import as_region
from dpot_core.privacy.accounting import check_delta, gaussian_noise
from dpot_core.privacy.numerals import at_most, number
from dpot_core.transport.group_shares import check_shares

NOISES = ("classical", "analytic")


@dataclass(frozen=True)
class Perturbation:
    """Settings of the paper's perturbation: chunks, noise, weights, projection.

    Attributes:
        chunks: number k' of chunks of each group, public; None for chunks of 4 m points.
        noise: calibration: "classical" as published, or "analytic".
        weights: beta, one positive number per group, public; None for 1/k. They are divided by their sum.
        projection: dimension d' of the random projection in which the barycenter is found; None, or d, for none.
    """

    chunks: int | None = None
    noise: str = "classical"
    weights: ArrayLike | None = None
    projection: int | None = None


@by_name(protection=Protection, perturbation=Perturbation)
def paper_barycenter(
    groups: Sequence[Any],
    m: int,
    epsilon: float,
    delta: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    protection: Protection = Protection(),
    perturbation: Perturbation = Perturbation(),
) -> PerturbedBarycenter:
    r"""Barycenter (p = 2) of the groups' chunks, found without noise, plus one Gaussian noise.

    ``sigma = D sqrt(2 m log(1.25/delta))/(epsilon k k')`` (noise="classical") or the analytic Gaussian's for the same
    assumed sensitivity ``sqrt(m) D/(k k')``; with weights, which the paper leaves out here (its Assumption 2),
    ``sqrt(m) D max_i beta_i/k'``, what one chunk's part of the average may move. The result of an arg-min can move by
    much more (on a circle the whole barycenter can turn), so the promise is not proven, and says so. With a projection
    neither: a hexagon's two ways of pairing its corners cost the same under every linear map. Proven is
    `perturbed_barycenter`.

    Args:
        groups: for each group its points (n_i, d), or a pair (points, whole-number counts).
        m: number of atoms, at most the number of points of any group.
        epsilon: privacy parameter in nats, towards the population if there is one.
        delta: slack, in (0, 1), likewise.
        region: public region, as in `private_measure`.
        rng: source of randomness.
        protection: whom the claim is about; fields may be given by name (population, outside); "replace" only, and no
            release (secure), as nothing is proven.
        perturbation: chunks and noise; fields may be given by name (chunks, noise, weights, projection).

    Returns:
        `PerturbedBarycenter`.

    Raises:
        ValueError: if an argument is out of range, or a release is asked for (`Guarantee.released`).

    Source:
        dp_barycenters, Algorithm 5.
    """
    m, delta = check_count(m, "m"), check_delta(delta)
    if perturbation.noise not in NOISES:
        raise ValueError(f"noise must be one of {', '.join(NOISES)}; got {perturbation.noise!r}")
    place = as_region(region)
    if protection.hidden:
        raise ValueError("adjacency must be 'replace' for guarantee 'paper'; got 'add-remove'")
    people, sizes = check_crowd(groups, m, place, protection)
    shares = check_shares(perturbation.weights, len(people))
    spend = budget(epsilon, delta, sizes, protection)
    facts = ("region where points may be", "number of atoms m", "number of chunks")
    claim = replace(spend.sample_guarantee(*facts), proven=False)
    chance = generator(rng, claim if protection.secure else None)  # which refuses a release of it
    chunks = perturbation.chunks
    if chunks is None:
        chunks = optimal_chunks(min(sizes), len(people), m, place.lower.size, spend.epsilon, rule="size")
    parts = split(people, check_count(chunks, "chunks"), protection.adjacency, chance, shares)
    size = place.diameter * math.sqrt(m) / len(parts)
    if shares is not None:
        size *= float(shares.max()) * len(people)
    classical, needed = assumed_noise(spend.epsilon, spend.delta, size)
    sigma = classical if perturbation.noise == "classical" else needed
    matrix = drawn_matrix(place, perturbation.projection, chance)
    atoms = chunk_barycenter(people, parts, m, chance, shares=shares, projection=projection_of(matrix, place))
    published = place.into_hull(gaussian(atoms, sigma, chance))
    claimed = "D/(k·k′)" if shares is None else "D·max β/k′"
    note = f"the sensitivity √m·{claimed} is assumed, and one replaced point can move a barycenter by more"
    if perturbation.noise == "classical":
        verdict = "is proven for ε < 1 only; here " if spend.epsilon >= 1.0 else "is valid; "
        note += (
            f"; the classical constant √(2 ln(1.25/δ))/ε {verdict}it gives "
            f"{number(classical / needed)} times the noise that the assumed sensitivity needs (ε = "
            f"{at_most(spend.epsilon)}, δ = {at_most(spend.delta, 0.0)})"
        )
    return PerturbedBarycenter(
        published,
        replace(spend.guarantee(*facts, note=note), proven=False),
        replace(claim, note=note),
        published[None],
        atoms,
        sigma,
        size,
        len(parts) // len(people),
        1,
        weights=shares,
        projection=matrix,
    )


def assumed_noise(epsilon: float, delta: float, size: float) -> tuple[float, float]:
    """Noise of `paper_barycenter`: by the classical constant, and what the assumed sensitivity really needs.

    Args:
        epsilon: what may be spent on the points at hand, nats.
        delta: likewise, the slack.
        size: assumed sensitivity of the atoms, in the 2-norm.

    Returns:
        Standard deviations, unit of ``size``.
    """
    return size * math.sqrt(2 * math.log(1.25 / delta)) / epsilon, gaussian_noise(epsilon, delta, size)
