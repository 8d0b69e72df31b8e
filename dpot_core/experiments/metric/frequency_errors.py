"""Errors of frequency estimates with both kinds of promises, at one alpha and in one space of simulated items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array, check_number
from dpot_core.experiments.metric.settings import slack
from dpot_core.guarantees import Guarantee
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
from dpot_core.mechanisms.metric.protection import earth_mover_guarantee
from dpot_core.mechanisms.metric.shuffling import best_item_rate, composition_rate
from dpot_core.mechanisms.metric.user_level import item_epsilon
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import choice, number, settings, whole

#: Releases that are private by distance, with names on screen, by model.
BY_DISTANCE = {
    "local": {
        "shuffled": "GKRR, all items, shuffled",
        "composed": "GKRR, all items, composed",
        "one": "GKRR, one random item",
    },
    "central": {
        "pooled": "GKRR, one shuffler for all",
        "metric-laplace": "Laplace noise",
    },
}

#: Releases with user-level privacy.
WHOLE_USER = {
    "local": {
        "hadamard-one": "Hadamard, one random item",
        "hadamard-all": "Hadamard, all, composed",
        "krr-one": "k-RR, one random item",
    },
    "central": {"laplace": "Laplace noise"},
}

#: Runs whose mean and middle 90% are shown, and the seed: a demonstration on simulated items.
RUNS = 20
SEED = 4

#: NumPy draws without replacement from fewer items than this.
MOST = 10**9


# These words stand in people's links: add, but do not reword.
MODELS = {"local": "Nobody", "central": "One party"}
USERS = (1000.0, 10_000.0, 100_000.0, 1_000_000.0)
ITEMS = (1.0, 10.0, 100.0, 1000.0, 10_000.0)
COUNTS = (2.0, 4.0, 8.0, 16.0, 32.0)
INSIDE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
SHOWN_RATIOS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)


def whole_text(value: float) -> str:
    """A number as it stands on its slider."""
    return f"{value:,.0f}"


def _many(label: str, default: int, **known: Any) -> Any:
    return whole(label, default, low=1, step=2.0, widget="steps", show=whole_text, **known)


@settings
class PaysConfig:
    """Settings of the view.

    Attributes:
        model: "local" (no one is trusted) or "central".
        users: number of users n.
        items: items of each user m.
        clusters: number of clusters s.
        size: points in each cluster t.
        r: distance inside a cluster, where 1 is the distance across.
        epsilon: user-level privacy parameter, nats.
        ratio: alpha/epsilon of the curve over k.
        delta: additive slack of shuffling and of composition.
    """

    model: str = choice("Who sees clean data?", "local", MODELS, widget="segments", link="trust")
    users: int = _many("Users n", 100_000, high=10**8, factor=True, grid=USERS, link="users")
    items: int = _many("Items of each user m", 1000, high=10**6, factor=True, grid=ITEMS, link="items")
    clusters: int = _many("Clusters s", 8, high=64, grid=COUNTS, link="clusters")
    size: int = _many("Points in each cluster t", 8, high=64, grid=COUNTS, link="size")
    r: float = number(
        "Distance inside a cluster r (1 = across)",
        0.1,
        low=1e-6,
        high=1.0,
        step=2.0,
        factor=True,
        grid=INSIDE,
        widget="steps",
        link="inside",
    )
    epsilon: float = epsilon(1.0)
    ratio: float = number(
        "α/ε of the curve over k",
        10.0,
        low=1e-3,
        high=1e5,
        step=2.0,
        factor=True,
        grid=SHOWN_RATIOS,
        widget="steps",
        link="ratio",
    )
    delta: float = slack(1e-6)

    @property
    def space(self) -> ClusteredSpace:
        """The clustered space."""
        return ClusteredSpace(self.clusters, self.size, self.r)

    @property
    def alpha(self) -> float:
        """Rate at the chosen ratio, nats per distance between clusters."""
        return self.epsilon * self.ratio

    @property
    def guarantee(self) -> Guarantee:
        """Of a release by distance at the chosen ratio, for a history that moves inside its clusters."""
        public = (f"the number of users, {self.users:,}", f"the number of items of each, {self.items:,}", "the points")
        note = "Of each release by distance; those without δ (composition, one random item, Laplace noise) have δ = 0."
        note += " The user-level releases beside them promise something else: ε for any change at all."
        words = ("everything moves inside its cluster",)
        unit = "the distance between clusters"
        return earth_mover_guarantee(self.alpha, [(1.0, self.r)], self.delta, words, public, note, unit)


@dataclass(frozen=True, eq=False)
class Point:
    """Errors of all releases at one alpha and one space.

    Attributes:
        ratio: alpha/epsilon.
        k: number of points.
        errors: earth mover's distance to the truth of each run, (RUNS,), by release.
        bounds: on the expected distance, by release; nan where there is none.
        rates: alpha_0 or epsilon_0 of one item (nats), or scale of the noise, by release.
    """

    ratio: float
    k: int
    errors: dict[str, Array]
    bounds: dict[str, float]
    rates: dict[str, float]

    def mean(self, name: str) -> float:
        """Mean over the runs."""
        return float(self.errors[name].mean())


def simulated_counts(space: ClusteredSpace, items: int) -> NDArray[np.int64]:
    """How many items of each kind all users have together, (k,): simulated, unevenly spread over clusters and points.

    Args:
        space: the clustered space.
        items: of all users together.
    """
    rng = np.random.default_rng(SEED)
    clusters = 1.0 / np.arange(1, space.clusters + 1)
    inside = rng.dirichlet(np.ones(space.size), space.clusters)
    shares = (clusters / clusters.sum())[:, None] * inside
    return rng.multinomial(items, shares.ravel() / shares.sum()).astype(np.int64)


def errors_at(config: PaysConfig, known: dict[str, Array] | None = None) -> Point:
    """Errors of all releases at ``config.ratio``.

    The items are dealt to the users at random, so those of one random item per user are a draw without replacement.

    Args:
        config: the settings.
        known: errors of releases that need not be computed again because they do not depend on what has changed.

    Raises:
        ValueError: if a setting is out of range.
    """
    space, users, m = config.space, config.users, config.items
    epsilon, alpha = config.epsilon, check_number(config.alpha, "alpha", 1e-6, 1e6)
    counts = simulated_counts(space, users * m)
    rates, bounds = _rates(config), {}
    errors = dict(known or {})
    for place, (name, rate) in enumerate(rates.items()):
        bounds[name] = _bound(name, rate, config)
        if name in errors:
            continue
        # The same draws for every Laplace noise: at the same scale the same error.
        rng = np.random.default_rng([SEED, 0 if name.endswith("laplace") else place])
        if name.endswith("laplace"):
            truth = counts / counts.sum()
            raw = truth + rng.laplace(0.0, rate, (RUNS, len(space)))
        else:
            raw = _estimates(_mechanism(name, rate, space), name.endswith("one"), counts, users, rng)
        errors[name] = space.earth_movers(space.project(raw), counts / counts.sum())
    return Point(alpha / epsilon, len(space), errors, bounds, rates)


def _rates(config: PaysConfig) -> dict[str, float]:
    """What one item may spend, or the scale of the noise, for each release."""
    alpha, epsilon, m, delta = config.alpha, config.epsilon, config.items, config.delta
    if config.model == "central":
        return {
            "pooled": best_item_rate(alpha, delta, m, config.users).item_rate,
            "metric-laplace": metric_laplace_scale(config.users, alpha, config.space),
            "laplace": laplace_scale(config.users, epsilon),
        }
    return {
        "shuffled": best_item_rate(alpha, delta, m).item_rate,
        "composed": composition_rate(alpha, m).item_rate,
        "one": one_item_budget(alpha, config.r),
        "hadamard-one": epsilon,
        "hadamard-all": item_epsilon(epsilon, m, delta),
        "krr-one": epsilon,
    }


def _mechanism(name: str, rate: float, space: ClusteredSpace) -> ItemMechanism:
    if name.startswith("hadamard"):
        return HadamardResponse(len(space), rate)
    return _far_apart(rate, space) if name == "krr-one" else Gkrr(space, min(rate, 700.0))


def _far_apart(epsilon: float, space: ClusteredSpace) -> Gkrr:
    """k-RR: GKRR as if all points were at distance 1, with the clusters kept for its variance."""
    return Gkrr(ClusteredSpace(space.clusters, space.size, 1.0), epsilon)


def _estimates(
    mechanism: ItemMechanism, one: bool, counts: NDArray[np.int64], users: int, rng: np.random.Generator
) -> Array:
    """Unbiased estimates of the histogram, (RUNS, k)."""
    reported = np.tile(counts, (RUNS, 1))
    if one:
        reported = dealt(counts, users, rng)
    reports = mechanism.release_counts(reported, rng)
    return mechanism.decode(reports / reports.sum(axis=1, keepdims=True))


def dealt(counts: NDArray[np.int64], users: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Kinds of one item per user, drawn from all items without replacement, (RUNS, k): exact for any number of items.

    Args:
        counts: items of each kind, (k,).
        users: how many are drawn.
        rng: source of randomness.
    """
    total = int(counts.sum())
    if total < MOST:
        return rng.multivariate_hypergeometric(counts, users, size=RUNS, method="marginals")
    # Items kept independently are, given how many they are, drawn without replacement; so are users of them.
    share = (users + 12.0 * np.sqrt(users)) / total
    kept = rng.binomial(counts, share, (RUNS, len(counts)))
    while (few := kept.sum(axis=1) < users).any():
        kept[few] = rng.binomial(counts, share, (int(few.sum()), len(counts)))
    return np.stack([rng.multivariate_hypergeometric(row, users, method="marginals") for row in kept])


def _bound(name: str, rate: float, config: PaysConfig) -> float:
    """On the expected error of the projected estimate."""
    space, items = config.space, config.users * config.items
    if name.endswith("laplace"):
        return laplace_bound(space, rate)
    sampled = sampling_bound(space, config.users) if name.endswith("one") else 0.0
    reports = config.users if name.endswith("one") else items
    if name.startswith("hadamard"):
        return sampled + hadamard_bound(space, rate, reports)
    if name == "krr-one":
        return sampled + unbiased_bound(space, *_far_apart(rate, space).spreads(), reports)
    return sampled + gkrr_bound(space, min(rate, 700.0), reports)
