"""Histories of any length: Lemma 5.2 with 3/s, Theorem 5.3 by hand, and what is refused."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.reduction import (
    DiscreteGuarantee,
    bounded_rate,
    discrete_guarantee,
    sample_histories,
    samples_needed,
    stretch,
)


def test_the_numbers_by_hand():
    r, delta, s = 0.05, 1e-6, 1000
    additive = 3 / 1000 * math.log(1e6)  # 0.041447
    assert stretch(r, s, delta) == pytest.approx(2.414213562 * 0.05 + additive, rel=1e-9)
    assert stretch(r, s, delta) == pytest.approx(0.1621572, abs=1e-6)
    assert bounded_rate(0.5, delta, r, s) == pytest.approx(0.5 / 0.1621572, rel=1e-5)
    promise = discrete_guarantee(0.5 / 0.1621572, delta, r, s)
    assert (promise.epsilon, promise.delta, promise.radius) == (pytest.approx(0.5, rel=1e-5), 2e-6, 0.05)
    assert samples_needed(r, delta) == 277  # ln(1e6)/0.05 = 276.3


@pytest.mark.parametrize("sharp", [False, True])
@pytest.mark.parametrize(("r", "delta"), [(0.01, 0.05), (0.1, 0.01), (0.3, 1e-3), (0.5, 1e-4)])
def test_draws_are_further_apart_than_that_with_probability_delta_at_most(r: float, delta: float, sharp: bool):
    """The worst case: a fraction r of the history moves by the largest distance, so the X_i are coins."""
    for s in (samples_needed(r, delta), 10 * samples_needed(r, delta)):
        c = stretch(r, s, delta, sharp=sharp)
        assert r <= c <= 1.0
        assert binom.sf(math.floor(c * s + 1e-9), s, r) <= delta


def test_the_additive_term_is_three_over_s_and_not_three_eighths():
    """Coins with mean r: with 3/(8 s) in place of 3/s the draws are further apart too often."""
    r, delta, s = 0.01, 1e-6, 100
    printed = (1 + math.sqrt(2)) * r + 3 / (8 * s) * math.log(1 / delta)
    ours = (1 + math.sqrt(2)) * r + 3 / s * math.log(1 / delta)
    assert binom.sf(math.floor(printed * s), s, r) > 5 * delta
    assert binom.sf(math.floor(ours * s), s, r) < delta / 5
    # Without s, as printed, the statement is true but empty: no two histories are 5 apart.
    assert (1 + math.sqrt(2)) * r + 3 / 8 * math.log(1 / delta) > 5


def test_the_sharp_stretch_is_smaller_and_both_tend_to_r():
    for r in (0.01, 0.2, 0.9):
        for s in (500, 10**5, 10**8):
            assert stretch(r, s, 1e-5, sharp=True) <= stretch(r, s, 1e-5)
    assert stretch(0.01, 10**9, 1e-6, sharp=True) == pytest.approx(0.01, rel=0.01)
    assert stretch(0.01, 10**9, 1e-6) == pytest.approx((1 + math.sqrt(2)) * 0.01, rel=1e-4)
    assert stretch(1.0, 10, 1e-6, sharp=True) == 1.0
    assert stretch(0.8, 100, 1e-6) == 1.0  # no two histories are further apart


def test_the_whole_release_keeps_the_discrete_promise_exactly():
    """Enumerate all draws: composed GKRR on s draws of two histories at distance r, every multiset of reports."""
    space, s, delta, r = ClusteredSpace(2, 1, 1.0), 12, 0.3, 0.2
    epsilon = 1.0
    alpha = bounded_rate(epsilon, delta, r, s, sharp=True)
    matrix = Gkrr(space, alpha / s).matrix()  # s items by composition: (alpha, 0) for s items
    first, second = np.array([0.5, 0.5]), np.array([0.5 - r, 0.5 + r])
    # Reports of independent draws are independent: their number at point 1 is binomial.
    p, q = (first @ matrix)[1], (second @ matrix)[1]
    hits = np.arange(s + 1)
    for one, other in ((p, q), (q, p)):
        excess = binom.pmf(hits, s, one) - math.exp(epsilon) * binom.pmf(hits, s, other)
        assert np.maximum(excess, 0).sum() <= 2 * delta


def test_larger_changes_cost_in_steps():
    promise = DiscreteGuarantee(0.5, 1e-6, 0.1)
    assert promise.at(0.0) == promise.at(0.1) == (0.5, 1e-6)
    assert promise.at(0.1001) == (1.0, pytest.approx(1e-6 * (1 + math.exp(0.5))))
    epsilon, delta = promise.at(1.0)
    assert (epsilon, delta) == (pytest.approx(5.0), pytest.approx(1e-6 * math.expm1(5) / math.expm1(0.5)))
    assert DiscreteGuarantee(100.0, 1e-6, 0.1).at(1.0)[1] == 1.0
    assert DiscreteGuarantee(0.5, 0.0, 0.25).at(1.0) == (2.0, 0.0)


def test_the_promise_in_words_is_about_one_radius():
    promise = DiscreteGuarantee(0.5, 1e-6, 0.1).promise("any change by at most 0.1", ("1,000 draws each",))
    assert (promise.epsilon, promise.delta, promise.neighbours) == (0.5, 1e-6, "earth-mover-within")
    assert promise.rate is None
    assert "any change by at most 0.1" in promise.neighbours_text


def test_histories_of_any_lengths_become_equally_long():
    rng = np.random.default_rng(1)
    drawn = sample_histories([[4], [0, 1, 1, 1], np.arange(100)], 40_000, rng)
    assert drawn.shape == (3, 40_000)
    assert (drawn[0] == 4).all()
    np.testing.assert_allclose(np.bincount(drawn[1]) / 40_000, [0.25, 0.75], atol=0.01)
    assert len(np.unique(drawn[2])) == 100


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"samples must be at least 277 for r = 0.05 and delta = 1e-06; got 276"):
        bounded_rate(0.5, 1e-6, 0.05, 276)
    with pytest.raises(ValueError, match="samples must be at least 277"):
        discrete_guarantee(5.0, 1e-6, 0.05, 10)
    with pytest.raises(ValueError, match="delta must be less than 1/2"):
        bounded_rate(0.5, 0.6, 0.05, 1000)
    with pytest.raises(ValueError, match="delta must lie"):
        bounded_rate(0.5, 0.0, 0.05, 1000)
    with pytest.raises(ValueError, match="r must lie in"):
        bounded_rate(0.5, 1e-6, 1.5, 1000)
    with pytest.raises(ValueError, match="histories must hold at least one user"):
        sample_histories([], 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="that of user 1 has"):
        sample_histories([[1], []], 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="items must be whole numbers"):
        sample_histories([[0.5]], 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="distance must lie in"):
        DiscreteGuarantee(0.5, 1e-6, 0.1).at(1.5)
    with pytest.raises(ValueError, match="radius must lie in"):
        DiscreteGuarantee(0.5, 1e-6, 0.0)
