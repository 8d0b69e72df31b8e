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
from dpot_core.distributions import dirichlet
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


def _figure_1() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Costs over their largest, input, lower and upper bounds of Figure 1's ring, by their definitions."""
    steps = np.abs(np.subtract.outer(np.arange(30), np.arange(30)))
    cost = np.minimum(steps, 30 - steps) ** 2
    mass = float(best_uniform_base(cost.astype(float), 5.0).sum())
    mu = dirichlet(30, 0.1, np.random.default_rng(1))
    return cost / cost.max(), mu, np.full(30, math.exp(-2.5) * mass / 30), np.full(30, math.exp(2.5) * mass / 30)


def _round(kernel, mu, v, low, high) -> tuple[np.ndarray, np.ndarray]:
    """A round of Algorithm 1 as it is printed."""
    s = kernel @ (mu / (kernel @ v))
    theta = optimize.brentq(lambda t: np.clip(math.exp(t) * s, low, high).sum() - 1, -300, 300, xtol=1e-14)
    q = np.clip(math.exp(theta) * s, low, high)
    return q, q / s


@pytest.mark.parametrize("reg", [1.0, 0.3])
def test_theorem_4_3_by_algorithm_1_as_it_is_printed(reg: float) -> None:
    """Birkhoff's coefficient from all cross ratios of the kernel: sqrt of the largest, minus 1 over plus 1."""
    unit, mu, low, high = _figure_1()
    kernel, rng = np.exp(-unit / reg), np.random.default_rng(2)
    ratio = max(float((np.outer(a, b) / np.outer(b, a)).max()) for a in kernel for b in kernel)
    c = ((math.sqrt(ratio) - 1) / (math.sqrt(ratio) + 1)) ** 2
    best = np.ones(30)
    for _ in range(500):
        goal, best = _round(kernel, mu, best, low, high)
    largest = 0.0
    for v in np.exp(rng.normal(size=(20, 30))):
        apart = np.ptp(np.log(v / best))
        for t in range(6):
            q, v = _round(kernel, mu, v, low, high)
            largest = max(largest, float((q * np.log(q / goal)).sum()) / (2 * c ** (t + 1) * apart))
    name = f"KL(q_t ‖ q*) over its bound, largest, λ = {reg:g}"
    assert value("wpm-theorem4.3", name) == pytest.approx(largest, rel=1e-5) and largest < 1


def test_figure_1_right_by_algorithm_1_as_it_is_printed() -> None:
    """Where kernels fit into float64: rounds from v = 1 until W₂ is within 1% of its limit, up to a factor of 2."""
    unit, mu, low, high = _figure_1()
    kernel, v, far = np.exp(-unit / 0.1), np.ones(30), {}
    for done in range(1, 2_001):
        q, v = _round(kernel, mu, v, low, high)
        if done in (1, 2, 4, 8, 16, 32, 64, 2_000):
            far[done] = math.sqrt(225 * ot.emd2(mu, q / q.sum(), unit))
    assert value("wpm-fig1-right", "W₂ of Algorithm 1, λ = 0.1 (steps)") == pytest.approx(far[2_000], rel=1e-3)
    off = [done for done, one in far.items() if abs(one - far[2_000]) > 0.01 * far[2_000]]
    assert value("wpm-fig1-right", "rounds until within 1% of its limit, λ = 0.1, at most") == 2 * max(off, default=0.5)
    rounds = [
        value("wpm-fig1-right", f"rounds until within 1% of its limit, λ = {reg:g}, at most")
        for reg in (0.1, 0.03, 0.01, 0.003, 0.001)
    ]
    assert rounds == sorted(rounds) and rounds[-1] > 10 * rounds[0]


def test_proposition_3_3_for_the_exponential_mechanism_by_linear_programming() -> None:
    """Its outputs lie between e^-1 and 1 times their largest; a distribution in there is at least as near."""
    k, steps = 6, np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    distances = np.minimum(steps, k - steps).astype(float)
    widest = max(float(np.ptp(a - b)) for a in distances for b in distances)
    for name in ("k-RR", "KPM", "EM", "Mollifier", "15 random channels"):
        assert value("wpm-prop3.3", f"largest W of WPM minus that of {name} (steps)") < 1e-9
    marginals = np.vstack([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    inputs = np.vstack([np.eye(k), np.random.default_rng(0).dirichlet(np.full(k, 0.3), 10)])
    outputs = np.exp(-inputs @ distances / widest)
    outputs /= outputs.sum(axis=1, keepdims=True)
    assert np.log(outputs.max(axis=0) / outputs.min(axis=0)).max() <= 1.0
    high = outputs.max(axis=0)
    for mu, nu in zip(inputs, outputs, strict=True):
        program = optimize.linprog(
            distances.ravel(),
            A_eq=marginals[:k],
            b_eq=mu,
            A_ub=np.vstack([marginals[k:], -marginals[k:]]),
            b_ub=np.concatenate([high, -math.exp(-1) * high]),
        )
        assert program.fun <= ot.emd2(mu, nu, distances) + 1e-9
