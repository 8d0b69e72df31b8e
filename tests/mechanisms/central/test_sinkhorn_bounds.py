"""The paper's best K, M and split are minima of its bounds; Theorems 4 and 6 by hand and on plans of all vertices."""

import math
from itertools import permutations

import numpy as np
import pytest

from dpot_core.arguments import Array
from dpot_core.mechanisms.central import sinkhorn_bounds as bounds
from dpot_core.mechanisms.central import sinkhorn_theory as theory


def _log_means(values: Array, axis: int) -> Array:
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(top + np.log(np.exp(values - top).mean(axis=axis, keepdims=True)))


@pytest.mark.parametrize(("eta", "epsilon", "gap"), [(10.0, 100.0, 1.0), (100.0, 2.0, 1.0), (100.0, 8.0, 0.3)])
def test_the_best_noise_is_the_minimum_at_the_epsilon_of_theorem_2(eta: float, epsilon: float, gap: float) -> None:
    delta, n = 1e-5, 10**6
    rounds, floor, value = bounds.best_noise(epsilon, delta, eta, 1.0, n, gap)
    # What it may spend: K C alpha/M + e0 = epsilon.
    constant, order = theory.renyi_constant(eta, 1.0, n, "printed"), theory.renyi_order(epsilon, delta)
    spent = rounds * constant * order / floor + theory.least_epsilon(epsilon, delta)
    assert spent == pytest.approx(epsilon, rel=1e-12)
    rho = math.exp(-24 / eta) / 8
    floors = floor * np.geomspace(0.2, 5, 4001)
    tried = gap * (1 - rho) ** (rounds / floor * floors) + np.exp(18 / eta) * 2 / eta * floors
    assert value == pytest.approx(gap * (1 - rho) ** rounds + 2 * math.exp(18 / eta) / eta * floor, rel=1e-9)
    assert value <= tried.min() * (1 + 1e-12) and tried.min() == pytest.approx(value, rel=1e-5)
    # Without a0, as printed, the minimum is another as soon as a0 is not 1.
    other = bounds.best_noise(epsilon, delta, eta, 1.0, n, 1.0)[1]
    assert (other == pytest.approx(floor)) == (gap == 1.0)


def test_no_round_is_best_where_noise_costs_more_than_it_gains() -> None:
    assert bounds.best_noise(1.0, 1e-5, 10.0, 1.0, 10**6, 0.7) == (0.0, 0.0, 0.7)
    assert bounds.best_noise(1e2, 1e-5, 0.3, 1.0, 10**6, 0.7) == (0.0, 0.0, 0.7)


def test_the_best_split_is_the_least_of_12() -> None:
    share, value = bounds.best_split(1.0, 1e-5, 100.0, 1.0, 10**6, 0.01, 1.0)
    for other in (0.05, share - 0.01, share + 0.01, 0.95):
        first = theory.two_stage_bounds(other, 1e-5, 100.0, 1.0, 10**6, 0.01, 1.0)[0]
        second = theory.two_stage_bounds(1 - other, 1e-5, 100.0, 1.0, 10**6, 0.01, 1.0)[1]
        assert first + second >= value
    share, value = bounds.best_split(1.0, 1e-5, 1e-4, 1.0, 1000, 0.01, 1.0)
    assert math.isnan(share) and value == math.inf


@pytest.mark.slow
def test_theorem_4_holds_where_all_vertices_are_known() -> None:
    rng, n = np.random.default_rng(3), 4
    orders = np.array(list(permutations(range(n))))
    for _ in range(3):
        cost = rng.uniform(0, 1, (n, n))
        values = np.sort(cost[np.arange(n), orders].mean(axis=1))
        gap = float(values[1] - values[0])
        for eta in (gap / (1 + math.log(n)), gap / 4):
            phi, psi = np.zeros((n, 1)), np.zeros((1, n))
            for _ in range(4000):
                phi = -eta * _log_means((psi - cost) / eta, 1)
                psi = -eta * _log_means((phi - cost) / eta, 0)
            plan = np.exp((phi + psi - cost) / eta)
            excess = float((plan * cost).sum() / plan.sum() - values[0])
            assert -1e-9 <= excess <= bounds.entropic_bias(eta, n, gap)
    assert bounds.entropic_bias(0.1, 4, 1.0) == pytest.approx(math.exp(-10 + 1) * 4)
    with pytest.raises(ValueError, match="eta"):
        bounds.entropic_bias(0.5, 4, 1.0)


def test_theorem_6_by_hand() -> None:
    # |c| = ln(2)/6, eta = 1: exp(6 |c|/eta) = 2, rho = 1/128, tau = 1/4.
    bound = math.log(2) / 6
    inner = 2 * 0.1 / 0.25 * (127 / 128) ** 10 + 0.5 * 128
    assert bounds.noisy_plan_bound(10, 1.0, bound, 4, 0.1, 0.5) == pytest.approx(
        4 * bound * math.sqrt(2) * 2 * math.sqrt(inner)
    )
    rho = 1 / 16 / math.sqrt(8 * bound)
    inner = 0.8 * (1 - rho) ** 10 + 0.5 / rho
    assert bounds.noisy_plan_bound(10, 1.0, bound, 4, 0.1, 0.5, printed=True) == pytest.approx(16 * math.sqrt(inner))
    assert bounds.noisy_plan_bound(10, 1.0, bound, 4, 0.0, 0.0) == 0.0
    assert bounds.noisy_plan_bound(10, 0.001, 1.0, 4, 1.0, 1.0) == math.inf
