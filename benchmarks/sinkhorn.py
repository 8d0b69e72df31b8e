"""An iteration of noisy Sinkhorn, its sensitivity included, against one log-domain iteration of POT."""

from collections.abc import Iterator

import numpy as np
import ot

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.mechanisms.central.sinkhorn_proven import Rounds, check_grids, rounds

ITERATIONS = 10


def measure() -> Iterator[Measurement]:
    """32 x 32 cells on both sides with squared distances, and two samples of 1000 points."""
    rng = np.random.default_rng(0)
    space = dpot.grid(32, 32)
    cost = dpot.cost_matrix(space, p=2)
    grids = check_grids(cost, *(rng.multinomial(2000, rng.dirichlet(np.ones(len(space)))) for _ in range(2)))
    samples = dpot.cost_matrix(dpot.point_cloud(rng.random((1000, 2))), rng.random((1000, 2)), p=2)
    uniform = np.full(1000, 1e-3)
    eta = 1.0

    def pot(a: np.ndarray, b: np.ndarray, matrix: np.ndarray) -> None:
        ot.bregman.sinkhorn_log(a, b, matrix, eta, numItermax=ITERATIONS, stopThr=0.0, warn=False)

    def proven() -> None:
        rounds(grids, grids.weights, Rounds(eta, ITERATIONS), (5.0, 5.0), np.random.default_rng(0))

    def paper() -> None:
        algorithm_1(samples, eta, ITERATIONS, 1e-4, 0.1, np.random.default_rng(0))

    mixed = [(1.0 - 1e-9) * weights + 1e-9 / weights.size for weights in grids.weights]  # POT warns about empty cells
    ours, theirs = times(proven, lambda: pot(*mixed, cost))
    what = f"noisy Sinkhorn with proof, 32 x 32 cells each, {ITERATIONS} rounds"
    yield Measurement(what, ours, "POT sinkhorn_log, same rounds", theirs, 1.5)
    ours, theirs = times(paper, lambda: pot(uniform, uniform, samples))
    what = f"Algorithm 1, 1000 points each, {ITERATIONS} rounds"
    yield Measurement(what, ours, "POT sinkhorn_log, same rounds", theirs, 1.5)
