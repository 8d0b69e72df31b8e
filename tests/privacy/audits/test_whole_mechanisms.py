"""Whole mechanisms at worst pairs: no audit finds more than is promised, and every one would find half the noise.

Local mechanisms are audited exactly, by the ratio of their distributions, and by draws. Central ones are drawn, with
few people and a large delta: then a few hundred runs tell half the noise from all of it. The adversary sees all noisy
values (the tape of `tests.noise`), of which what is published is a function (`mechanisms/central/test_tape_of_noise`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.central import perturbed_barycenter, private_kmeans, private_measure
from tests.noise import Fixed

# ---------------------------------------------------------------- local


def kernel(name: str, epsilon: float) -> np.ndarray:
    """Output distributions of two point inputs for which the mechanism spends nearly all that it may, (2, k).

    One place is far from all others, which coincide; of two places only for the mollifier, to which many are one.
    """
    k = 2 if name == "mollifier" else 300
    distances = np.zeros((k, k))
    distances[0, 1:] = distances[1:, 0] = 1.0
    public = dpot.Public(cost=distances, distances=distances, epsilon=epsilon, base=dpot.uniform_base(k))
    return dpot.MECHANISMS[name](public)(np.eye(k)[:2])


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("name", dpot.MECHANISMS)
def test_a_local_mechanism_spends_its_epsilon_and_not_more(name: str, epsilon: float):
    """Exact; what twice the epsilon gives is refused, hence half the noise is noticed."""
    certificate = dpot.certify(kernel(name, epsilon))
    assert certificate.holds(epsilon)
    assert certificate >= 0.65 * epsilon
    assert not dpot.certify(kernel(name, 2 * epsilon)).holds(epsilon)


@pytest.mark.parametrize("name", dpot.MECHANISMS)
def test_draws_of_a_local_mechanism_are_audited(name: str):
    epsilon = 2.0
    for spent in (epsilon, 2 * epsilon):
        rows = kernel(name, spent)

        def drawn(x: int, n: int, rng: np.random.Generator, rows=rows) -> np.ndarray:
            return rng.choice(rows.shape[1], size=n, p=rows[x])

        found = dpot.audit(drawn, [(0, 1)], 100_000, np.random.default_rng(1), confidence=0.999)
        assert found <= spent
    assert found > epsilon, "half the noise is found with confidence 0.999"


# ---------------------------------------------------------------- central

LINE = ([0.0], [1.0])


def tree(points, rng):
    private_measure.private_measure(points, 3.0, region=LINE, rng=rng, depth=1)


def steps(points, rng, start=((0.5,),), **given):
    given |= {"region": LINE, "rng": rng, "start": start, "steps": 2}
    perturbed_barycenter.perturbed_barycenter([points], 1, 0.2, 0.3, **given)


def steps_by_chunks(points, rng):
    steps(points, rng, method="chunks", chunks=len(points))


def from_a_coreset(points, rng):
    steps(points, rng, start="coreset", depth=1, start_points=4)


def kmeans(points, rng):
    private_kmeans.private_kmeans([points], 1, 0.2, 0.3, region=LINE, rng=rng, start=[[0.5]], rounds=2)


#: What is run, the epsilon and delta that it promises, and how often it is run.
CENTRAL = {
    "tree": (tree, 3.0, 0.0, 600),
    "cells": (steps, 0.2, 0.3, 300),
    "kmeans": (kmeans, 0.2, 0.3, 300),
    "chunks": (steps_by_chunks, 0.2, 0.3, 300),
    "coreset and cells": (from_a_coreset, 0.2, 0.3, 300),
}

#: One person at the other end of the line.
WORST = (np.array([[0.0], [0.0], [0.0]]), np.array([[0.0], [0.0], [1.0]]))


def everything_noisy(release: Callable[..., object]) -> Callable[..., np.ndarray]:
    """A mechanism for `audit` that gives out its noisy values, as many of them as every run has."""

    def mechanism(points: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        fixed, ends = Fixed(), [0]

        def often() -> None:
            for _ in range(n):
                release(points, rng)
                ends.append(len(fixed.tape))

        fixed.record(often)
        rows = [np.concatenate([np.ravel(x) for x in fixed.tape[a:b]]) for a, b in pairwise(ends)]
        return np.array([row[: min(map(len, rows))] for row in rows])

    return mechanism


def halve(monkeypatch) -> None:
    """Half the noise in every step and on every level."""
    steps = [name for name in vars(perturbed_barycenter) if name.startswith("gaussian_noise")]
    others = [(private_kmeans, "gaussian_noise"), (private_measure, "scale_for")]
    for module, name in [*((perturbed_barycenter, name) for name in steps), *others]:
        needed = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *arguments, needed=needed: needed(*arguments) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*list(CENTRAL)[:-1], pytest.param(list(CENTRAL)[-1], marks=pytest.mark.nightly)])
def test_a_central_mechanism_keeps_its_promise_and_half_the_noise_would_not(name: str, monkeypatch):
    release, epsilon, delta, n = CENTRAL[name]

    def found() -> float:
        given = {"n": n, "rng": np.random.default_rng(1), "confidence": 0.999, "delta": delta}
        return dpot.audit(everything_noisy(release), [WORST], **given)

    assert found() <= epsilon
    halve(monkeypatch)
    assert found() > epsilon
