"""Frequency oracles: no report tells two items apart by more than e^epsilon, and samplers draw from the laws."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from dpot_core.mechanisms.oracles import (
    ORACLES,
    FrequencyOracle,
    OptimalLocalHashing,
    OptimisedUnaryEncoding,
    SubsetSelection,
)
from tests.mechanisms.oracles.by_enumeration import laws

SMALL = [(2, 0.3), (3, 1.0), (3, 2.0), (5, 0.7)]


def compared(ratio: Fraction, epsilon: float) -> tuple[bool, bool]:
    """Whether a ratio is at most e^epsilon, and above it but for one part in 10^13."""
    with localcontext() as context:
        context.prec = 60
        bound, value = Decimal(epsilon).exp(), Decimal(ratio.numerator) / Decimal(ratio.denominator)
        return value <= bound, value >= bound * (1 - Decimal(10) ** -13)


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize(("k", "epsilon"), SMALL)
def test_no_report_tells_two_items_apart_by_more_than_e_to_the_epsilon(name: str, k: int, epsilon: float) -> None:
    """All reports and all pairs of items, in exact arithmetic on the coins that are tossed."""
    reports = laws(ORACLES[name](k, epsilon))
    assert [sum(law[item] for law in reports.values()) for item in range(k)] == [1] * k
    assert compared(max(max(law) / min(law) for law in reports.values()), epsilon) == (True, True)


def worst_ratio(oracle: FrequencyOracle) -> Fraction:
    lost, other = Fraction(oracle.lost), Fraction(oracle.other)
    if isinstance(oracle, OptimisedUnaryEncoding):
        return (1 - lost) * (1 - other) / (lost * other)
    if isinstance(oracle, OptimalLocalHashing):
        return (1 - lost) * (oracle.values - 1) / lost
    assert isinstance(oracle, SubsetSelection)
    return (1 - lost) * (oracle.k - oracle.size) / (lost * oracle.size)


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("k", [2, 3, 400, 16_384])
def test_the_ratio_of_the_coins_never_exceeds_e_to_the_epsilon_by_rounding(name: str, k: int) -> None:
    for epsilon in [1e-9, *np.linspace(0.05, 40.0, 200).tolist(), 300.0, 700.0]:
        assert compared(worst_ratio(ORACLES[name](k, epsilon)), epsilon) == (True, True), epsilon


@pytest.mark.parametrize("name", ORACLES)
def test_a_report_on_a_place_that_a_person_draws_is_as_private_for_all_histories(name: str) -> None:
    """Mixtures of laws whose ratios are at most e^epsilon have such ratios."""
    law = np.array(list(laws(ORACLES[name](3, 1.0)).values()), dtype=float)
    histories = np.random.default_rng(1).dirichlet(np.full(3, 0.3), 60)
    told = histories @ law.T
    assert np.log(told[:, None] / told[None]).max() <= 1.0 + 1e-12


@pytest.mark.parametrize("name", ORACLES)
def test_reports_are_drawn_from_the_law(name: str) -> None:
    oracle, n = ORACLES[name](3, 1.0), 40_000
    reports = laws(oracle)
    for item in range(3):
        drawn = oracle.report(np.full(n, item), np.random.default_rng(item))
        kinds, counts = np.unique(drawn.astype(int), axis=0, return_counts=True)
        assert {tuple(kind) for kind in kinds.tolist()} <= reports.keys()
        seen = dict(zip(map(tuple, kinds.tolist()), counts.tolist(), strict=True))
        expected = np.array([n * float(law[item]) for law in reports.values()])
        found = np.array([seen.get(report, 0) for report in reports])
        freedom = len(reports) - 1
        # A normal approximation of chi-squared: 5 standard deviations.
        assert ((found - expected) ** 2 / expected).sum() < freedom + 5 * np.sqrt(2 * freedom) + 5


@pytest.mark.parametrize("name", ORACLES)
def test_rare_reports_are_drawn_at_their_own_probability(name: str) -> None:
    """At epsilon = 45 ``rng.random() >= p`` would never lose an item: p rounds to 1."""

    class Extreme:
        calls = 0

        def integers(self, low, high=None, size=None):
            self.calls += 1
            if low == 2**53:  # what a coin draws
                return np.zeros(size, dtype=np.int64)
            return np.full(size, self.calls % low if high is None else low)

    oracle = ORACLES[name](4, 45.0)
    assert 0.0 < min(oracle.lost, oracle.other) < 1e-15
    if name != "oue":
        assert not oracle.support(oracle.report([0], Extreme()))[0, 0]  # type: ignore[arg-type]
    else:
        assert oracle.report([0], Extreme())[0, 1:].all()  # type: ignore[arg-type]


def test_bad_input_is_refused() -> None:
    for build in ORACLES.values():
        with pytest.raises(ValueError, match="k must lie in"):
            build(1, 1.0)
        with pytest.raises(ValueError, match="epsilon must lie in"):
            build(4, 0.0)
        with pytest.raises(ValueError, match=r"items must have shape \(n,\)"):
            build(4, 1.0).report([[0, 1]], np.random.default_rng(0))
        with pytest.raises(ValueError, match=r"items must lie in 0\.\.3"):
            build(4, 1.0).report([4], np.random.default_rng(0))
        with pytest.raises(ValueError, match="counts must be whole numbers"):
            build(2, 1.0).support_counts([0.5, 1.0], np.random.default_rng(0))
        with pytest.raises(ValueError, match="supports must have 4 entries"):
            build(4, 1.0).estimate([1.0, 2.0], 3)
        with pytest.raises(ValueError, match="reports must lie in"):
            build(2, 1.0).estimate([1.0, 2.0], 0)
    with pytest.raises(ValueError, match="size must lie in"):
        SubsetSelection(4, 1.0, 4)
