"""Wasserstein projection: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

import math

import numpy as np
import ot
import pytest
from scipy import optimize, sparse, special

from dpot_app.cities.city import make_city
from dpot_app.cities.place import Place
from dpot_core.base_measures.scaled import best_uniform_base
from dpot_core.datasets import DatasetMissing
from dpot_core.datasets.gowalla import load_gowalla_austin
from dpot_core.privacy.polytopes import Polytope
from tests.views.papers.recorded import value


def test_forty_rounds_are_enough_over_the_diameter_and_not_in_kilometres() -> None:
    """On a line of ten cells by Algorithm 1 as it is printed, against the exact projection by linear programming."""
    k, epsilon = 10, 4.0
    cost = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1)
    low, high = np.full(k, math.exp(-epsilon / 2) / k), np.full(k, math.exp(epsilon / 2) / k)
    mu = np.zeros(k)
    mu[[0, 1, 7]] = 0.5, 0.3, 0.2
    marginals = np.vstack([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    exact = optimize.linprog(
        cost.ravel(),
        A_eq=marginals[:k],
        b_eq=mu,
        A_ub=np.vstack([marginals[k:], -marginals[k:]]),
        b_ub=np.concatenate([high, -low]),
    ).fun
    reached = {}
    for words, scale in (("over the diameter", 1.0), ("in km", 53.3)):
        kernel, v = np.exp(-scale * cost / 0.01), np.ones(k)
        for _ in range(40):
            s = np.maximum((mu / np.maximum(kernel @ v, 1e-290)) @ kernel, 1e-290)
            theta = optimize.brentq(lambda t, s=s: np.clip(math.exp(t) * s, low, high).sum() - 1, -200, 600)
            q = np.clip(math.exp(theta) * s, low, high)
            v = q / s
        reached[words] = float(np.abs(np.cumsum(q - mu)).sum() / (k - 1)) / exact
    assert reached["over the diameter"] < 1.02
    for e in (1, 2, 4):
        names = [f"W₁ over that of the exact projection, C {words}, ε = {e}" for words in reached]
        diameter, kilometres = (value("wpm-enough", name) for name in names)
        assert 1 - 1e-9 <= diameter < 1.01 and kilometres > 1.02


@pytest.mark.nightly
def test_forty_rounds_on_gowalla_in_logarithms_against_the_linear_program() -> None:
    """The same 50 people at epsilon 4, without any of our solvers."""
    try:
        city = make_city(load_gowalla_austin(), Place())
    except DatasetMissing:
        pytest.skip("Gowalla is not on this machine")
    people = city.histograms[:: len(city.histograms) // 50][:50]
    unit = city.distances / city.diameter
    base = Polytope(best_uniform_base(city.cost, 4.0), 4.0)
    low, high = base.lower, base.upper
    best, reached = 0.0, {"over the diameter": 0.0, "in km": 0.0}
    for mu in people:
        held = np.flatnonzero(mu)
        k, cost = len(held), unit[held]
        sources, sinks = sparse.kron(sparse.eye(k), np.ones((1, 400))), sparse.kron(np.ones((1, k)), sparse.eye(400))
        program = optimize.linprog(
            cost.ravel(),
            A_eq=sources.tocsr(),
            b_eq=mu[held],
            A_ub=sparse.vstack([sinks, -sinks]).tocsr(),
            b_ub=np.concatenate([high, -low]),
        )
        best += program.fun
        for words, scale in (("over the diameter", 1.0), ("in km", city.diameter)):
            log_k, log_v = -scale * cost / 0.01, np.zeros(400)
            for _ in range(40):
                log_u = np.log(mu[held]) - special.logsumexp(log_k + log_v, axis=1)
                log_s = special.logsumexp(log_k + log_u[:, None], axis=0)
                theta = optimize.brentq(
                    lambda t, s=log_s: np.clip(np.exp(np.minimum(t + s, 700)), low, high).sum() - 1, -50, 20_000
                )
                q = np.clip(np.exp(np.minimum(theta + log_s, 700)), low, high)
                log_v = np.log(q) - log_s
            reached[words] += float(ot.emd2(mu[held], q / q.sum(), np.ascontiguousarray(cost)))
    for words, total in reached.items():
        name = f"W₁ over that of the exact projection, C {words}, ε = 4"
        assert value("wpm-enough", name) == pytest.approx(total / best, rel=2e-3)
