"""Reports on random items: the rate of a history holds for histories of any lengths, drawn, composed and shuffled."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, multinomial

import dpot_core as dpot
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate
from dpot_core.mechanisms.metric.gkrr import Gkrr, one_item_rate
from dpot_core.mechanisms.metric.protection import earth_movers_distance
from dpot_core.mechanisms.metric.random_items import (
    exponential_history_items,
    random_item_budget,
    random_item_rate,
)

UNIT = dpot.grid(4, 4).distances() / dpot.grid(4, 4).diameter


@given(st.floats(0.05, 30.0), st.integers(0, 10**6))
def test_no_two_histories_differ_by_more_than_the_rate_times_their_distance(rate: float, seed: int):
    rng = np.random.default_rng(seed)
    made = exponential_history_items(UNIT, rate)
    kernel = made.mechanism.kernel
    first = rng.dirichlet(np.full(16, 0.1), 8)
    step = rng.random((8, 1)) ** 6
    second = (1 - step) * first + step * np.eye(16)[rng.integers(16, size=8)]
    loss = np.abs(np.log(first @ kernel) - np.log(second @ kernel)).max(axis=1)
    far = np.array([earth_movers_distance(a, b, UNIT) for a, b in zip(first, second, strict=True)])
    assert (loss <= made.history_rate * far * (1 + 1e-7) + 1e-10).all()
    assert made.history_rate <= rate
    assert made.history_rate == pytest.approx(rate, rel=1e-4)


def test_the_rate_that_is_asked_for_is_kept_to_the_last_digit():
    """Around these rates the search ends within three billionths of it: no larger rate may come out."""
    rates = np.linspace(1.53, 1.6, 300)
    made = np.array([exponential_history_items(UNIT, rate).history_rate for rate in rates])
    assert (made <= rates).all() and (made > rates * (1 - 3e-9)).all()


def test_the_item_rate_is_a_true_one_and_less_noise_than_for_any_mechanism():
    for rate in (0.1, 2.0, 50.0):
        made = exponential_history_items(UNIT, rate)
        assert achieved_rate(made.mechanism.kernel, UNIT) <= made.item_rate * (1 + 1e-9)
        assert made.item_rate >= random_item_budget(rate)


@pytest.mark.parametrize("rate", [1e-6, 0.5, 10.0, 1e5])
def test_the_budget_for_any_mechanism_is_lamberts(rate: float):
    alpha_0 = random_item_budget(rate)
    assert alpha_0 * math.exp(alpha_0) == pytest.approx(rate, rel=1e-9)
    assert alpha_0 * math.exp(alpha_0) <= rate


def test_the_bound_covers_the_exact_rate_of_gkrr():
    for alpha_0, r in ((0.5, 0.1), (3.0, 0.7)):
        kernel = Gkrr(ClusteredSpace(3, 3, r), alpha_0).matrix()
        assert one_item_rate(alpha_0, r) <= random_item_rate(kernel, alpha_0) <= alpha_0 * math.exp(alpha_0) * 1.000001


def test_several_draws_compose():
    """Three draws of two histories, all multisets of reports: the loss is at most three times that of one."""
    made = exponential_history_items(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.4)
    first, second = np.array([1.0, 0.0]), np.array([0.3, 0.7])
    p, q = (history @ made.mechanism.kernel for history in (first, second))
    counts = [(a, 3 - a) for a in range(4)]
    loss = max(abs(math.log(multinomial.pmf(c, 3, p) / multinomial.pmf(c, 3, q))) for c in counts)
    assert loss <= 3 * 0.4 * 0.7 * (1 + 1e-9)


def test_shuffled_draws_of_two_users_keep_the_theorems_promise():
    """N reports, m of them of one person, two symbols: the exact hockey stick of the shuffled counts."""
    m, n = 4, 2000
    wanted = dpot.metric.item_rate(2.0, 1e-4, m, n)
    made = exponential_history_items(np.array([[0.0, 1.0], [1.0, 0.0]]), wanted.item_rate)
    kernel = made.mechanism.kernel

    def counts(history: np.ndarray) -> np.ndarray:
        """Distribution of the number of reports of point 1: the person's m and everybody else's, all at point 0."""
        mine = binom.pmf(np.arange(m + 1), m, float((history @ kernel)[1]))
        others = binom.pmf(np.arange((n - 1) * m + 1), (n - 1) * m, kernel[0, 1])
        return np.convolve(mine, others)

    for w in (0.05, 0.5, 1.0):
        one, other = counts(np.array([1.0, 0.0])), counts(np.array([1.0 - w, w]))
        for p, q in ((one, other), (other, one)):
            assert np.maximum(p - math.exp(wanted.alpha * w) * q, 0).sum() <= wanted.delta


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="every report possible"):
        random_item_rate(np.eye(2), 1.0)
    with pytest.raises(ValueError, match="rate must lie in"):
        exponential_history_items(UNIT, 0.0)
    with pytest.raises(ValueError, match="distances must be divided by the largest one"):
        exponential_history_items(3 * UNIT, 1.0)
