"""W_1 from few places by blocks: the interval holds the exact value, and is narrow where blocks are small."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpot_core.transport.few_sources import interval_by_blocks
from dpot_core.transport.wasserstein import transport_cost


def case(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Few places, a grid with empty cells and hardly any mass here and there, ties, any cost."""
    rng = np.random.default_rng(seed)
    r, side = int(rng.integers(1, 9)), int(rng.integers(1, 13))
    points = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2).astype(float)
    cost = np.hypot(*(rng.integers(0, side, (r, 1, 2)) - points).transpose(2, 0, 1)) ** rng.choice([1, 2])
    if rng.random() < 0.2:
        cost = rng.random(cost.shape) ** 3
    nu = rng.dirichlet(np.full(side * side, rng.choice([0.05, 1.0, 20.0])))
    nu[rng.random(nu.size) < 0.3] = rng.choice([0.0, 1e-300, 1e-17])
    nu = nu / nu.sum() if nu.sum() > 0 else np.full(nu.size, 1 / nu.size)
    return rng.dirichlet(np.full(r, rng.choice([0.3, 1.0]))) + 1e-15, cost, nu


def blocks(count: int, width: int) -> np.ndarray:
    side = round(count**0.5)
    along = np.arange(side) // width
    return (along[:, None] * (along[-1] + 1) + along).ravel()


@given(st.integers(0, 10**6), st.integers(1, 13))
@settings(max_examples=200, deadline=None)
def test_the_interval_holds_the_exact_value(seed: int, width: int) -> None:
    mu, cost, nu = case(seed)
    mu = mu / mu.sum()
    low, high = interval_by_blocks(mu, cost, nu, blocks(nu.size, width))
    exact = transport_cost(mu, nu, cost)
    assert low <= exact + 1e-13 * cost.max() and exact <= high + 1e-13 * cost.max()
    if width == 1:
        assert high - low <= 1e-9 * max(cost.max(), 1e-300)


def test_blocks_of_two_cells_are_good_to_a_half_per_cent() -> None:
    rng = np.random.default_rng(0)
    points = np.stack(np.meshgrid(np.arange(60.0), np.arange(60.0)), axis=-1).reshape(-1, 2)
    cost = np.hypot(*(points[rng.choice(3600, 20, replace=False), None] - points).transpose(2, 0, 1))
    for nu in (np.full(3600, 1 / 3600), rng.dirichlet(np.ones(3600))):
        low, high = interval_by_blocks(np.full(20, 0.05), cost, nu, blocks(3600, 2))
        assert 0 < high - low < 0.005 * high


@pytest.mark.parametrize("width", [1, 4])
def test_one_place_is_exact_whatever_the_blocks(width: int) -> None:
    cost = np.arange(16.0)[None, :]
    nu = np.full(16, 1 / 16)
    low, high = interval_by_blocks(np.ones(1), cost, nu, blocks(16, width))
    assert low == pytest.approx(7.5, abs=1e-10) and high == pytest.approx(7.5, abs=1e-10)
