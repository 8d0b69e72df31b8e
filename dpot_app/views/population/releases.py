"""Private barycenters of the people: in a demonstration beside the truth, and for real."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpot_app.kit.cache import cached
from dpot_app.views.population.distances import between, between_km, matching
from dpot_app.views.population.facts import Result, noise_of_mean, public_facts
from dpot_app.views.population.kmeans import run_kmeans, settled_kmeans, to_nearest
from dpot_app.views.population.people import (
    Fall,
    People,
    Reference,
    as_reference,
    cost_km,
    cost_of,
    fall,
    sampled,
)
from dpot_app.views.population.settings import BASELINES, MECHANISMS, Config
from dpot_app.views.population.starts import public_region, public_starts
from dpot_core.arguments import Array
from dpot_core.datasets.population import Population
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import Search, coreset_barycenter
from dpot_core.mechanisms.central.paper_barycenter import Perturbation, paper_barycenter
from dpot_core.mechanisms.central.partition import private_depth
from dpot_core.mechanisms.central.perturbed_barycenter import Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.private_kmeans import PrivateKMeans
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.profiles import Profile
from dpot_core.privacy.streams import stream
from dpot_core.transport.smoothed_dual import Rows

#: Points of each private measure, for every atom, that the coreset's barycenter is computed from.
KEPT = 60

#: Points per atom of the perturbation's stand-ins and of the copies that its start sees: enough for a page that answers
#: at once.
STAND_IN, START = 100, 40

#: Settings that count for the perturbation only.
_OF_PERTURBATION = ("chunks", "guarantee", "method", "steps")


def noise_stream(people: People, config: Config, mechanism: str, draw: int = 0) -> np.random.Generator:
    """The known noise of a demonstration: independent by mechanism, by draw and by everything that decides a release.

    Two releases with one noise at two scales give the data away, and so would their sum on the board. (The people are
    drawn from the seed too, `people.draw_people`: releases from one sample are added up as such.)
    """
    settings: dict[str, Any] = {"m": config.m, **scales_of(config)}
    if mechanism != "coreset":
        names = ("delta", *(_OF_PERTURBATION if mechanism == "perturbation" else ()))
        settings |= {name: getattr(config, name) for name in names}
        # They decide what the noise is added to; a coreset's copies, which they do not change, stay the same release.
        usual = Config()
        settings |= {
            name: getattr(config, name) for name in ("p", "weights") if getattr(config, name) != getattr(usual, name)
        }
    return stream(config.seed, f"population {mechanism}", people=people.key, draw=draw, **settings)


def scales_of(config: Config) -> dict[str, Any]:
    """Public facts that set a tree's noise, besides the people: n alone where the sizes of groups are secret."""
    asked = {"n": config.n} if config.adjacency == "add-remove" else {}
    return {"epsilon": config.epsilon, "adjacency": config.adjacency, **asked}


def run_mechanism(
    people: People, config: Config, mechanism: str, rng: np.random.Generator | None, *, secure: bool = False
) -> Result:
    """One run of a mechanism with the page's settings; for a real release ``secure`` and without a generator."""
    if mechanism not in (*MECHANISMS, *BASELINES):
        raise ValueError(f"mechanism must be one of {', '.join((*MECHANISMS, *BASELINES))}; got {mechanism!r}")
    protection = Protection(
        config.adjacency,
        people.totals if config.adjacency == "replace" and not people.everybody else None,
        secure=secure,
    )
    if mechanism == "kmeans":
        return run_kmeans(people, config, protection, rng)
    # Sizes are not public under "add-remove", so that depth and chunks come from the n that was asked for.
    depth = private_depth(config.epsilon, config.n) if protection.hidden else None
    common: dict[str, Any] = {"region": public_region(people.outline), "rng": rng, "protection": protection}
    begin = public_starts(people.outline, config.m)
    if mechanism == "coreset":
        search = Search(config.p, subsample=KEPT * config.m, depth=depth, begin=begin, weights=config.objective.known)
        return coreset_barycenter(people.groups, config.m, config.epsilon, search=search, **common)
    settings, chunks = (config.m, config.epsilon, config.delta), chunks_of(people, config)
    if config.guarantee == "paper":
        if config.p != 2:
            raise ValueError(f"p must be 2 for guarantee 'paper', whose noise is claimed for means; got {config.p:g}")
        return paper_barycenter(
            people.groups, *settings, perturbation=Perturbation(chunks, weights=config.objective.known), **common
        )
    iteration = Iteration(
        config.method,
        config.steps,
        chunks,
        depth=depth,
        start_points=START * config.m,
        stand_in_points=STAND_IN * config.m,
        begin=begin,
        weights=config.objective.known,
        p=config.p,
    )
    return perturbed_barycenter(people.groups, *settings, iteration=iteration, **common)


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


def in_order(atoms: Array) -> Array:
    """Atoms from west to east, then from south to north: an order that nothing but the atoms themselves decides."""
    return np.asarray(atoms)[_eastward(atoms)]


def _eastward(atoms: Array) -> Rows:
    return np.lexsort((atoms[:, 1], atoms[:, 0]))


def with_areas(result: Result) -> tuple[Array, Array | None]:
    """Atoms (m, 2) in that order, and the potentials (G, m) of their areas, of k-means the same for all groups."""
    if isinstance(result, PrivateKMeans):
        return in_order(result.atoms), np.zeros((1, len(result.atoms)))
    # For costs of other orders areas are no power cells, whose borders are straight.
    potentials = result.potentials() if result.p == 2 else None
    return in_order(result.atoms), None if potentials is None else potentials[:, _eastward(result.atoms)]


_USUAL = Config()


@dataclass(frozen=True)
class Published:
    """A release: all of it may be published."""

    mechanism: str  # a key of `MECHANISMS`
    atoms: Array  # private atoms of weight 1/m, (m, 2), from west to east
    # Potentials of the atoms' power cells for each group, (G, m), squared units of the coordinates: they follow from
    # the private copies that the atoms come from, so that nothing more is spent. None where there are no such copies.
    potentials: Array | None
    guarantee: Guarantee  # towards the population where a sample was drawn
    sample_guarantee: Guarantee  # towards those who were drawn
    facts: Mapping[str, float]  # public numbers of the mechanism, by name with unit


@dataclass(frozen=True)
class Release(Published):
    """One draw of a demonstration, and what a release would not show: how far it is from the truth."""

    order: Rows  # of the atoms, by which they match the non-private ones, (m,), for drawing only: it is not private
    cost: float  # mean distance to the power p of the people to their atom, units of the coordinates to the power p
    distance: float  # W_p to the non-private barycenter, unit of the coordinates
    cost_km: float | None  # p-th root of the cost on a map in km, or None
    distance_km: float | None  # W_p in km, or None
    # The local minimum to which the people themselves lead the atoms: noise keeps the release from it, and the search
    # it from the best one. In the order of `atoms`, (m, 2), and what it costs, units to the power p.
    settled: Array
    settled_cost: float
    noise: float  # W_p from the release to that minimum, unit of the coordinates
    search: float  # W_p from that minimum to the non-private barycenter, likewise
    noise_km: float | None  # both in km, or None
    search_km: float | None
    # Mean distance to the power p to the nearest atom, which is what k-means aims at, of the release and of `settled`.
    nearest: float
    settled_nearest: float
    profile: Profile | None = None  # delta at every epsilon, towards the population; None where nothing is proven

    @property
    def matched(self) -> Array:
        """The atoms in the order of the non-private ones, (m, 2)."""
        return self.atoms[self.order]

    @property
    def potentials_as_matched(self) -> Array | None:
        """Their potentials in that order, (G, m)."""
        return None if self.potentials is None else self.potentials[:, self.order]


def release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """As `draw_release`, kept: moving a setting that does not count for a mechanism computes nothing again."""
    names = ["columns", "outside", "box", "compared"]
    if mechanism != "perturbation":
        names += _OF_PERTURBATION
    if mechanism == "coreset":
        names += ["delta"]
    that_count = replace(config, **{name: getattr(_USUAL, name) for name in names})
    return _release(people, truth, that_count, mechanism, draw)


def draw_release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """Draw one private barycenter; the number of the draw changes the noise (`noise_stream`)."""
    result = run_mechanism(people, config, mechanism, noise_stream(people, config, mechanism, draw))
    facts = public_facts(result)
    if isinstance(result, PerturbedBarycenter) and result.p == 2:
        facts["noise of an atom (units)"] = result.noise if result.chunks else noise_of_mean(result, people, config.m)
    atoms, potentials = with_areas(result)
    order, p = matching(truth.atoms, atoms, truth.objective.p), truth.objective.p
    below, settled = _below(people, truth, atoms[order], mechanism), np.empty_like(atoms)
    settled[order] = below.atoms
    drawn = Release(
        mechanism=mechanism,
        atoms=atoms,
        potentials=potentials,
        guarantee=result.guarantee,
        sample_guarantee=result.sample_guarantee,
        facts=facts,
        order=order,
        cost=below.before,
        distance=0.0,
        cost_km=cost_km(people, truth, atoms[order]),
        distance_km=None,
        settled=settled,
        settled_cost=below.cost,
        noise=between(settled, atoms, p),
        search=0.0,
        noise_km=between_km(people.outline, settled, atoms, p),
        search_km=None,
        nearest=to_nearest(people, atoms, truth.objective),
        settled_nearest=to_nearest(people, settled, truth.objective),
        profile=result.profile,
    )
    return _against(people, truth, drawn)


def _below(people: People, truth: Reference, atoms: Array, mechanism: str) -> Fall:
    """Where the people themselves lead atoms, by the aim that the mechanism has."""
    if mechanism not in BASELINES:
        return fall(people, truth, atoms)
    settled = settled_kmeans(people, atoms, truth.objective)
    return Fall(settled, cost_of(people, truth, settled), cost_of(people, truth, atoms))


def _against(people: People, truth: Reference, drawn: Release) -> Release:
    """The same release, measured against a non-private barycenter."""
    outline, p = people.outline, truth.objective.p
    return replace(
        drawn,
        order=matching(truth.atoms, drawn.atoms, p),
        distance=between(truth.atoms, drawn.atoms, p),
        distance_km=between_km(outline, truth.atoms, drawn.atoms, p),
        search=between(truth.atoms, drawn.settled, p),
        search_km=between_km(outline, truth.atoms, drawn.settled, p),
    )


def settle(
    people: People, truth: Reference, config: Config, draws: Mapping[str, Sequence[Release]]
) -> tuple[Reference, dict[str, tuple[Release, ...]]]:
    """The best barycenter known, and releases measured against it: where a private search beats it, it goes on there.

    A private release cannot cost less than it then. An entropic one ("as in the paper") stays what it is.
    """
    # Centres of k-means end where another objective is least.
    best = min((one for name in MECHANISMS for one in draws[name]), key=lambda one: one.settled_cost)
    same = {name: tuple(each) for name, each in draws.items()}
    if config.reg > 0 or best.settled_cost >= truth.cost:
        return truth, same
    better = as_reference(people, best.settled[best.order], f"{truth.key} {best.settled_cost!r}", truth.objective)
    return better, {name: tuple(_against(people, better, one) for one in each) for name, each in draws.items()}


_release = cached(draw_release)


def publish(population: Population, config: Config, mechanism: str) -> Published:
    """A release, not a demonstration: the seed of the settings is not used, and nothing that is not private is kept.

    The people are drawn from the operating system's entropy, in a way that leaves no generator behind; the noise is
    OpenDP's; positions of private points come from a generator of their own that the system seeds. Every release spends
    its epsilon and delta again, and several from one population add up. The
    settings are chosen without looking at these data.

    Raises:
        ValueError: if the settings do not fit together, what they promise is not proven, or adjacency is "add-remove":
            when a person joins the population, a sample of a fixed size exchanges two people, so that the promise would
            be to those drawn only.
    """
    if config.adjacency != "replace":
        raise ValueError(f"adjacency must be 'replace' for a release from a sample; got {config.adjacency!r}")
    result = run_mechanism(sampled(population, config.n, None), config, mechanism, None, secure=True)
    promises = (result.guarantee.released(), result.sample_guarantee.released())
    return Published(mechanism, *with_areas(result), *promises, public_facts(result))
