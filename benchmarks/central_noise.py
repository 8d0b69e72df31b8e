"""What two tighter proofs of the private barycenters bring: ``python -m benchmarks.central_noise`` (minutes).

1. One noisy difference for each parent in the private measure, not two noisy counts.
2. The levels of the start composed with the Gaussian steps by their privacy losses, not added up as epsilons.
The old ways are written out here: the difference of two noisy counts is a difference with the noise of both.
"""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import ot

import dpot_core as dpot
from dpot_core.arguments import Array
from dpot_core.datasets import load_places
from dpot_core.mechanisms.central.noise import Integers, discrete_laplace, scale_for
from dpot_core.mechanisms.central.partition import SENSITIVITY, level_budgets, partition, private_depth
from dpot_core.mechanisms.central.perturbed_barycenter import START_SHARE
from dpot_core.privacy.accounting import gaussian_noise, gaussian_noise_beside_tree, sample_epsilon

_MEASURE = importlib.import_module("dpot_core.mechanisms.central.private_measure")
_PERTURBED = importlib.import_module("dpot_core.mechanisms.central.perturbed_barycenter")

N, ATOMS, DRAWS, STEPS = 10_000, 12, 12, 2


@dataclass(frozen=True)
class Case:
    """A setting of the perturbation: epsilon, delta, and whether people are a sample of the embedded places."""

    epsilon: float
    delta: float
    sampled: bool


CASES = (Case(1.0, 1e-9, True), Case(1.0, 1e-9, False), Case(0.25, 1e-9, False), Case(4.0, 1e-6, False))


@contextmanager
def two_counts() -> Iterator[None]:
    """The private measure as it was: each difference is of two counts with noise."""

    def twice(values: Integers, scale: float, rng: np.random.Generator, *, secure: bool = False) -> Integers:
        once = discrete_laplace(values, scale, rng, secure=secure)
        return discrete_laplace(once, scale, rng, secure=secure)

    with patch.object(_MEASURE, "discrete_laplace", twice):
        yield


@contextmanager
def epsilons_added() -> Iterator[None]:
    """The steps' noise as it was: they have what the start leaves of epsilon."""

    def added(epsilon: float, delta: float, size: float, steps: int, _trees: object, _adjacency: str) -> float:
        return gaussian_noise(epsilon * (1 - START_SHARE), delta, size, steps)

    with patch.object(_PERTURBED, "gaussian_noise_beside_tree", added):
        yield


def distance(points: Array, copy: Array) -> float:
    """Exact W_1 between equally many points."""
    cost = np.linalg.norm(points[:, None] - copy[None], axis=2)
    return float(ot.emd2([], [], cost, numItermax=10**7))


def measures() -> list[tuple[str, float, float]]:
    """W_1 of the private measure to the truth, sides of the box 1: what, old, new."""
    rng = np.random.default_rng(0)
    clouds = {
        "line, n = 1,000": rng.beta(0.4, 0.9, (1000, 1)),
        "square, uniform, n = 1,000": rng.random((1000, 2)),
        "square, uniform, n = 2,000": rng.random((2000, 2)),
    }

    def mean(points: Array) -> float:
        box = (np.zeros(points.shape[1]), np.ones(points.shape[1]))
        runs = (dpot.private_measure(points, 1.0, region=box, rng=np.random.default_rng(k)) for k in range(DRAWS))
        return float(np.mean([distance(points, run.points) for run in runs]))

    found = []
    for name, points in clouds.items():
        with two_counts():
            old = mean(points)
        found.append((f"{name}, ε = 1", old, mean(points)))
    return found


def step_noise(case: Case) -> tuple[float, float]:
    """Standard deviation of a step's noise over its sensitivity, times the root of the steps' number: old and new."""
    places = load_places("everybody")
    rate = N / float(places.totals[0]) if case.sampled else 1.0
    epsilon = sample_epsilon(case.epsilon, rate) if case.sampled else case.epsilon
    delta, share = case.delta / rate, epsilon * START_SHARE
    bounds = np.asarray(places.outline.region.bounds)
    cells = partition(bounds[:2], bounds[2:], private_depth(share, N))
    budgets = level_budgets(share, cells, "replace")
    scales = tuple(scale_for(SENSITIVITY["replace"], part) if part else 0.0 for part in budgets)
    old = gaussian_noise(epsilon - share, delta)
    return old, gaussian_noise_beside_tree(epsilon, delta, 1.0, 1, [scales], "replace")


def excess(case: Case) -> tuple[float, float, float]:
    """Mean cost over that without privacy, percent: as it was, with differences only, and with both."""
    places = load_places("everybody")
    rows = []
    for draw in range(DRAWS):
        sample = places.sample(N, np.random.default_rng(draw))
        groups = list(sample.groups)
        least = dpot.barycenter(groups, ATOMS, rng=np.random.default_rng([draw, 1])).cost()
        population = [int(total) for total in places.totals] if case.sampled else None

        cost = partial(_cost, case, groups, sample.outline.region, draw, population)
        with epsilons_added():
            with two_counts():
                old = cost()
            middle = cost()
        rows.append([100 * (value / least - 1) for value in (old, middle, cost())])
    old, middle, new = np.mean(rows, axis=0).tolist()
    return old, middle, new


def _cost(case: Case, groups: list[Any], region: Any, draw: int, population: list[int] | None) -> float:
    found = dpot.perturbed_barycenter(
        groups,
        ATOMS,
        case.epsilon,
        case.delta,
        region=region,
        rng=np.random.default_rng([draw, 2]),
        steps=STEPS,
        population=population,
    )
    return found.cost(groups)


def shown(case: Case) -> str:
    """A setting in words."""
    return f"ε = {case.epsilon:g}, δ = {case.delta:g}{', sample of the places' if case.sampled else ''}"


def main(show: Callable[[str], None] = print) -> None:
    show("W_1 of the private measure to the truth: two counts, one difference")
    for name, old, new in measures():
        show(f"  {name:42} {old:8.4f} {new:8.4f}  {new / old:.2f}")
    show("Noise of a step over its sensitivity, per root of the steps: epsilons added, losses composed")
    for case in CASES:
        old, new = step_noise(case)
        show(f"  {shown(case):42} {old:8.3f} {new:8.3f}  {old / new:.2f} times less")
    show(f"Cost over that without privacy, percent, n = {N:,}, {ATOMS} atoms, {STEPS} steps: before, differences, both")
    for case in CASES[1:3]:
        show(f"  {shown(case):42} " + " ".join(f"{value:8.2f}" for value in excess(case)))


if __name__ == "__main__":
    main()
