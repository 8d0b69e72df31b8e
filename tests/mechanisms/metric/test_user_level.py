"""What one item may spend: exact composition against its two binomials, and one item drawn per user."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpot_core.mechanisms.metric.user_level import composed_delta, item_epsilon, sample_one


@pytest.mark.parametrize("m", [1, 2, 7, 100])
@pytest.mark.parametrize("epsilon_0", [0.05, 0.7, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0])
def test_delta_is_the_hockey_stick_of_two_binomials(m: int, epsilon_0: float, epsilon: float):
    p = 1 / (1 + math.exp(-epsilon_0))
    hits = np.arange(m + 1)
    excess = binom.pmf(hits, m, p) - math.exp(epsilon) * binom.pmf(hits, m, 1 - p)
    assert composed_delta(epsilon_0, m, epsilon) == pytest.approx(np.maximum(excess, 0).sum(), abs=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "m", "delta"), [(1.0, 100, 1e-6), (0.2, 1000, 1e-9), (5.0, 10, 1e-5), (30, 3, 0.1)]
)
def test_the_item_budget_spends_delta_and_not_more(epsilon: float, m: int, delta: float):
    spent = item_epsilon(epsilon, m, delta)
    assert spent >= epsilon / m
    assert composed_delta(spent, m, epsilon) <= delta
    assert composed_delta(spent * 1.001, m, epsilon) > delta


def test_without_delta_epsilon_is_divided():
    assert item_epsilon(1.0, 50) == pytest.approx(0.02)
    assert item_epsilon(1.0, 1, 1e-6) == 1.0
    assert composed_delta(0.02, 50, 1.0) == pytest.approx(0.0, abs=1e-15)


def test_with_delta_it_falls_like_the_square_root():
    budgets = [item_epsilon(1.0, m, 1e-6) for m in (100, 10_000)]
    assert budgets[0] / budgets[1] == pytest.approx(10, rel=0.05)


def test_one_item_of_each_user_is_drawn_uniformly():
    items = np.tile([3, 5, 5, 9], (20_000, 1))
    chosen = sample_one(items, np.random.default_rng(0))
    assert chosen.shape == (20_000, 1)
    share = np.bincount(chosen.ravel(), minlength=10)[[3, 5, 9]] / 20_000
    np.testing.assert_allclose(share, [0.25, 0.5, 0.25], atol=0.015)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="m must lie in"):
        item_epsilon(1.0, 0)
    with pytest.raises(ValueError, match="delta must lie"):
        item_epsilon(1.0, 10, 1.0)
    with pytest.raises(ValueError, match="epsilon must lie in"):
        item_epsilon(0.0, 10)
    with pytest.raises(ValueError, match="at least one item"):
        sample_one(np.empty((3, 0), dtype=int), np.random.default_rng(0))
