"""Hypothesis strategies for projection problems, with the cases that break numerical code made likely."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

#: Masses that have broken code before: nothing, the smallest normal numbers, one ulp, ordinary ones, equal ones.
_masses = st.one_of(
    st.just(0.0),
    st.just(1e-300),
    st.just(2.2e-16),
    st.just(1.0),
    st.floats(1e-6, 1.0),
    st.floats(1e-20, 1e-3),
)

#: Privacy parameters in nats: the ends, the usual values, and anything between on a logarithmic scale.
epsilons = st.one_of(
    st.sampled_from([1e-6, 1e-3, 0.5, 1.0, math.log(3), 2.0, 5.0, 10.0, 36.0, 100.0]),
    st.floats(math.log(1e-6), math.log(100.0)).map(math.exp),
)


@st.composite
def distributions(draw, k: int):
    """A distribution on k points, often with zeros and with masses that vanish beside the others."""
    kind = draw(st.sampled_from(["any", "any", "dirac", "uniform", "sparse"]))
    weights = np.zeros(k)
    if kind == "dirac":
        weights[draw(st.integers(0, k - 1))] = 1.0
    elif kind == "uniform":
        weights[:] = 1.0
    elif kind == "sparse":
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        weights = rng.dirichlet(np.full(k, 0.1))
    else:
        weights = np.array(draw(st.lists(_masses, min_size=k, max_size=k)))
    if not weights.sum() > 1e-200:
        weights[draw(st.integers(0, k - 1))] = 1.0
    return weights / math.fsum(weights)


@st.composite
def bases(draw, k_v: int, epsilon: float):
    """A base measure whose polytope is not empty: its mass is anywhere in, or on the border of, the interval."""
    weights = draw(distributions(k_v))
    place = draw(st.sampled_from(["inside", "one", "lowest", "highest"]))
    if place == "one":
        return weights
    share = {"inside": draw(st.floats(0.0, 1.0)), "lowest": 0.0, "highest": 1.0}[place]
    return weights * math.exp(epsilon * (share - 0.5))


@st.composite
def distances(draw, k: int, k_v: int, matched: bool = False):
    """Distances of k inputs to k_v outputs, points in the plane drawn from a few places so that some coincide."""
    places = st.integers(0, 6).map(float)
    points = np.array(draw(st.lists(st.tuples(places, places), min_size=k, max_size=k)))
    elsewhere = st.lists(st.tuples(places, places), min_size=k_v, max_size=k_v)
    targets = points if matched else np.array(draw(elsewhere))
    scale = draw(st.sampled_from([1e-3, 1.0, 1e3]))
    return scale * np.linalg.norm(points[:, None] - targets[None], axis=2)


@dataclass(frozen=True)
class Problem:
    """One projection: input, distances, order, base measure, privacy."""

    mu: np.ndarray
    distances: np.ndarray
    p: float
    base: np.ndarray
    epsilon: float

    @property
    def cost(self) -> np.ndarray:
        return self.distances**self.p


@st.composite
def problems(draw, largest: int = 8, matched: bool = False, least: int = 1):
    """Projection problems, k_v != k unless matched."""
    k = draw(st.integers(least, largest))
    k_v = k if matched else draw(st.integers(least, largest))
    epsilon = draw(epsilons)
    return Problem(
        mu=draw(distributions(k)),
        distances=draw(distances(k, k_v, matched)),
        p=draw(st.sampled_from([1.0, 1.5, 2.0, 3.0])),
        base=draw(bases(k_v, epsilon)),
        epsilon=epsilon,
    )


def ordinary(k: int, k_v: int, epsilon: float, seed: int, p: float = 1.0, zeros: bool = True) -> Problem:
    """A problem without degeneracies, k inputs and k_v outputs in the unit square."""
    rng = np.random.default_rng(seed)
    points, targets = rng.uniform(size=(k, 2)), rng.uniform(size=(k_v, 2))
    mu = rng.dirichlet(np.full(k, 0.5))
    if zeros:
        mu[rng.integers(k)] = 0.0
    base = rng.dirichlet(np.full(k_v, 2.0)) * math.exp(rng.uniform(-0.4, 0.4) * epsilon)
    apart = np.linalg.norm(points[:, None] - targets[None], axis=2)
    return Problem(mu / mu.sum(), apart, p, base, epsilon)


ORDINARY = [
    ordinary(6, 6, 1.0, 0),
    ordinary(5, 9, 2.0, 1),
    ordinary(9, 4, 0.3, 2, p=2.0),
    ordinary(7, 7, 4.0, 3, p=2.0),
]
