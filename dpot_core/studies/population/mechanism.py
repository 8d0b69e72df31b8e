"""One run of a private barycenter at the page's settings, for a demonstration or for a release."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpot_core.accounting import gaussian_noise
from dpot_core.checks import Array
from dpot_core.datasets.outlines import Outline
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter, Search, coreset_barycenter
from dpot_core.mechanisms.central.paper_barycenter import Perturbation, paper_barycenter
from dpot_core.mechanisms.central.partition import private_depth
from dpot_core.mechanisms.central.perturbed_barycenter import START_SHARE, Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.mechanisms.central.regions import Region, as_region
from dpot_core.streams import stream
from dpot_core.studies.population.people import People
from dpot_core.studies.population.settings import MECHANISMS, Config

#: Points of each private measure, for every atom, that the coreset's barycenter is computed from, and its starts.
KEPT = 60
STARTS = 1

#: Points per atom of the perturbation's stand-ins and of the copies that its start sees: enough for a page that answers
#: at once.
STAND_IN, START = 100, 40


def noise_stream(people: People, config: Config, mechanism: str, draw: int = 0) -> np.random.Generator:
    """The known noise of a demonstration: independent by mechanism, by draw and by everything that decides a release.

    Two releases with one noise at two scales give the data away, and so would their sum on the board. (The people are
    drawn from the seed too, `people.draw_people`: releases from one sample are added up as such.)
    """
    settings: dict[str, Any] = {"m": config.m, "epsilon": config.epsilon, "adjacency": config.adjacency}
    if mechanism != "coreset":
        names = ("delta", "chunks", "guarantee", "method", "steps")
        settings |= {name: getattr(config, name) for name in names}
    return stream(config.seed, f"population {mechanism}", people=people.key, draw=draw, **settings)


def run_mechanism(
    people: People, config: Config, mechanism: str, rng: np.random.Generator | None, *, secure: bool = False
) -> CoresetBarycenter | PerturbedBarycenter:
    """One run of a mechanism with the page's settings; for a real release ``secure`` and without a generator."""
    if mechanism not in MECHANISMS:
        raise ValueError(f"mechanism must be one of {', '.join(MECHANISMS)}; got {mechanism!r}")
    protection = Protection(
        config.adjacency,
        people.totals if config.adjacency == "replace" and not people.everybody else None,
        secure=secure,
    )
    # Sizes are not public under "add-remove", so that depth and chunks come from the n that was asked for.
    depth = private_depth(config.epsilon, config.n) if protection.hidden else None
    common: dict[str, Any] = {"region": public_region(people.outline), "rng": rng, "protection": protection}
    if mechanism == "coreset":
        search = Search(subsample=KEPT * config.m, starts=STARTS, depth=depth)
        return coreset_barycenter(people.groups, config.m, config.epsilon, search=search, **common)
    settings, chunks = (config.m, config.epsilon, config.delta), chunks_of(people, config)
    if config.guarantee == "paper":
        return paper_barycenter(people.groups, *settings, perturbation=Perturbation(chunks), **common)
    iteration = Iteration(
        config.method,
        config.steps,
        chunks,
        depth=depth,
        start_points=START * config.m,
        stand_in_points=STAND_IN * config.m,
    )
    return perturbed_barycenter(people.groups, *settings, iteration=iteration, **common)


@lru_cache(maxsize=4)
def public_region(outline: Outline) -> Region:
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


def public_facts(result: CoresetBarycenter | PerturbedBarycenter) -> dict[str, float]:
    """Numbers of a mechanism that follow from the settings and the sizes of the groups, by name with unit."""
    if isinstance(result, CoresetBarycenter):
        return {"levels of the partition": float(result.measures[0].cells.depth)}
    facts = {
        "standard deviation of the noise of a step": result.noise,
        "sensitivity of a step": result.sensitivity,
        "steps": float(result.steps),
    }
    if result.chunks:
        facts["chunks of a group"] = float(result.chunks)
    guarantee = result.sample_guarantee
    if guarantee.proven:
        added = gaussian_noise(guarantee.epsilon * (1 - START_SHARE), guarantee.delta, result.sensitivity, result.steps)
        facts["times the noise if epsilons were added up"] = added / result.noise
    return facts


def in_order(atoms: Array) -> Array:
    """Atoms from west to east, then from south to north: an order that nothing but the atoms themselves decides."""
    return np.asarray(atoms)[np.lexsort((atoms[:, 1], atoms[:, 0]))]
