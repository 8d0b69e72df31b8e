"""Table 2b of metric_dp_emd: from which alpha on frequencies are nearer by distance than for whole users."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import crossover_order
from dpot_core.mechanisms.metric.frequency_errors import (
    FREQUENCY_RELEASES,
    Counts,
    FrequencyRelease,
    FrequencyTask,
    uneven_counts,
)

SPACE, EPSILON, DELTA, RUNS = ClusteredSpace(8, 8, 0.1), 1.0, 1e-6, 400
#: Of what is drawn, as on the page.
SEED = 4
#: Values of alpha/epsilon that are tried.
RATIOS = np.geomspace(1.0, 1000.0, 31)
_CENTRAL = ("laplace", "pooled")


def on_the_simplex(raw: Array) -> Array:
    """The nearest distribution to each row, (runs, k), in the Euclidean distance of all its points."""
    return ClusteredSpace(1, raw.shape[1], 1.0).project(raw)


#: What is made of the unbiased estimate: as it is, which is the paper's; and two projections of ours.
ESTIMATORS: Mapping[str, Callable[[Array], Array]] = {
    "unbiased": np.asarray,
    "on the simplex": on_the_simplex,
    "on both levels": SPACE.project,
}


def simulated_counts(space: ClusteredSpace, items: int) -> Counts:
    """Simulated counts of items, drawn as on the page."""
    return uneven_counts(space, items, np.random.default_rng(SEED))


def tree_distance(errors: Array) -> Array:
    """``r/2`` of the points' absolute errors and ``(1 - r)/2`` of the clusters', (runs,): d_EM where their sum is 0.

    The unbiased estimate of Hadamard response need not sum to 1, for which the paper has no distance.
    """
    return np.asarray(SPACE.earth_movers(errors, np.zeros(len(SPACE))))


def errors(users: int, items: int, release: FrequencyRelease, ratio: float, place: int) -> dict[str, float]:
    """Mean error of 400 runs by estimator; ``place`` chooses the draws."""
    task = FrequencyTask(SPACE, users, items, EPSILON, EPSILON * ratio, DELTA)
    counts, rate = simulated_counts(SPACE, users * items), release.rate(task)
    truth, rng = counts / counts.sum(), np.random.default_rng([SEED, place])
    if release.reports is None:
        raw = truth + rng.laplace(0.0, rate, (RUNS, len(SPACE)))
    else:
        mechanism = release.reports.mechanism(SPACE, rate)
        reports = mechanism.release_counts(np.tile(counts, (RUNS, 1)), rng)
        raw = mechanism.decode(reports / reports.sum(axis=1, keepdims=True))
    return {name: float(tree_distance(made(raw) - truth).mean()) for name, made in ESTIMATORS.items()}


def crossing(gains: Array) -> float:
    """The ratio after which the logarithm of the rival's error over ours stays positive; inf where it never does."""
    lost = np.flatnonzero(gains <= 0.0)
    if not lost.size:
        return float(RATIOS[0])
    last = int(lost[-1])
    if last + 1 == len(RATIOS):
        return math.inf
    return math.exp(float(np.interp(0.0, gains[last : last + 2], np.log(RATIOS[last : last + 2]))))


def _crossings(model: str, users: int, items: int, ours: str, rival: str) -> dict[str, float]:
    releases = FREQUENCY_RELEASES[model]
    theirs = errors(users, items, releases[rival], 1.0, 0)
    found = [errors(users, items, releases[ours], float(ratio), 1) for ratio in RATIOS]
    return {
        name: crossing(np.array([math.log(theirs[name] / max(one[name], 1e-300)) for one in found]))
        for name in ESTIMATORS
    }


def local() -> Numbers:
    """GKRR, shuffled per user, against Hadamard response on all items, composed: out of k <= sqrt(m), and in it."""
    numbers = {
        "α/ε in the table, ε k/ln(m/δ), m = 1,000": Number(EPSILON * len(SPACE) / math.log(1_000 / DELTA)),
        "α/ε after Theorem 6.6, √k": Number(crossover_order(len(SPACE), EPSILON, 1_000, DELTA, False) / EPSILON),
    }
    for items in (1_000, 10_000):
        for name, found in _crossings("local", 100_000, items, "shuffled", "hadamard-all").items():
            numbers[f"GKRR beats Hadamard response from α/ε, {name}, m = {items:,}"] = Number(found)
    return numbers


def central() -> Numbers:
    """GKRR in one shuffler against Laplace noise for whole users: out of n <= m/alpha, and in it to alpha = 1,000."""
    numbers = {"α/ε in the table, ε k": Number(EPSILON * len(SPACE))}
    releases = FREQUENCY_RELEASES["central"]
    for users, items in ((100_000, 1_000), (1_000, 1_000_000)):
        setting = f"n = {users:,}, m = {items:,}"
        theirs, ours = (errors(users, items, releases[name], 64.0, place) for place, name in enumerate(_CENTRAL))
        for name in ESTIMATORS:
            words = f"error of GKRR over that of Laplace noise, α/ε = 64, {name}, {setting}"
            numbers[words] = Number(ours[name] / theirs[name])
        for name, found in _crossings("central", users, items, *_CENTRAL[::-1]).items():
            numbers[f"GKRR beats Laplace noise from α/ε, {name}, {setting}"] = Number(found)
    return numbers
