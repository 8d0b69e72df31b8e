"""Accounting of shuffled items: the numbers of the paper's example, exact checks of the theorem, its limits."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, metric_exponential
from dpot_core.mechanisms.metric.shuffling import (
    SLACKS,
    best_item_rate,
    closed_form_rate,
    composition_rate,
    item_rate,
    largest_item_rate,
    shuffled_promise,
)
from tests.marks import every_by_day

N, M, ALPHA, DELTA = 100_000, 1_000, 25.0, 1e-12
GRID = [
    (alpha, delta, m, n)
    for alpha in (0.1, 5.0, 25.0, 500.0)
    for delta in (1e-12, 1e-3, 0.5)
    for m in (1, 10, 1000)
    for n in (1, 1000, 10**6)
    if largest_item_rate(delta, m, n) > 0.0
]


def test_the_example_of_the_paper() -> None:
    """The text says about 3.0, central. Plugged in as the theorem's delta: 2.70. As delta' of (7): 2.41."""
    assert f"{item_rate(ALPHA, DELTA, M, N, slack='inside').item_rate:.3g}" == "2.7"
    assert item_rate(ALPHA, DELTA, M, N, slack="inside").item_rate == pytest.approx(2.70, abs=5e-3)
    assert item_rate(ALPHA, DELTA, M, N, slack="coarse").item_rate == pytest.approx(2.41, abs=5e-3)
    assert item_rate(ALPHA, DELTA, M, N, slack="theorem").item_rate == pytest.approx(2.48, abs=5e-3)
    assert item_rate(ALPHA, DELTA, M, slack="inside").item_rate == pytest.approx(0.0323, abs=5e-5)
    assert item_rate(ALPHA, DELTA, M, N, slack="inside").delta == pytest.approx(9.36e-6, rel=1e-3)


def test_locally_the_example_gains_nothing_over_composition_once_its_delta_is_honoured() -> None:
    assert item_rate(ALPHA, DELTA, M).item_rate == pytest.approx(0.02497, abs=1e-5)
    best = best_item_rate(ALPHA, DELTA, M)
    assert (best.by, best.item_rate, best.delta) == ("composition", 0.025, 0.0)
    assert best_item_rate(ALPHA, DELTA, M, N).by == "shuffling"


@pytest.mark.parametrize("slack", SLACKS)
@pytest.mark.parametrize(("alpha", "delta", "m", "n"), GRID)
def test_the_solution_satisfies_the_theorem_and_uses_it_up(
    alpha: float, delta: float, m: int, n: int, slack: str
) -> None:
    try:
        found = item_rate(alpha, delta, m, n, slack=slack)
    except ValueError as problem:
        assert slack == "coarse" and "too few" in str(problem)
        return
    check = shuffled_promise(found.item_rate, found.delta_inside, m, n)
    assert check.alpha <= alpha and check.delta <= found.delta * (1 + 1e-9)
    assert found.item_rate < found.limit
    if slack != "inside":
        assert found.delta == delta
    if found.limited:
        assert found.item_rate == pytest.approx(found.limit, rel=1e-6)
    else:
        assert check.alpha == pytest.approx(alpha, rel=1e-7)
        if slack == "theorem":
            assert check.delta == pytest.approx(delta, rel=1e-5)


@pytest.mark.parametrize(
    ("alpha0", "delta", "m", "n"), [(0.03, 1e-12, 1000, 1), (2.7, 1e-12, 1000, 10**5), (5, 1e-3, 10, 10**6)]
)
def test_alpha_is_the_supremum_over_all_changes(alpha0: float, delta: float, m: int, n: int) -> None:
    total, log_term = m * n, math.log(4 * m / delta)
    factor = 8 * math.sqrt(math.exp(alpha0) * log_term / total) + 8 * math.exp(alpha0) / total
    w = np.geomspace(1e-9, 1.0, 500)
    h = m * np.log1p(np.expm1(alpha0 * w) / (np.exp(alpha0 * w) + 1) * factor)
    found = shuffled_promise(alpha0, delta, m, n)
    assert (h / w).max() == pytest.approx(found.alpha, rel=1e-6)
    assert all(left >= right - 1e-6 * left for left, right in pairwise(h / w))
    assert found.delta == pytest.approx(delta * math.exp(h[-1]), rel=1e-9)


def hockey_stick(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(np.maximum(p - math.exp(epsilon) * q, 0.0).sum())


def test_the_constants_of_the_amplification_lemma_hold_exactly() -> None:
    """Feldman, McMillan and Talwar, Lemma A.1: (A + 1, C - A) against (A, C - A + 1), summed exactly."""
    for m, delta, p in [(400, 1e-2, 0.25), (400, 1e-2, 1.0), (1500, 1e-6, 0.2), (1500, 1e-6, 0.7)]:
        assert p >= 16 * math.log(2 / delta) / m
        epsilon = math.log1p(8 * math.sqrt(math.log(4 / delta) / (p * m)) + 8 / (p * m))
        total = 0.0
        c = np.arange(m)
        weights = stats.binom.pmf(c, m - 1, p)
        for count, weight in zip(c[weights > 1e-18], weights[weights > 1e-18], strict=True):
            first = stats.binom.pmf(np.arange(-1, count + 1), count, 0.5)  # A + 1 = 0..count+1
            second = stats.binom.pmf(np.arange(0, count + 2), count, 0.5)
            total += weight * hockey_stick(first, second, epsilon)
        assert total <= delta


def cost(alpha0: float, delta: float, total: int, moved: int, distance: float) -> tuple[float, float]:
    """Theorem 4.3: epsilon and slack when so many of the items move by a distance each."""
    factor = 8 * math.sqrt(math.exp(alpha0) * math.log(4 * moved / delta) / total) + 8 * math.exp(alpha0) / total
    epsilon = moved * math.log1p(math.tanh(alpha0 * distance / 2) * factor)
    return epsilon, delta * math.exp(epsilon)


def holds(mine: np.ndarray, other: np.ndarray, epsilon: float, slack: float) -> bool:
    """Both directions; the case must not be trivial: without epsilon the two differ by more than the slack."""
    assert slack < 1.0 and hockey_stick(mine, other, 0.0) > slack
    return max(hockey_stick(mine, other, epsilon), hockey_stick(other, mine, epsilon)) <= slack


@pytest.mark.parametrize(
    ("alpha0", "delta", "moves"), [(0.3, 1e-6, [1, 2, 5]), (1.4, 1e-2, [1]), (0.02, 1e-12, [1, 40, 1200])]
)
def test_the_theorem_holds_exactly_for_two_points(alpha0: float, delta: float, moves: list[int]) -> None:
    """Two places at distance 1, randomized response with alpha_0: shuffled outputs are a count, known exactly."""
    m = 1200
    promise = shuffled_promise(alpha0, delta, m)
    truthful = math.exp(alpha0) / (1 + math.exp(alpha0))

    def count(ones: int) -> np.ndarray:
        first = stats.binom.pmf(np.arange(ones + 1), ones, truthful)
        second = stats.binom.pmf(np.arange(m - ones + 1), m - ones, 1 - truthful)
        return np.convolve(first, second)

    for moved in moves:
        for ones in {0, (m - moved) // 2}:
            epsilon, slack = cost(alpha0, delta, m, moved, 1.0)
            assert holds(count(ones), count(ones + moved), epsilon, slack)
            # What is promised for this earth mover's distance allows at least as much.
            assert epsilon <= promise.alpha * moved / m * (1 + 1e-12) and slack <= promise.delta


@pytest.mark.slow
@pytest.mark.parametrize("near", every_by_day(2, [0.2, 0.5]))
def test_the_theorem_holds_exactly_for_near_points_among_far_ones(near: float) -> None:
    """Two near places and a far one, metric exponential mechanism: counts of three outputs, by Fourier transform."""
    m, delta, size = 400, 1e-5, 512
    distances = np.array([[0.0, near, 1.0], [near, 0.0, 1.0], [1.0, 1.0, 0.0]])
    kernel = metric_exponential(distances, 0.25)
    alpha0 = achieved_rate(kernel, distances)
    promise = shuffled_promise(alpha0, delta, m)
    roots = np.exp(-2j * np.pi * np.arange(size) / size)
    factors = [p[0] * roots[:, None] + p[1] * roots[None, :] + p[2] for p in kernel]

    def counts(items: tuple[int, int, int]) -> np.ndarray:
        """Joint law of the first two counts: the product of one generating function per item."""
        return np.fft.ifft2(math.prod(f**n for f, n in zip(factors, items, strict=True))).real

    for here, far, moved in [(400, 0, 1), (200, 200, 1), (1, 399, 1), (400, 0, 12), (200, 200, 12)]:
        epsilon, slack = cost(alpha0, delta, m, moved, near)
        assert holds(counts((here, 0, far)), counts((here - moved, moved, far)), epsilon, slack)
        assert epsilon <= promise.alpha * moved * near / m * (1 + 1e-12) and slack <= promise.delta


def test_less_is_spent_with_more_people_and_with_more_slack() -> None:
    rates = [item_rate(5.0, 1e-9, 100, n).item_rate for n in (100, 10**3, 10**4, 10**6)]
    assert all(low < high for low, high in pairwise(rates))
    rates = [item_rate(5.0, delta, 100, 1000).item_rate for delta in (1e-12, 1e-9, 1e-6, 1e-3)]
    assert all(low < high for low, high in pairwise(rates))


def test_closed_forms_are_safe_below_alpha_0_of_4_and_not_always_beyond() -> None:
    beyond = 0
    for alpha, delta, m, n in GRID:
        closed = closed_form_rate(alpha, delta, m, n)
        if math.isnan(closed):
            assert alpha >= m
            continue
        exact = item_rate(alpha, delta, m, n).item_rate
        if closed <= 4.0 and not item_rate(alpha, delta, m, n).limited:
            assert closed <= exact * (1 + 1e-9)
        beyond += closed > exact
    assert beyond > 0


def test_one_item_and_few_items() -> None:
    """m = 1, local: nothing to hide among. Composition then is the item mechanism itself."""
    with pytest.raises(ValueError, match=r"1 shuffled outputs with m = 1 .* too few .* use composition"):
        item_rate(25.0, 1e-12, 1)
    assert largest_item_rate(1e-12, 1) < 0.0
    assert best_item_rate(25.0, 1e-12, 1) == composition_rate(25.0, 1)
    assert composition_rate(25.0, 1).item_rate == 25.0
    assert best_item_rate(25.0, 1e-12, 1, 10**6).by == "composition"  # alpha_0 = alpha needs no hiding


@pytest.mark.parametrize("delta", [0.0, 1.0, 1.5, -1e-3, math.nan])
def test_delta_out_of_range_is_refused(delta: float) -> None:
    with pytest.raises(ValueError, match="delta must lie"):
        item_rate(25.0, delta, 1000)


def test_alpha_0_beyond_the_limit_is_refused_and_the_limit_named() -> None:
    with pytest.raises(ValueError, match=r"limit log\(N/\(16 log\(4 m/delta\)\)\) = 0.5537 with N = 1,000.* got 0.6"):
        shuffled_promise(0.6, 1e-12, 1000)
    with pytest.raises(ValueError, match="so few outputs hide nothing"):
        shuffled_promise(0.6, 1e-12, 10)
    with pytest.raises(ValueError, match="slack must be one of"):
        item_rate(25.0, 1e-12, 1000, slack="none")
