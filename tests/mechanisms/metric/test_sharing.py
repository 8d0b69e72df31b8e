"""Sharing positions among cells: no cliffs, the mean kept, distances grow by at most the root of two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.mechanisms.metric.sharing import STRETCH, share_among_cells

COLUMNS, ROWS = np.array([0.0, 1.0, 2.5, 3.0]), np.array([-1.0, 0.5, 2.0])
CENTRES = np.array([(x, y) for y in ROWS for x in COLUMNS])
DISTANCES = np.linalg.norm(CENTRES[:, None] - CENTRES, axis=2)


def shared(points: np.ndarray) -> np.ndarray:
    """Distributions on the centres, (m, k)."""
    cells, shares = share_among_cells(points, COLUMNS, ROWS)
    table = np.zeros((len(points), len(CENTRES)))
    np.add.at(table, (np.arange(len(points))[:, None], cells), shares)
    return table


@given(st.integers(0, 10**6), st.floats(1e-4, 1.0))
def test_nearby_positions_stay_near(seed: int, far: float):
    rng = np.random.default_rng(seed)
    first = rng.uniform((-0.5, -1.5), (3.5, 2.5))
    second = first + far * rng.normal(size=2)
    mu, nu = shared(np.array([first, second]))
    distance = dpot.wasserstein(mu, nu, DISTANCES, 1)
    assert distance <= np.abs(first - second).sum() + 1e-9
    assert distance <= STRETCH * np.linalg.norm(first - second) + 1e-9


def test_the_factor_is_reached_and_the_mean_is_kept():
    pair = np.array([[0.0, 0.5], [1e-3, 0.501]])
    mu, nu = shared(pair)
    assert dpot.wasserstein(mu, nu, DISTANCES, 1) == pytest.approx(
        STRETCH * np.linalg.norm(pair[0] - pair[1]), rel=1e-2
    )
    inside = np.random.default_rng(1).uniform((0, -1), (3, 2), (50, 2))
    table = shared(inside)
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
    np.testing.assert_allclose(table @ CENTRES, inside, atol=1e-12)
    assert table.min() >= 0.0


def test_rounding_to_the_nearest_cell_would_have_a_cliff():
    pair = np.array([[0.5 - 1e-6, 0.5], [0.5 + 1e-6, 0.5]])
    rounded = [np.linalg.norm(CENTRES - point, axis=1).argmin() for point in pair]
    assert DISTANCES[rounded[0], rounded[1]] == 1.0
    mu, nu = shared(pair)
    assert dpot.wasserstein(mu, nu, DISTANCES, 1) == pytest.approx(2e-6, rel=1e-3)


def test_positions_on_centres_and_outside():
    np.testing.assert_allclose(shared(CENTRES), np.eye(12), atol=1e-15)
    np.testing.assert_allclose(shared(np.array([[-9.0, -9.0], [9.0, 9.0]])), np.eye(12)[[0, 11]], atol=1e-15)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"points must have shape \(m, 2\)"):
        share_among_cells([1.0, 2.0], COLUMNS, ROWS)
    with pytest.raises(ValueError, match="columns must hold two or more ascending"):
        share_among_cells([[1.0, 2.0]], [1.0], ROWS)
    with pytest.raises(ValueError, match="rows must hold two or more ascending"):
        share_among_cells([[1.0, 2.0]], COLUMNS, [1.0, 0.0])
