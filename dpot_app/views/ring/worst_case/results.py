from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS, EPSILONS
from dpot_app.views.ring.settings import Base, Config, Ring, best_uniform
from dpot_core.arguments import Array
from dpot_core.base_measures import uniform_base
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms import rivals
from dpot_core.mechanisms.knowledge import Public
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_divergence, worst_case_wasserstein


@dataclass(frozen=True)
class WorstCases:
    """Curves over `epsilon`, (T,) each."""

    ring: Ring  # the settings they depend on: not on the input, nor on the current epsilon
    epsilon: Array  # values of the privacy parameter
    # columns "wpm" (best uniform base), "wpm-uniform" (base of mass 1): sup over all inputs; each of `rivals()`: the
    # largest over point masses, which is exact or a lower bound of the worst case, as its row says. In steps
    wasserstein: pd.DataFrame
    divergences: dict[str, pd.DataFrame]  # by name of the divergence, columns "minimax" and "mollifier" over k points

    def tables(self) -> dict[str, pd.DataFrame]:
        distances = self.wasserstein.copy()
        distances.insert(0, "epsilon", self.epsilon)
        tables = {"worst-case-wasserstein": distances}
        divergences = pd.DataFrame({"epsilon": self.epsilon})
        for name, frame in self.divergences.items():
            for mechanism in frame.columns:
                divergences[f"{name} {mechanism}"] = frame[mechanism].to_numpy()
        tables["worst-case-divergences"] = divergences
        return tables


@dataclass(frozen=True)
class WorstNow:
    """The worst cases at one value of epsilon: not read off the curves, but computed."""

    epsilon: float
    in_use: float  # worst case of WPM with the base measure in use, in steps
    most: float  # the same at the smallest epsilon of the slider, where it is largest
    wasserstein: dict[str, float]  # columns as in `WorstCases`, in steps
    divergences: dict[str, dict[str, float]]  # by name of the divergence and by mechanism

    def tables(self) -> dict[str, pd.DataFrame]:
        row = {"epsilon": self.epsilon, "wpm in use": self.in_use, **self.wasserstein}
        row |= {f"{name} {who}": value for name, both in self.divergences.items() for who, value in both.items()}
        return {"worst-case-now": pd.DataFrame([row])}


@cached
def worst_cases(ring: Ring) -> WorstCases:
    wasserstein = pd.DataFrame([_wasserstein(ring, epsilon) for epsilon in CURVE_EPSILONS])
    rows = [_divergences(ring, epsilon) for epsilon in CURVE_EPSILONS]
    divergences = {name: pd.DataFrame([row[name] for row in rows]) for name in DIVERGENCES}
    return WorstCases(ring, np.asarray(CURVE_EPSILONS), wasserstein, divergences)


@cached
def worst_case_now(ring: Ring, base: Base, epsilon: float) -> WorstNow:
    """Compute the worst cases at one epsilon, with the base measure in use beside the uniform ones."""
    in_use, most = _in_use(ring, base, epsilon), _in_use(ring, base, min(EPSILONS))
    return WorstNow(epsilon, in_use, max(in_use, most), _wasserstein(ring, epsilon), _divergences(ring, epsilon))


@cached
def _in_use(ring: Ring, base: Base, epsilon: float) -> float:
    polytope = Polytope(base.measure(ring, epsilon), epsilon)
    return float(worst_case_wasserstein(ring.cost, polytope, ring.p))


def now(config: Config) -> WorstNow:
    return worst_case_now(config.ring, config.base, config.epsilon)


def worst_distance(ring: Ring, name: str, epsilon: float) -> float:
    """One column of `WorstCases.wasserstein` at one epsilon, in steps."""
    cost = ring.distinct_cost
    if name == "wpm-uniform":
        return float(worst_case_wasserstein(cost, Polytope(uniform_base(cost.shape[1]), epsilon), ring.p))
    base = best_uniform(ring, epsilon)
    if name == "wpm":
        return float(worst_case_wasserstein(cost, Polytope(base, epsilon), ring.p))
    distances = ring.space.distances(ring.targets)
    public = Public(cost=ring.cost, distances=distances, epsilon=epsilon, base=base, snap=ring.snap)
    # From a point mass there is one plan only, so its cost needs no solver.
    outputs = rivals()[name](public)(np.eye(ring.k)[: len(cost)])
    return float((outputs * cost).sum(axis=1).max() ** (1.0 / ring.p))


def _wasserstein(ring: Ring, epsilon: float) -> dict[str, float]:
    return {name: worst_distance(ring, name, epsilon) for name in ("wpm", "wpm-uniform", *rivals())}


def _divergences(ring: Ring, epsilon: float) -> dict[str, dict[str, float]]:
    mechanisms = ("minimax", "mollifier")
    return {
        name: {mechanism: worst_case_divergence(name, ring.k, epsilon, mechanism) for mechanism in mechanisms}
        for name in DIVERGENCES
    }
