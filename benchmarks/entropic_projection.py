"""Entropic projection of many inputs at once against the matrix products that no implementation can avoid."""

from collections.abc import Iterator

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times

USERS, MOVIES, CANDIDATES, ITERATIONS = 189, 1345, 250, 40


def measure() -> Iterator[Measurement]:
    """The size of the paper's MovieLens experiment: 189 users' ratings of 1345 movies onto 250 candidates."""
    rng = np.random.default_rng(0)
    movies = dpot.point_cloud(rng.normal(size=(MOVIES, 64)) * np.geomspace(10, 1, 64), metric="cosine")
    cost = dpot.cost_matrix(movies, np.arange(CANDIDATES), p=1)
    ratings = np.where(rng.random((USERS, MOVIES)) < 0.08, rng.integers(1, 6, (USERS, MOVIES)), 0)
    mu = dpot.normalise(ratings)
    Q = dpot.Polytope(dpot.best_uniform_base(cost, 1.0), 1.0)
    kernel = np.exp(-cost / 0.01)
    transposed = np.ascontiguousarray(kernel.T)

    def products() -> None:
        u, v = np.empty((USERS, MOVIES)), np.ones((USERS, CANDIDATES))
        for _ in range(ITERATIONS):
            np.matmul(v, transposed, out=u)
            np.matmul(u, kernel, out=v)
            v /= v.max()

    def project() -> None:
        done = dpot.project_entropic(mu, cost, Q, reg=0.01, max_iter=ITERATIONS, tol=0.0)
        if done.iterations != ITERATIONS:
            raise ArithmeticError(f"{done.iterations} iterations instead of {ITERATIONS}")

    ours, bare = times(project, products, repeats=15)
    yield Measurement(
        f"entropic projection, {USERS} x {MOVIES} x {CANDIDATES}, {ITERATIONS} iterations",
        ours,
        f"the bare {2 * ITERATIONS} matrix products",
        bare,
        2.0,
    )
