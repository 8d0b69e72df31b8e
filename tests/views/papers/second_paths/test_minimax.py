"""Minimax-optimal sampling: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, optimize

from dpot_app.views.papers.numbers import minimax_reach
from tests.views.papers.recorded import value


def test_theorem_3_1_by_r1_and_r2() -> None:
    high = (math.e + 9) / math.e
    for label, f in (
        ("KL", lambda x: x * math.log(x) if x else 0.0),
        ("TV", lambda x: abs(x - 1) / 2),
        ("Hellinger²", lambda x: (1 - math.sqrt(x)) ** 2 / 2),
    ):
        by_formula = f(high) / high + (high - 1) / high * f(0.0)
        name = f"{label}: least worst case of any channel, by linear programming"
        assert value("minimax-theorem3.1", name) == pytest.approx(by_formula)


def test_theorem_3_3_on_a_grid() -> None:
    """The extreme input on 200,000 points, its output by clipping and bisection."""
    c1, c2 = 0.2, 3.0
    b = (c2 - c1) / ((math.e - 1) * (1 - c1) + c2 - c1)
    x = (np.arange(200_000) + 0.5) / 200_000
    h = 2 * x
    p = np.where(x < math.sqrt((1 - c1) / (c2 - c1)), c2, c1) * h
    r = optimize.brentq(lambda r: np.clip(p / r, b * h, b * math.e * h).mean() - 1, 0.01, 10)
    q = np.clip(p / r, b * h, b * math.e * h)
    for label, found in (("KL", (p * np.log(p / q)).mean()), ("TV", np.abs(p - q).mean() / 2)):
        for words in ("R", "an extreme input"):
            assert value("minimax-theorem3.3", f"{label} of {words}, h = 2x, c1 = 1/5, c2 = 3") == pytest.approx(
                found, abs=2e-4
            )


def test_figure_2_by_its_formula() -> None:
    p = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    for epsilon in (0.01, 0.1, 0.5, 1.0, 5.0):
        low = 1 / (math.exp(epsilon) + 4)
        r = optimize.brentq(lambda r, low=low: np.maximum(p / r, low).sum() - 1, 0.99, 10)
        q = np.maximum(p / r, low)
        for words, other in (("P", p), ("the uniform distribution", 0.2)):
            name = f"TV of KPM to {words}, ε = {epsilon:g}"
            assert value("minimax-fig2", name) == pytest.approx(np.abs(q - other).sum() / 2, abs=1e-9)
    assert value("minimax-fig2", "TV of KPM to P, ε = 5") == pytest.approx(0.0, abs=1e-12)


def test_the_mollifier_around_any_reference_by_its_largest_mass() -> None:
    """Of a point the nearest output has min(e^(ε/2) q, 1 - e^(-ε/2) (1 - q)) at it, for a reference with q there."""
    for q, name in ((0.1, "worst case around the uniform reference"),):
        mass = min(math.exp(0.5) * q, 1 - math.exp(-0.5) * (1 - q))
        assert value("minimax-appendixF.1", f"KL: {name}") == pytest.approx(-math.log(mass))
        assert value("minimax-appendixF.1", f"TV: {name}") == pytest.approx(1 - mass)
        assert value("minimax-appendixF.1", f"Hellinger²: {name}") == pytest.approx(1 - math.sqrt(mass))
    # It rises in q, so that the worst point is the rarest one, and no reference has a rarest point above 1/k.
    least = np.random.default_rng(9).dirichlet(np.full(10, 30.0), 500).min(axis=1).max()
    mass = min(math.exp(0.5) * least, 1 - math.exp(-0.5) * (1 - least))
    assert value("minimax-appendixF.1", "TV: least around 500 others") == pytest.approx(1 - mass)


def test_spans_of_mbde_and_what_they_reach() -> None:
    """Spans by hand; the least KL of one mixture by a search over outputs that are clipped and normalised."""
    assert value("minimax-mbde", "span of the log-density, their program") == pytest.approx(0.2 + 0.04 + 0.008)
    base = 1 / (1 + 4 * math.log(2))
    ours = 2 * math.log(2) * sum(base**t for t in range(1, 11))
    assert value("minimax-mbde", "span of the log-density, ours") == pytest.approx(ours)
    x = np.linspace(-4, 4, 8_001)

    def over(values: np.ndarray) -> float:
        return float(integrate.simpson(values, x=x))

    q0 = np.exp(-(x**2) / 2)
    q0 /= over(q0)
    p = np.exp(-((x - 0.8) ** 2) / 2)
    p /= over(p)

    def divergence(shift: float, span: float) -> float:
        q = q0 * np.exp(np.clip(np.log(p / q0) + shift, 0.0, span))
        return over(p * np.log(p / q * over(q)))

    weights = np.full(len(x), 8 / 8_000)
    weights[[0, -1]] /= 2
    for span in (0.248, ours):
        best = optimize.minimize_scalar(divergence, bounds=(-2, 2), args=(span,), method="bounded").fun
        near = minimax_reach.nearest(p / (weights @ p), q0 / (weights @ q0), weights, span)
        assert over(p * np.log(p / near)) == pytest.approx(best, abs=1e-5)
    least = value("minimax-mbde", "least KL within it, their program")
    assert value("minimax-mbde", "KL, ours") < least < value("minimax-mbde", "KL, published")
    assert value("minimax-mbde", "least KL within it, ours") < value("minimax-mbde", "KL, ours")


def test_sums_of_formula_6_by_hand() -> None:
    """As r tends to 0, P's point has e^(1/2) Q0 and the others e^(-1/2) Q0."""
    for there, words in ((0.0, "Q₀ another point"), (0.1, "Q₀ uniform"), (0.4, "Q₀ with 0.4 there")):
        total = math.exp(0.5) * there + math.exp(-0.5) * (1 - there)
        assert value("minimax-2.3", f"largest sum of (6) over r, P a point, {words}") == pytest.approx(total)
        assert (total < 1) == (there < 1 / (1 + math.exp(0.5)))
    nearest = value("minimax-2.3", "least KL of any output near it")
    assert value("minimax-2.3", "KL of ours, Q₀ uniform") == pytest.approx(nearest) == pytest.approx(math.log(10) - 0.5)
    assert abs(value("minimax-2.3", "(8) minus (6) with a measure as Q₀")) < 1e-12


def test_limits_of_appendix_e_by_their_bounds() -> None:
    """Every probability lies between 1/(e^ε + k - 1) and e^ε times that, and points have both ends."""
    for epsilon in (0.1, 0.01):
        top = math.exp(epsilon) / (math.exp(epsilon) + 9) - 0.1
        name = f"farthest of KPM's probabilities from 1/k, ε = {epsilon:g}"
        assert value("minimax-appendixE", name) == pytest.approx(top)
    assert value("minimax-appendixE", "R in KL, k = 10, ε = 20") == pytest.approx(math.log1p(9 * math.exp(-20)))
    r2 = (math.exp(20) + 2) / math.exp(20)
    assert value("minimax-appendixE", "R in KL, densities up to 3, ε = 20") == pytest.approx(math.log(r2), rel=1e-6)
    for grows in ("largest step of R as ε grows", "largest step of R as ε grows, densities up to 3"):
        assert value("minimax-appendixE", grows) <= 0
    assert value("minimax-appendixE", "least step of R as k grows") >= 0
    low, high = 1 / (math.e + 9), math.e / (math.e + 9)
    for rest in (1e-3, 1e-6, 1e-12):
        reverse = high * math.log(high / (1 - rest)) + 9 * low * math.log(low * 9 / rest)
        name = f"reverse KL of KPM, ε = 1, all but {rest:g} at one point"
        assert value("minimax-appendixE", name) == pytest.approx(reverse)
