"""W_1 from few places by boxes: the interval holds the exact value, and is as narrow as was asked for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.transport import few_sources
from dpot_core.transport.few_sources import interval_by_boxes
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
    mu = rng.dirichlet(np.full(r, rng.choice([0.3, 1.0]))) + 1e-15
    return mu / mu.sum(), cost, nu


@given(st.integers(0, 10**6), st.integers(1, 13), st.sampled_from([0.5, 0.05, 0.005, 0.0]), st.sampled_from([1, 200]))
def test_the_interval_holds_the_exact_value_and_is_narrow(seed: int, first: int, width: float, many: int) -> None:
    mu, cost, nu = case(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few_sources, "_FIRST", first)
        patch.setattr(few_sources, "_MANY_ROWS", many)  # with and without the potentials of the last boxes
        low, high = interval_by_boxes(mu, cost, nu, width)
    exact = transport_cost(mu, nu, cost)
    assert low <= exact + 1e-13 * cost.max() and exact <= high + 1e-13 * cost.max()
    assert high - low <= width * high + 1e-9 * max(cost.max(), 1e-300)


@pytest.mark.parametrize("n", [60, 67])
def test_few_boxes_are_quartered_where_the_mass_lies_near_the_places(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the mass within a cell or two of the places: boxes of equal size would have to be single cells."""
    rng = np.random.default_rng(0)
    points = np.stack(np.meshgrid(np.arange(float(n)), np.arange(float(n))), axis=-1).reshape(-1, 2)
    cost = np.hypot(*(points[rng.choice(n * n, 20, replace=False), None] - points).transpose(2, 0, 1))
    nu = np.exp(-cost).sum(axis=0) + 1e-6
    sizes = []
    solve = few_sources.network_simplex
    monkeypatch.setattr(few_sources, "network_simplex", lambda *given: sizes.append(given[1].size) or solve(*given))
    low, high = interval_by_boxes(np.full(20, 0.05), cost, nu / nu.sum(), 0.005)
    assert low <= transport_cost(np.full(20, 0.05), nu / nu.sum(), cost) <= high
    assert 0 < high - low <= 0.005 * high
    assert sizes == sorted(sizes) and len(sizes) > 1 and sizes[-1] < n * n / 2


def test_one_place_is_exact_whatever_the_boxes() -> None:
    low, high = interval_by_boxes(np.ones(1), np.arange(2500.0)[None, :], np.full(2500, 1 / 2500), 0.1)
    assert low == pytest.approx(1249.5, rel=1e-11) and high == pytest.approx(1249.5, rel=1e-11)


@pytest.mark.slow
def test_many_places_can_be_abandoned_between_two_solves() -> None:
    rng, n = np.random.default_rng(1), 64
    points = np.stack(np.meshgrid(np.arange(float(n)), np.arange(float(n))), axis=-1).reshape(-1, 2)
    cost = np.hypot(*(points[rng.choice(n * n, 250, replace=False), None] - points).transpose(2, 0, 1))
    mu, nu, rounds = np.full(250, 1 / 250), np.full(n * n, 1 / n**2), []

    class Stop(Exception):
        pass

    def stop() -> None:
        rounds.append(1)
        if len(rounds) == 2:
            raise Stop

    with pytest.raises(Stop):
        interval_by_boxes(mu, cost, nu, 1e-4, stop)
    low, high = interval_by_boxes(mu, cost, nu, 0.005)
    assert low <= transport_cost(mu, nu, cost) <= high <= low / 0.995 * (1 + 1e-9)
