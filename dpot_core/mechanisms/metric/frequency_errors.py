"""Releases of a frequency estimate that are private by distance, and for whole users: budgets, errors, bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array, check_number
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import (
    gkrr_bound,
    hadamard_bound,
    laplace_bound,
    sampling_bound,
    unbiased_bound,
)
from dpot_core.mechanisms.metric.frequency import laplace_scale, metric_laplace_scale
from dpot_core.mechanisms.metric.gkrr import Gkrr, one_item_budget
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.items import ItemMechanism
from dpot_core.mechanisms.metric.shuffling import best_item_rate, composition_rate
from dpot_core.mechanisms.metric.user_level import item_epsilon

Counts = NDArray[np.int64]

#: NumPy draws without replacement from fewer items than this.
MOST_ITEMS = 10**9
# GKRR beyond this is the same in float64.
_MOST_RATE = 700.0


@dataclass(frozen=True)
class FrequencyTask:
    """How often does each point of a clustered space occur among the items of all users?

    Attributes:
        space: where the items live.
        users: number of users n.
        items: items of each user m.
        epsilon: privacy parameter of a whole user, nats.
        alpha: rate, nats per distance between clusters.
        delta: additive slack of shuffling and of composition.
    """

    space: ClusteredSpace
    users: int
    items: int
    epsilon: float
    alpha: float
    delta: float

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha", 1e-6, 1e6)


@dataclass(frozen=True)
class ItemReports:
    """A kind of report about one item.

    Attributes:
        mechanism: (space, nats that the item may spend) -> the mechanism.
        bound: (space, the same, number of reports) -> on the expected error.
    """

    mechanism: Callable[[ClusteredSpace, float], ItemMechanism]
    bound: Callable[[ClusteredSpace, float, int], float]


@dataclass(frozen=True)
class FrequencyRelease:
    """A way to release the histogram of all users' items.

    Attributes:
        label: its name on screen.
        by_distance: whether it promises alpha per distance; otherwise epsilon for whole users.
        rate: what one item may spend, nats; without ``reports`` the scale of the noise.
        reports: what users report; None where one party adds Laplace noise to the histogram.
        one: whether each user reports on one random item, and not on all.
    """

    label: str
    by_distance: bool
    rate: Callable[[FrequencyTask], float]
    reports: ItemReports | None = None
    one: bool = False

    def bound(self, task: FrequencyTask, rate: float) -> float:
        """A bound on the expected earth mover's distance of the projected estimate, where 1 is that between clusters.

        Args:
            task: what is estimated.
            rate: as of ``rate``.
        """
        space = task.space
        if self.reports is None:
            return laplace_bound(space, rate)
        if self.one:
            return sampling_bound(space, task.users) + self.reports.bound(space, rate, task.users)
        return self.reports.bound(space, rate, task.users * task.items)

    def errors(self, task: FrequencyTask, rate: float, counts: Counts, runs: int, rng: np.random.Generator) -> Array:
        """Earth mover's distance of the projected estimate to the truth in independent runs, (runs,).

        The items are dealt to the users at random, so those of one random item per user are a draw without replacement.

        Args:
            task: what is estimated.
            rate: as of ``rate``.
            counts: items of each kind of all users together, (k,).
            runs: how many.
            rng: source of randomness.
        """
        truth = counts / counts.sum()
        if self.reports is None:
            raw = truth + rng.laplace(0.0, rate, (runs, len(task.space)))
        else:
            reported = draw_items(counts, task.users, runs, rng) if self.one else np.tile(counts, (runs, 1))
            mechanism = self.reports.mechanism(task.space, rate)
            reports = mechanism.release_counts(reported, rng)
            raw = mechanism.decode(reports / reports.sum(axis=1, keepdims=True))
        return task.space.earth_movers(task.space.project(raw), truth)


def uneven_counts(space: ClusteredSpace, items: int, rng: np.random.Generator) -> Counts:
    """How many items of each kind all users have, (k,): simulated, unevenly spread over clusters and points.

    Args:
        space: where the items live; cluster b has a share proportional to 1/b.
        items: of all users together.
        rng: draws the shares inside clusters, and the items.
    """
    clusters = 1.0 / np.arange(1, space.clusters + 1)
    inside = rng.dirichlet(np.ones(space.size), space.clusters)
    shares = (clusters / clusters.sum())[:, None] * inside
    return rng.multinomial(items, shares.ravel() / shares.sum()).astype(np.int64)


def draw_items(counts: Counts, users: int, runs: int, rng: np.random.Generator) -> Counts:
    """Kinds of one item per user, drawn from all items without replacement, (runs, k): exact for any number of items.

    Args:
        counts: items of each kind, (k,).
        users: how many are drawn.
        runs: how often, independently.
        rng: source of randomness.
    """
    total = int(counts.sum())
    if total < MOST_ITEMS:
        return rng.multivariate_hypergeometric(counts, users, size=runs, method="marginals")
    # Items kept independently are, given how many they are, drawn without replacement; so are users of them.
    share = (users + 12.0 * np.sqrt(users)) / total
    kept = rng.binomial(counts, share, (runs, len(counts)))
    while (few := kept.sum(axis=1) < users).any():
        kept[few] = rng.binomial(counts, share, (int(few.sum()), len(counts)))
    return np.stack([rng.multivariate_hypergeometric(row, users, method="marginals") for row in kept])


def _far_apart(space: ClusteredSpace, epsilon: float) -> Gkrr:
    """k-RR: GKRR as if all points were at distance 1, with the clusters kept for its variance."""
    return Gkrr(ClusteredSpace(space.clusters, space.size, 1.0), epsilon)


GKRR = ItemReports(
    lambda space, rate: Gkrr(space, min(rate, _MOST_RATE)),
    lambda space, rate, reports: gkrr_bound(space, min(rate, _MOST_RATE), reports),
)
K_RR = ItemReports(
    _far_apart, lambda space, rate, reports: unbiased_bound(space, *_far_apart(space, rate).spreads(), reports)
)
HADAMARD = ItemReports(lambda space, rate: HadamardResponse(len(space), rate), hadamard_bound)


def _shuffled(users: Callable[[FrequencyTask], int]) -> Callable[[FrequencyTask], float]:
    return lambda task: best_item_rate(task.alpha, task.delta, task.items, users(task)).item_rate


#: Releases where no one is trusted ("local") and where one party is ("central"), those by distance first.
FREQUENCY_RELEASES: Mapping[str, Mapping[str, FrequencyRelease]] = {
    "local": {
        "shuffled": FrequencyRelease("GKRR, all items, shuffled", True, _shuffled(lambda task: 1), GKRR),
        "composed": FrequencyRelease(
            "GKRR, all items, composed", True, lambda task: composition_rate(task.alpha, task.items).item_rate, GKRR
        ),
        "one": FrequencyRelease(
            "GKRR, one random item", True, lambda task: one_item_budget(task.alpha, task.space.r), GKRR, one=True
        ),
        "hadamard-one": FrequencyRelease(
            "Hadamard, one random item", False, lambda task: task.epsilon, HADAMARD, one=True
        ),
        "hadamard-all": FrequencyRelease(
            "Hadamard, all, composed",
            False,
            lambda task: item_epsilon(task.epsilon, task.items, task.delta),
            HADAMARD,
        ),
        "krr-one": FrequencyRelease("k-RR, one random item", False, lambda task: task.epsilon, K_RR, one=True),
    },
    "central": {
        "pooled": FrequencyRelease("GKRR, one shuffler for all", True, _shuffled(lambda task: task.users), GKRR),
        "metric-laplace": FrequencyRelease(
            "Laplace noise", True, lambda task: metric_laplace_scale(task.users, task.alpha, task.space)
        ),
        "laplace": FrequencyRelease("Laplace noise", False, lambda task: laplace_scale(task.users, task.epsilon)),
    },
}
