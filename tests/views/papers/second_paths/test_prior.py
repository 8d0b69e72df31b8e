"""Sampling near a public prior: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from dpot_app.views.papers.numbers import prior
from tests.views.papers.recorded import value

#: f with D_f(p || q) the mean of f(p / q) under q.
GENERATORS = {
    "kl": lambda x: x * math.log(x),
    "tv": lambda x: abs(x - 1) / 2,
    "hellinger": lambda x: (1 - math.sqrt(x)) ** 2 / 2,
}


def two_points(name: str, upper: float, lower: float, gamma: float) -> float:
    """The worst case where outputs lie between lower and upper times the prior: p / q is 1/(gamma lower) at least."""
    low, high, f = 1 / gamma / lower, gamma / upper, GENERATORS[name]
    return ((1 - low) * f(high) + (high - 1) * f(low)) / (high - low)


@pytest.mark.parametrize("k", prior.FINITE)
def test_figures_of_finite_spaces_by_their_bands(k: int) -> None:
    """Pure: b and b e^epsilon. Gaussian: a mixture of input and prior, its share a minimum over beta on a grid."""
    gamma = k / 2 - 1
    for place, budget in enumerate(prior.BUDGETS):
        lower = (gamma + 1) / (gamma + math.exp(budget))
        beta = np.linspace(0, 20, 200_001)
        delta = stats.norm.cdf(budget / 2 - beta / budget) - np.exp(beta) * stats.norm.cdf(-budget / 2 - beta / budget)
        least = 1 / gamma
        share = ((gamma - least) / (1 - least) * delta + np.expm1(beta)) / ((1 - least) * np.exp(beta) + gamma - 1)
        mixed = float(share.min())
        for row, name in enumerate(GENERATORS):
            pure = two_points(name, lower * math.exp(budget), lower, gamma)
            assert pure == pytest.approx(prior.FINITE[k][row][place], abs=2e-7)
            linear = two_points(name, 1 + mixed * (gamma - 1), 1 - mixed * (1 - least), gamma)
            assert linear == pytest.approx(prior.GAUSSIAN[k][row][place], abs=1e-6)
            if name == "kl" and budget == 1.0:
                assert value("prior-fig3", f"KL, k = {k}, ε = 1") == pytest.approx(pure)
                assert value("prior-fig7", f"KL, k = {k}, μ = 1") == pytest.approx(linear, rel=1e-5)
    assert value("prior-fig3", "farthest from one of 36 bars") < 2e-7
    assert value("prior-fig7", "farthest from one of 36 bars") < 2e-6


def test_laplace_mixtures_by_clipping_and_bisection_on_a_grid() -> None:
    """The authors' 100 inputs at epsilon 1 on 8,001 points, without quadrature or nodes of ours."""
    x = np.linspace(-32, 32, 8_001)
    weights = np.full(len(x), x[1] - x[0])
    h = np.exp(-np.abs(x)) / 2
    ends = {"around the prior": (1 / 3, 3.0), "for a family three times as wide": (1 / (3 * math.e), 3 * math.e)}
    largest = dict.fromkeys(ends, 0.0)
    for p in (density(x) for density in prior.mixtures(3)):
        for words, (c1, c2) in ends.items():
            b = (c2 - c1) / ((math.e - 1) * (1 - c1) + c2 - c1)
            r = optimize.brentq(
                lambda r, p=p, b=b: float(weights @ np.clip(p / r, b * h, b * math.e * h)) - 1, 0.2, 5.0
            )
            q = np.clip(p / r, b * h, b * math.e * h)
            largest[words] = max(largest[words], float(weights @ (p * np.log(p / q))))
    for words, found in largest.items():
        assert value("prior-fig4", f"KL {words}, ε = 1") == pytest.approx(found, abs=1e-4)
        assert found == pytest.approx(prior.LAPLACE[words][0][2], abs=1e-4)
    assert value("prior-fig4", "farthest from one of 24 bars") < 1e-4


def test_the_linear_sampler_on_the_line_by_its_share() -> None:
    """At mu = 1, with the minimum over beta at c1 = 1/3, c2 = 3; KPM in its band is nearer."""
    beta = np.linspace(0, 20, 200_001)
    delta = stats.norm.cdf(0.5 - beta) - np.exp(beta) * stats.norm.cdf(-0.5 - beta)
    mixed = float(((4 * delta + np.expm1(beta)) / (2 / 3 * np.exp(beta) + 2)).min())
    x = np.linspace(-32, 32, 8_001)
    h, step = np.exp(-np.abs(x)) / 2, x[1] - x[0]
    lost = [
        float(step * (p * np.log(p / (mixed * p + (1 - mixed) * h))).sum()) for p in (d(x) for d in prior.mixtures(3))
    ]
    linear = value("prior-fig10", "KL, linear, μ = 1")
    assert linear == pytest.approx(max(lost), abs=1e-4)
    assert value("prior-fig10", "KL, KPM in the same band, μ = 1") <= linear
    assert value("prior-fig10", "farthest from one of 12 bars") < 1e-4


def test_in_the_plane_the_local_sampler_is_nearer_in_truth_and_not_in_the_figure() -> None:
    """Total variation at epsilon 0.1 by draws from the prior, E|P/P0 - 1|/2 times the share of it that is lost."""
    rng = np.random.default_rng(0)
    draws = rng.laplace(0.0, 1.0, (200_000, 2))
    draws = draws[(np.abs(draws) <= 10).all(axis=1)]
    program, largest = np.random.default_rng(1), 0.0
    for _ in range(100):
        modes = min(int(program.poisson(2)) + 1, 10)
        signs, far = program.choice([-1, 1], (modes, 2)), program.exponential(1.0, (modes, 2))
        centres = signs * far / far.sum(axis=1, keepdims=True) * program.uniform(0, 1, (modes, 1))
        ratio = np.zeros(len(draws))
        for centre, weight in zip(centres, program.dirichlet(np.ones(modes)), strict=True):
            ratio += weight * np.exp(np.abs(draws).sum(axis=1) - np.abs(draws - centre).sum(axis=1))
        largest = max(largest, float(np.abs(ratio / ratio.mean() - 1).mean()) / 2)
    for words, low, high in (
        ("around the prior", 1 / 3, 3.0),
        ("for a family three times as wide", 1 / (3 * math.e), 3 * math.e),
    ):
        kept = math.expm1(0.1) / ((1 - low) * math.exp(0.1) + high - 1)
        assert value("prior-fig11", f"TV {words}, ε = 0.1") == pytest.approx((1 - kept) * largest, rel=0.02)
    for epsilon in prior.BUDGETS:
        near, wide = (value("prior-fig11", f"TV {words}, ε = {epsilon:g}") for words in prior.LAPLACE)
        assert near < wide
