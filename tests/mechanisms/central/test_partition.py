"""The partition and its budgets, which add up exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.mechanisms.central.partition import SENSITIVITY, level_budgets, partition, private_depth


@given(
    st.floats(1e-6, 100.0),
    st.integers(1, 40),
    st.lists(st.floats(0.01, 100.0), min_size=1, max_size=50),
    st.sampled_from(sorted(SENSITIVITY)),
)
def test_budgets_add_up_to_epsilon_exactly(epsilon: float, depth: int, sides: list[float], adjacency: str) -> None:
    cells = partition(np.zeros(len(sides)), np.array(sides), depth)
    budgets = level_budgets(epsilon, cells, adjacency)
    assert len(budgets) == depth + 1
    assert sum(budgets) == Fraction(epsilon)
    assert (budgets[0] == 0) == (adjacency == "replace")
    assert all(budget > 0 for budget in budgets[1:])


def test_budgets_follow_the_square_root_of_the_cells_extent() -> None:
    cells = partition(np.zeros(2), np.ones(2), 6)
    budgets = level_budgets(1.0, cells, "replace")
    extents = [2.0 ** (j - 1) * cells.diameter(j - 1) for j in range(1, 7)]
    assert [float(b) for b in budgets[1:]] == pytest.approx(np.sqrt(extents) / np.sqrt(extents).sum(), rel=1e-8)


@pytest.mark.parametrize("d", [1, 2, 3, 50])
def test_a_point_lies_in_the_box_of_its_code_at_every_level(d: int) -> None:
    rng = np.random.default_rng(d)
    lower, upper = -rng.random(d), 1 + rng.random(d)
    cells = partition(lower, upper, 12)
    points = np.vstack([lower + (upper - lower) * rng.random((200, d)), lower, upper])
    codes = cells.codes(points)
    assert ((codes >= 0) & (codes < 2**12)).all()
    for level in range(13):
        low, high = cells.boxes(codes >> (12 - level), level)
        assert ((points >= low - 1e-12) & (points <= high + 1e-12)).all()
        assert np.linalg.norm(high - low, axis=1) == pytest.approx(cells.diameter(level))


def test_leaves_tile_the_box() -> None:
    cells = partition(np.array([0.0, 5.0]), np.array([4.0, 6.0]), 7)
    low, high = cells.boxes(np.arange(2**7), 7)
    assert np.prod(high - low, axis=1).sum() == pytest.approx(4.0)
    assert (cells.codes((low + high) / 2) == np.arange(2**7)).all()
    assert cells.axes[:3] == (0, 0, 0)


def test_depth_follows_the_formula_and_is_bounded() -> None:
    assert private_depth(1.0, 200_000) == 18
    assert private_depth(1e-6, 1000) == 1
    assert private_depth(100.0, 10**13) == 40


@pytest.mark.parametrize("depth", [-1, 41, 1.5])
def test_bad_depth(depth) -> None:
    with pytest.raises(ValueError, match="depth"):
        partition(np.zeros(1), np.ones(1), depth)
