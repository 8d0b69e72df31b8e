"""Private barycenters of the people: in a demonstration beside the truth, and for real."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpot_core.checks import Array
from dpot_core.datasets.population import Population
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.population.mechanism import in_order, noise_stream, public_facts, public_region, run_mechanism
from dpot_core.studies.population.people import People, Reference, between, between_km, both_costs, matched, sampled
from dpot_core.studies.population.settings import Config

_USUAL = Config()


@dataclass(frozen=True)
class Published:
    """A release: all of it may be published."""

    mechanism: str  # a key of `MECHANISMS`
    atoms: Array  # private atoms of weight 1/m, (m, 2), from west to east
    guarantee: Guarantee  # towards the population where a sample was drawn
    sample_guarantee: Guarantee  # towards those who were drawn
    facts: Mapping[str, float]  # public numbers of the mechanism, by name with unit


@dataclass(frozen=True)
class Release(Published):
    """One draw of a demonstration, and what a release would not show: how far it is from the truth."""

    matched: Array  # the atoms in the order of the non-private ones, for drawing only: the order is not private
    cost: float  # mean squared distance of the people to their atom, squared units of the coordinates
    distance: float  # W_2 to the non-private barycenter, unit of the coordinates
    cost_km: float | None  # root of the mean squared distance, km, or None
    distance_km: float | None  # W_2 in km, or None


def release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """As `draw_release`, kept: moving a setting that does not count for a mechanism computes nothing again."""
    names = ["columns", "outside", "box"]
    if mechanism == "coreset":
        names += ["delta", "chunks", "guarantee", "steps", "method"]
    that_count = replace(config, **{name: getattr(_USUAL, name) for name in names})
    return _release(people, truth, that_count, mechanism, draw)


def draw_release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """Draw one private barycenter; the number of the draw changes the noise (`noise_stream`)."""
    result = run_mechanism(people, config, mechanism, noise_stream(people, config, mechanism, draw))
    facts = public_facts(result)
    if isinstance(result, PerturbedBarycenter):
        facts["noise of an atom (units)"] = result.noise if result.chunks else _noise_of_mean(result, people, config.m)
    atoms = in_order(result.atoms)
    aligned = matched(truth.atoms, atoms)
    cost, cost_km = both_costs(people, truth, aligned)
    return Release(
        mechanism=mechanism,
        atoms=atoms,
        guarantee=result.guarantee,
        sample_guarantee=result.sample_guarantee,
        facts=facts,
        matched=aligned,
        cost=cost,
        distance=between(truth.atoms, atoms),
        cost_km=cost_km,
        distance_km=between_km(people.outline, truth.atoms, atoms),
    )


_release = cached(draw_release)


def _noise_of_mean(result: PerturbedBarycenter, people: People, m: int) -> float:
    """Standard deviation of a coordinate of an atom that is the mean over groups of noisy means of cells of n/m people.

    The count's noise, R times that of the sum, moves the mean by its own distance from the centre.
    """
    region = public_region(people.outline)
    of_means = m * math.sqrt(sum(1.0 / n**2 for n in people.sizes)) / len(people.sizes)
    counts = float(((result.atoms - region.centre) ** 2).mean()) / region.radius**2
    return result.noise * of_means * math.sqrt(1.0 + counts)


def publish(population: Population, config: Config, mechanism: str) -> Published:
    """A release, not a demonstration: the seed of the settings is not used, and nothing that is not private is kept.

    The people are drawn from the operating system's entropy, in a way that leaves no generator behind; the noise is
    OpenDP's; positions of private points come from a generator of their own that the system seeds. Every release spends
    its epsilon and delta again, and several from one population add up. The
    settings are chosen without looking at these data.

    Raises:
        ValueError: if the settings do not fit together, or adjacency is "add-remove": when somebody joins the
            population, a sample of a fixed size exchanges two people, so that the promise would be to those drawn only.
    """
    if config.adjacency != "replace":
        raise ValueError(f"adjacency must be 'replace' for a release from a sample; got {config.adjacency!r}")
    result = run_mechanism(sampled(population, config.n, None), config, mechanism, None, secure=True)
    return Published(mechanism, in_order(result.atoms), result.guarantee, result.sample_guarantee, public_facts(result))
