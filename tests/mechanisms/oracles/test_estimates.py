"""Frequency oracles: unbiased, of the variance stated, with optimal parameters; and which of them is better where."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dpot_core.mechanisms.metric.frequency import k_rr
from dpot_core.mechanisms.oracles import ORACLES, OptimalLocalHashing, OptimisedUnaryEncoding, SubsetSelection
from dpot_core.mechanisms.randomized_response import decode_randomized_response
from tests.mechanisms.oracles.by_enumeration import sums, supports

SIZES, EPSILONS = (2, 3, 5, 12, 50, 400, 1024), (0.05, 0.25, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)


# --- by enumeration -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize(("k", "epsilon"), [(2, 0.3), (3, 1.0), (3, 2.0), (5, 0.7)])
def test_the_estimate_is_unbiased_and_has_the_variance_stated(name: str, k: int, epsilon: float) -> None:
    oracle = ORACLES[name](k, epsilon)
    for item in range(k):
        law = supports(oracle, item)
        bits, chances = np.array(list(law), dtype=float), np.array([float(chance) for chance in law.values()])
        estimates = oracle.estimate(bits, 1)
        mean = chances @ estimates
        np.testing.assert_allclose(mean, np.eye(k)[item], atol=1e-12)
        variance = chances @ estimates**2 - mean**2
        np.testing.assert_allclose(oracle.variance(np.eye(k)[item], 1), variance, rtol=1e-12)
        assert oracle.spread() == pytest.approx(variance.sum(), rel=1e-12)


@pytest.mark.parametrize("name", ORACLES)
def test_the_same_of_several_people(name: str) -> None:
    oracle, items = ORACLES[name](3, 1.0), [0, 0, 2]
    law = sums(oracle, items)
    chances = np.array([float(chance) for chance in law.values()])
    estimates = oracle.estimate(np.array(list(law)), 3)
    truth = np.bincount(items, minlength=3) / 3
    np.testing.assert_allclose(chances @ estimates, truth, atol=1e-12)
    np.testing.assert_allclose(oracle.variance(truth, 3), chances @ (estimates - truth) ** 2, rtol=1e-12)


def binomials(own: Fraction, other: Fraction, counts: list[int]) -> dict[tuple[int, ...], Fraction]:
    """``Bin(c_v, own) + Bin(n - c_v, other)``, independent over the items."""

    def chances(trials: int, success: Fraction) -> list[Fraction]:
        return [math.comb(trials, h) * success**h * (1 - success) ** (trials - h) for h in range(trials + 1)]

    n = sum(counts)
    each = []
    for count in counts:
        one, more = chances(count, own), chances(n - count, other)
        each.append(
            [sum((one[a] * more[h - a] for a in range(len(one)) if 0 <= h - a < len(more)), Fraction(0))
             for h in range(n + 1)]
        )  # fmt: skip
    return {key: math.prod(row[h] for row, h in zip(each, key, strict=True)) for key in product(range(n + 1), repeat=3)}


@pytest.mark.parametrize(("name", "exact"), [("oue", True), ("olh", True), ("subset", False)])
def test_sums_of_reports_are_binomials_of_two_oracles_and_not_of_the_third(name: str, exact: bool) -> None:
    """Exact fractions, over all reports of three people."""
    oracle = ORACLES[name](3, 1.0)
    other = Fraction(1, oracle.values) if isinstance(oracle, OptimalLocalHashing) else Fraction(oracle.other)
    drawn = binomials(1 - Fraction(oracle.lost), other, [2, 0, 1])
    law = sums(oracle, [0, 0, 2])
    assert (all(drawn[key] == law.get(key, 0) for key in drawn)) is exact


@pytest.mark.parametrize("name", ORACLES)
def test_sums_are_drawn_from_the_law_of_summed_reports(name: str) -> None:
    oracle, rng, n = ORACLES[name](3, 1.0), np.random.default_rng(5), 2_000
    law = sums(oracle, [0, 0, 2])
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(n):
        found = tuple(oracle.support_counts([2, 0, 1], rng).tolist())
        seen[found] = seen.get(found, 0) + 1
    expected = {key: n * float(chance) for key, chance in law.items() if chance}
    assert seen.keys() <= expected.keys()
    freedom = len(expected) - 1
    far = sum((seen.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())
    assert far < freedom + 5 * math.sqrt(2 * freedom) + 5


@pytest.mark.parametrize("name", ORACLES)
def test_many_reports_are_as_far_off_as_the_variance_says(name: str) -> None:
    counts, rng = np.array([3000, 0, 500, 1500, *[0] * 36]), np.random.default_rng(3)
    oracle, n = ORACLES[name](40, 1.5), 5000
    runs = oracle.estimate([oracle.support_counts(counts, rng) for _ in range(60)], n)
    off = (runs - counts / n) / np.sqrt(oracle.variance(counts / n, n))
    assert abs(off.mean()) < 4 / math.sqrt(off.size)
    assert (off**2).mean() == pytest.approx(1.0, abs=5 * math.sqrt(2 / off.size))
    near = oracle.distribution(np.round(counts * (1 - oracle.lost) + (n - counts) * oracle.other), n)
    assert near.min() >= 0.0 and near.sum() == pytest.approx(1.0) and np.abs(near - counts / n).max() < 2e-3


def test_a_block_of_reports_is_as_good_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_core.mechanisms.oracles.oracle._ENTRIES", 40)
    oracle = SubsetSelection(10, 30.0)
    counts = np.arange(10)
    np.testing.assert_array_equal(oracle.support_counts(counts, np.random.default_rng(0)), counts)


# --- parameters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_parameters_are_the_best_of_all(epsilon: float) -> None:
    rare = np.exp(-epsilon)
    # Unary encoding: every p with the q that its ratio allows.
    p = np.linspace(0.01, 0.99, 99)
    q = 1 / (np.exp(epsilon) * (1 - p) / p + 1)
    assert (q * (1 - q) / (p - q) ** 2).argmin() == 49 and p[49] == pytest.approx(0.5)
    # Hashing: one value more or less is no better, and nor is any other number.
    others = np.arange(1.0, 3 * math.exp(epsilon) + 5)
    best = OptimalLocalHashing(7, epsilon).values - 1
    assert ((1 + others * rare) ** 2 / others).min() == pytest.approx((1 + best * rare) ** 2 / best, rel=1e-15)
    for k in SIZES[1:5]:
        spreads = [SubsetSelection(k, epsilon, size).spread() for size in range(1, k)]
        assert SubsetSelection(k, epsilon).spread() == pytest.approx(min(spreads), rel=1e-9)


def test_the_number_of_values_is_chosen_between_two_neighbours() -> None:
    """``m (m + 1)`` against ``e^(2 epsilon)``, on both sides: rounding e^epsilon takes the worse one in between."""
    for m in (1, 2, 3, 10):
        turn = 0.5 * math.log(m * (m + 1))
        assert OptimalLocalHashing(5, turn * (1 - 1e-9)).values == m + 1
        assert OptimalLocalHashing(5, turn * (1 + 1e-9)).values == m + 2
    assert OptimalLocalHashing(5, 700.0).values == 2**52


# --- which one --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_unary_encoding_is_better_than_k_rr_of_rare_items_from_3_e_to_the_epsilon_plus_2_items_on(
    k: int, epsilon: float
) -> None:
    """Wang, Blocki, Li, Jha 2017, section 5: k < 3 e^epsilon + 2 is where k-RR is the better one."""
    power, rare = math.exp(epsilon), np.eye(k)[0]
    response = SubsetSelection(k, epsilon, 1).variance(rare, 1)[-1]
    encoding, hashing = (build(k, epsilon).variance(rare, 1)[-1] for build in (ORACLES["oue"], ORACLES["olh"]))
    assert response == pytest.approx((k - 2 + power) / (power - 1) ** 2, rel=1e-9)
    assert encoding == pytest.approx(4 * power / (power - 1) ** 2, rel=1e-9)
    assert (encoding < response) == (k > 3 * power + 2)
    # A whole number of values costs hashing little.
    assert encoding * (1 - 1e-9) <= hashing <= encoding * 1.13


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_subset_selection_is_as_good_as_all_others_in_squared_error(k: int, epsilon: float) -> None:
    best = SubsetSelection(k, epsilon).spread()
    for other in (SubsetSelection(k, epsilon, 1), OptimisedUnaryEncoding(k, epsilon), OptimalLocalHashing(k, epsilon)):
        assert best <= other.spread() * (1 + 1e-9)


def test_subset_selection_of_one_item_is_k_rr() -> None:
    oracle, counts = SubsetSelection(6, 1.2, 1), np.array([10, 5, 0, 3, 1, 1])
    np.testing.assert_allclose(oracle.distribution(counts, 20), decode_randomized_response(counts / 20, 1.2))
    matrix = k_rr(6, 1.2).matrix()
    assert 1 - oracle.lost == pytest.approx(matrix[0, 0]) and oracle.other == pytest.approx(matrix[0, 1])


def test_with_many_people_a_count_of_an_item_is_binomial() -> None:
    """The marginal of a sum, also of subset selection, whose bits depend on each other."""
    oracle, rng = SubsetSelection(20, 1.0), np.random.default_rng(9)
    found = np.array([oracle.support_counts([0, 30, *[0] * 18], rng) for _ in range(400)])
    for at, chance in ((1, 1 - oracle.lost), (5, oracle.other)):
        assert found[:, at].mean() == pytest.approx(30 * chance, abs=4 * math.sqrt(30 / 4 / 400))
        assert (found[:, at] <= binom.ppf(0.5, 30, chance)).mean() > 0.4
    assert (found.sum(axis=1) == 30 * oracle.size).all()
