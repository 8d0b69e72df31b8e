"""Private barycenters of the people: what would be published, how much it costs, how far it is from the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets.outlines import Outline
from dpot_core.datasets.population import Population
from dpot_core.experiments.population.people import (
    Ground,
    People,
    Reference,
    between,
    between_km,
    both_costs,
    make_ground,
    matched,
    sampled,
)
from dpot_core.experiments.population.settings import MECHANISMS, Config
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, coreset_barycenter
from dpot_core.mechanisms.central.partition import private_depth
from dpot_core.mechanisms.central.perturbed_barycenter import PerturbedBarycenter, perturbed_barycenter
from dpot_core.mechanisms.central.regions import Region, as_region

#: Points of each private measure, for every atom, that the coreset's barycenter is computed from, and its starts.
KEPT = 60
STARTS = 1

#: Points per atom of the perturbation's stand-ins and of the copies that its start sees: enough for a page that answers
#: at once.
STAND_IN, START = 100, 40


@dataclass(frozen=True)
class Release:
    """One draw of one mechanism. Its distances to the truth are not private: a demonstration shows them.

    Attributes:
        mechanism: a key of `MECHANISMS`.
        atoms: what would be published, (m, 2).
        matched: the same in the order of the non-private atoms that the optimal plan matches them to, (m, 2).
        cost: mean squared distance of the people to their atom, squared units of the coordinates.
        distance: W_2 to the non-private barycenter, unit of the coordinates.
        cost_km: root of the mean squared distance, km, or None.
        distance_km: W_2 in km, or None.
        guarantee: what is promised, towards the population where a sample was drawn.
        sample_guarantee: what is promised to those who were drawn.
        facts: further numbers of the mechanism, by name with unit.
    """

    mechanism: str
    atoms: Array
    matched: Array
    cost: float
    distance: float
    cost_km: float | None
    distance_km: float | None
    guarantee: Guarantee
    sample_guarantee: Guarantee
    facts: dict[str, float]


@dataclass(frozen=True)
class MapResult:
    """What the map shows: the non-private barycenter and one or several draws of each private one.

    Attributes:
        config: the settings.
        ground: region and people, for the picture.
        sizes: people drawn from each group.
        reference: without privacy.
        draws: for each mechanism its draws, the first one with the seed of the settings.
    """

    config: Config
    ground: Ground
    sizes: tuple[int, ...]
    reference: Reference
    draws: Mapping[str, tuple[Release, ...]]

    @property
    def promises(self) -> tuple[tuple[str, Guarantee], ...]:
        """The promise of each release in the tables: name, promise of that one alone."""
        return tuple((MECHANISMS[name], draw.guarantee) for name, draws in self.draws.items() for draw in draws)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        atoms, costs = [], []
        shown = [("non-private", 0, self.reference.atoms)]
        for name, draws in self.draws.items():
            shown += [(name, number, draw.matched) for number, draw in enumerate(draws)]
        for name, number, points in shown:
            place = {"barycenter": name, "draw": number, "atom": range(len(points))}
            atoms.append(pd.DataFrame({**place, "lon or x": points[:, 0], "lat or y": points[:, 1]}))
        truth = self.reference
        zero = None if truth.km is None else 0.0
        costs.append({"barycenter": "non-private", "draw": 0, **_numbers(truth.cost, 0.0, truth.km, zero)})
        for name, draws in self.draws.items():
            for number, draw in enumerate(draws):
                values = _numbers(draw.cost, draw.distance, draw.cost_km, draw.distance_km)
                costs.append({"barycenter": name, "draw": number, **values})
        mark = {"simulated": self.ground.simulated}
        return {"atoms": pd.concat(atoms).assign(**mark), "costs": pd.DataFrame(costs).assign(**mark)}


def headlines(result: MapResult) -> dict[str, float]:
    """The numbers that a person would compare: costs and distances of the first draw."""
    numbers = {"cost, non-private (squared units)": result.reference.cost}
    for name, draws in result.draws.items():
        numbers[f"cost, {name} (squared units)"] = draws[0].cost
        numbers[f"W2 to the non-private one, {name} (units)"] = draws[0].distance
    return numbers


def release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """Draw one private barycenter.

    Args:
        people: the sample.
        truth: its barycenter without privacy.
        config: the settings.
        mechanism: a key of `MECHANISMS`.
        draw: number of the draw; with the settings' seed it determines the noise.

    Raises:
        ValueError: if the settings do not fit together.
    """
    rng = np.random.default_rng([config.seed, 2 + list(MECHANISMS).index(mechanism), draw])
    found = _mechanism(people, config, mechanism, rng)
    if isinstance(found, CoresetBarycenter):
        facts = {"levels of the partition": float(found.measures[0].cells.depth)}
    else:
        facts = {
            "standard deviation of the noise of a step": found.noise,
            "sensitivity of a step": found.sensitivity,
            "steps": found.steps,
            "noise of an atom (units)": found.noise if found.chunks else _noise_of_mean(found, people, config.m),
        }
        if found.chunks:
            facts["chunks of a group"] = found.chunks
    atoms = np.asarray(found.atoms)
    aligned = matched(truth.atoms, atoms)
    cost, cost_km = both_costs(people, truth, aligned)
    return Release(
        mechanism=mechanism,
        atoms=atoms,
        matched=aligned,
        cost=cost,
        distance=between(truth.atoms, atoms),
        cost_km=cost_km,
        distance_km=between_km(people.outline, truth.atoms, atoms),
        guarantee=found.guarantee,
        sample_guarantee=found.sample_guarantee,
        facts=facts,
    )


def _noise_of_mean(found: PerturbedBarycenter, people: People, m: int) -> float:
    """Standard deviation of a coordinate of an atom that is the mean over groups of noisy means of cells of n/m people.

    The count's noise, R times that of the sum, moves the mean by its own distance from the centre.
    """
    region = _region(people.outline)
    of_means = m * math.sqrt(sum(1.0 / n**2 for n in people.sizes)) / len(people.sizes)
    counts = float(((found.atoms - region.centre) ** 2).mean()) / region.radius**2
    return found.noise * of_means * math.sqrt(1.0 + counts)


def publish(population: Population, config: Config, mechanism: str) -> CoresetBarycenter | PerturbedBarycenter:
    """A release, not a demonstration: the seed of the settings is not used, and nothing that is not private is kept.

    People are drawn by a generator that the operating system seeds, noise by OpenDP. Every release spends its epsilon
    and delta again.

    Args:
        population: everybody.
        config: the settings, chosen without looking at these data.
        mechanism: a key of `MECHANISMS`; privacy as in `coreset_barycenter` or `perturbed_barycenter`.

    Returns:
        The mechanism's result: its `.atoms` (m, 2) and `.guarantee` may be published.

    Raises:
        ValueError: if the settings do not fit together, or adjacency is "add-remove": when somebody joins the
            population, a sample of a fixed size exchanges two people, so that the promise would be to those drawn only.
    """
    if config.adjacency != "replace":
        raise ValueError(f"adjacency must be 'replace' for a release from a sample; got {config.adjacency!r}")
    rng = np.random.default_rng()
    return _mechanism(sampled(population, config.n, rng), config, mechanism, rng, secure=True)


def _mechanism(
    people: People, config: Config, mechanism: str, rng: np.random.Generator, *, secure: bool = False
) -> CoresetBarycenter | PerturbedBarycenter:
    """One run of a mechanism with the page's settings."""
    if mechanism not in MECHANISMS:
        raise ValueError(f"mechanism must be one of {', '.join(MECHANISMS)}; got {mechanism!r}")
    common: dict[str, Any] = {
        "region": _region(people.outline),
        "rng": rng,
        "adjacency": config.adjacency,
        "secure": secure,
    }
    if config.adjacency == "replace" and not people.everybody:
        common["population"] = people.totals
    if config.adjacency == "add-remove":
        # Sizes are not public then, so that depth and chunks come from the n that was asked for.
        common["depth"] = private_depth(config.epsilon, config.n)
    if mechanism == "coreset":
        return coreset_barycenter(
            people.groups, config.m, config.epsilon, subsample=KEPT * config.m, starts=STARTS, **common
        )
    return perturbed_barycenter(
        people.groups,
        config.m,
        config.epsilon,
        config.delta,
        chunks=chunks_of(people, config),
        guarantee=config.guarantee,
        method=config.method,
        steps=config.steps,
        stand_in_points=STAND_IN * config.m,
        start_points=START * config.m,
        **common,
    )


@lru_cache(maxsize=4)
def _region(outline: Outline) -> Region:
    """The public region, prepared once for all releases."""
    return as_region(outline.region)


def chunks_of(people: People, config: Config) -> int | None:
    """The number of chunks: as asked for, at most one for every m people; None where there are none.

    From public numbers only: sizes of groups, or under "add-remove" the n that was asked for.
    """
    if config.guarantee == "proven" and config.method == "cells":
        return None
    n = config.n if config.adjacency == "add-remove" else min(people.sizes)
    if config.chunks:
        return max(1, min(config.chunks, n // config.m))
    return optimal_chunks(n, len(people.sizes), config.m, 2, config.epsilon, rule="size")


def map_result(people: People, truth: Reference, config: Config, draws: Mapping[str, tuple[Release, ...]]) -> MapResult:
    """Put together what the map shows."""
    return MapResult(config, make_ground(people), people.sizes, truth, draws)


def _numbers(cost: float, distance: float, cost_km: float | None, distance_km: float | None) -> dict[str, float | None]:
    return {
        "cost (squared units)": cost,
        "W2 to non-private (units)": distance,
        "root mean squared distance km": cost_km,
        "W2 to non-private km": distance_km,
    }
