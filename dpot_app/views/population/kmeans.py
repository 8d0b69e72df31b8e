"""Private k-means of the people, the baseline beside their private barycenters: another objective, in its own terms."""

import numpy as np

from dpot_app.views.population.people import People
from dpot_app.views.population.settings import Config, Objective
from dpot_app.views.population.starts import public_region, public_starts
from dpot_core.arguments import Array
from dpot_core.mechanisms.central.private_kmeans import (
    Lloyd,
    PrivateKMeans,
    lloyd_rounds,
    private_kmeans,
    round_sensitivity,
)
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.privacy.accounting import gaussian_noise
from dpot_core.transport.kmeans import local_kmeans, nearest_cost


def run_kmeans(
    people: People, config: Config, protection: Protection, rng: np.random.Generator | None
) -> PrivateKMeans:
    """One run with the page's settings: a person counts as much as in the barycenters, whose groups are of one size."""
    place = public_region(people.outline)
    rounds = None
    if protection.hidden:
        # Sizes are not public: the n that was asked for is, as for the depth of a coreset.
        once = gaussian_noise(config.epsilon, config.delta, round_sensitivity(place, config.adjacency)[0])
        rounds = lloyd_rounds(config.n * len(people.groups), config.m, place.lower.size, once / place.radius)
    return private_kmeans(
        people.groups,
        config.m,
        config.epsilon,
        config.delta,
        region=place,
        rng=rng,
        protection=protection,
        lloyd=Lloyd(rounds, public_starts(people.outline, config.m)[0], config.objective.known),
    )


def to_nearest(people: People, atoms: Array, objective: Objective) -> float:
    """Mean distance to the power p of the people to the nearest atom, units of the coordinates to the power p."""
    return nearest_cost(people.shares, atoms, objective.p, objective.known)


def settled_kmeans(people: People, atoms: Array, objective: Objective) -> Array:
    """The local minimum of k-means to which the people themselves lead the centres of a release, (m, 2)."""
    shares = objective.weights or (1.0,) * len(people.groups)
    times = [masses * share for (_, masses), share in zip(people.shares, shares, strict=True)]
    return local_kmeans(np.concatenate([points for points, _ in people.groups]), np.concatenate(times), atoms)
