"""The mechanisms beside the papers' own: a public prior, the optimal kernel, k-means, frequency oracles."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.central import coreset_barycenter, private_kmeans
from dpot_core.mechanisms.metric.optimal import optimal_geo_indistinguishability
from dpot_core.mechanisms.oracles import ORACLES

#: People of the central release, reports to an oracle, and of these how many are made one by one; cells per side.
PEOPLE, REPORTS, SOME, SIDE = 10_000, 200_000, 2_000, 6


def measure() -> Iterator[Measurement]:
    """Each against what it stands beside, or against a way that knows nothing of its structure."""
    yield _near_prior()
    yield _optimal()
    yield _kmeans()
    yield from _oracles()


def _near_prior() -> Measurement:
    """1,000 inputs on 1,000 points; outputs are checked to lie within e^epsilon of each other."""
    rng, k, epsilon = np.random.default_rng(0), 1_000, 2.0
    prior, mu = rng.dirichlet(np.ones(k)), rng.dirichlet(np.full(k, 0.1), 1_000)
    kpm = dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon)
    found = {}

    def near() -> None:
        found["near"] = dpot.kl_projection_near_prior(mu, prior, epsilon, 9.0)

    ours, theirs = times(near, lambda: dpot.kl_projection(mu, kpm))
    spent = dpot.certify(found["near"])
    if spent > epsilon:
        raise ArithmeticError(f"outputs differ by e^{spent}")
    return Measurement("KPM around a prior, 1,000 x 1,000", ours, "KPM", theirs, 2.0, f"spends {spent:.3f} of 2")


def _optimal() -> Measurement:
    """The linear program of a grid under an uneven prior, all constraints."""
    distances = dpot.grid(SIDE, SIDE).distances()
    k, rate = SIDE**2, 4.0 / distances.max()
    prior = np.random.default_rng(k).dirichlet(np.full(k, 0.5))
    first, second = np.nonzero(~np.eye(k, dtype=bool))
    rows = np.tile(np.arange(first.size), 2)
    values = np.concatenate([np.exp(-rate * distances[first, second]), -np.ones(first.size)])
    ratios = sparse.coo_matrix((values, (rows, np.concatenate([first, second]))), (first.size, k))
    below = sparse.kron(ratios, sparse.eye(k)).tocsr()
    sums = sparse.kron(sparse.eye(k), np.ones((1, k))).tocsr()
    found = {}

    def ours() -> None:
        found["ours"] = optimal_geo_indistinguishability(distances, rate, prior).value

    def theirs() -> None:
        cost = (prior[:, None] * distances).ravel()
        found["theirs"] = linprog(cost, below, np.zeros(below.shape[0]), sums, np.ones(k)).fun

    own, solver = times(ours, theirs, 1)
    apart = found["ours"] / found["theirs"] - 1.0
    if not -1e-6 < apart < 1.1e-4:
        raise ArithmeticError(f"the values are {apart:.1e} apart")
    return Measurement(f"optimal kernel, {SIDE} x {SIDE} cells", own, "HiGHS", solver, 1 / 5, f"{apart:.0e} above it")


def _kmeans() -> Measurement:
    """Twelve centres of people in four clouds."""
    rng = np.random.default_rng(0)
    points = np.clip(rng.normal(rng.choice([0.2, 0.4, 0.6, 0.8], (PEOPLE, 1)), 0.05, (PEOPLE, 2)), 0.0, 1.0)
    box = ([0.0, 0.0], [1.0, 1.0])

    def ours() -> None:
        private_kmeans([points], 12, 1.0, 1e-9, region=box, rng=np.random.default_rng(1))

    def theirs() -> None:
        coreset_barycenter([points], 12, 1.0, region=box, rng=np.random.default_rng(1))

    return Measurement(f"private k-means, n = {PEOPLE:,}, m = 12", *_between(ours, "coreset barycenter", theirs), 1.0)


def _between(ours, name: str, theirs) -> tuple[float, str, float]:
    own, other = times(ours, theirs, 3)
    return own, name, other


def _oracles() -> Iterator[Measurement]:
    """How many of 200,000 reports support each of 400 items: sums drawn at once, or blocks of reports."""
    rng, k = np.random.default_rng(0), 400
    counts = np.bincount(rng.integers(k, size=REPORTS), minlength=k)
    items = rng.integers(k, size=SOME)
    for name, row in ORACLES.items():
        oracle = row(k, 2.0)

        def ours(oracle=oracle) -> None:
            oracle.support_counts(counts, np.random.default_rng(1))

        def each(oracle=oracle) -> None:
            for item in items:
                oracle.support(oracle.report([item], np.random.default_rng(1)))

        own, one_by_one = times(ours, each, 1)
        most = 1 / 5 if name == "subset" else 1 / 1_000
        what = f"{row.label}: {REPORTS:,} reports, k = {k}"
        yield Measurement(what, own, f"one by one, {SOME:,} scaled", one_by_one * REPORTS / SOME, most)
