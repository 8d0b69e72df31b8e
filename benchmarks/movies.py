"""The movies experiment: one epsilon, and all of Fig. 2, against the bare matrix products.

On MovieLens 100K if DPOT_DATA holds it, otherwise on a simulated catalogue of about that size.
"""

import time
from collections.abc import Iterator

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_app.films.catalogue import Split, make_films
from dpot_app.films.releases import ITERATIONS, make_base
from dpot_app.kit.cache import CACHE
from dpot_app.views.movies.everyone.results import EPSILONS, SCALES, everyone_at
from dpot_core.datasets import DatasetMissing, Ratings, load_movielens, simulated_films

REG = 0.01


def _ratings() -> Ratings:
    try:
        return load_movielens()
    except DatasetMissing:
        return simulated_films(943, 1200)


def measure() -> Iterator[Measurement]:
    """All test users through WPM at one epsilon, then the sweep with the choice of the base measures' masses."""
    ratings = _ratings()
    films = make_films(ratings, Split())
    mu = films.inputs_of(films.test)
    base = make_base(films, "rule", 1.0)
    Q = dpot.Polytope(base, 1.0)
    kernel = np.exp(-films.distances / REG)
    transposed = np.ascontiguousarray(kernel.T)

    def products() -> None:
        u, v = np.empty(mu.shape), np.ones((len(mu), len(base)))
        for _ in range(ITERATIONS):
            np.matmul(v, transposed, out=u)
            np.matmul(u, kernel, out=v)
            v /= v.max()

    def project() -> None:
        dpot.project_entropic(mu, films.distances, Q, REG, ITERATIONS, tol=0.0)

    ours, bare = times(project, products, repeats=9)
    size = " x ".join(str(n) for n in (*mu.shape, len(base)))
    yield Measurement(
        f"{ratings.title.split(' (')[0]}: WPM, all test users, {size}", ours, "its matrix products", bare, 2.5
    )

    CACHE.clear()
    start = time.perf_counter()
    for epsilon in EPSILONS:
        everyone_at(films, epsilon, REG)
    seconds = time.perf_counter() - start
    projections = len(EPSILONS) * SCALES * len(ratings.users)
    yield Measurement(
        f"Fig. 2: {len(EPSILONS)} epsilon, {SCALES} masses, {len(ratings.users)} users",
        seconds,
        f"matrix products of {projections:,} projections",
        bare * projections / len(mu),
        3.0,
    )
