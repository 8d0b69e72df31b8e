"""Releases for real: secret people, noise from the operating system, and nothing but what epsilon and delta pay for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpot_core.checks import Array
from dpot_core.datasets.population import Population
from dpot_core.experiments.population.mechanism import in_order, public_facts, run_mechanism
from dpot_core.experiments.population.people import sampled
from dpot_core.experiments.population.settings import Config
from dpot_core.guarantees import Guarantee


@dataclass(frozen=True)
class Published:
    """A release: all of it may be published.

    Attributes:
        mechanism: a key of `MECHANISMS`.
        atoms: private atoms of weight 1/m, (m, 2), from west to east.
        guarantee: what is promised, towards the population where a sample was drawn.
        sample_guarantee: what is promised to those who were drawn.
        facts: public numbers of the mechanism, by name with unit.
    """

    mechanism: str
    atoms: Array
    guarantee: Guarantee
    sample_guarantee: Guarantee
    facts: Mapping[str, float]


def publish(population: Population, config: Config, mechanism: str) -> Published:
    """A release, not a demonstration: the seed of the settings is not used, and nothing that is not private is kept.

    The people are drawn from the operating system's entropy, in a way that leaves no generator behind; the noise is
    OpenDP's; positions of private points come from a generator of their own that the system seeds. Every release spends
    its epsilon and delta again, and several from one population add up.

    Args:
        population: everybody.
        config: the settings, chosen without looking at these data.
        mechanism: a key of `MECHANISMS`; privacy as in `coreset_barycenter` or `perturbed_barycenter`.

    Returns:
        What may be published.

    Raises:
        ValueError: if the settings do not fit together, or adjacency is "add-remove": when somebody joins the
            population, a sample of a fixed size exchanges two people, so that the promise would be to those drawn only.
    """
    if config.adjacency != "replace":
        raise ValueError(f"adjacency must be 'replace' for a release from a sample; got {config.adjacency!r}")
    found = run_mechanism(sampled(population, config.n, None), config, mechanism, None, secure=True)
    return Published(mechanism, in_order(found.atoms), found.guarantee, found.sample_guarantee, public_facts(found))
