"""How far a plan moves mass: its mean, and the mean of the tenth that goes farthest, against a linear program."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from dpot_app.kit.moved import FARTHEST, moved, other_order


@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 6), st.floats(1e-6, 1e6))
def test_the_farthest_tenth_is_a_fractional_knapsack(seed: int, rows: int, columns: int, mass: float) -> None:
    rng = np.random.default_rng(seed)
    plan, distances = rng.dirichlet(np.ones(rows * columns)).reshape(rows, columns), rng.random((rows, columns))
    found = moved(1.5, mass * plan, distances)
    assert found.p == 1.5 and found.mean == pytest.approx(float((plan * distances).sum()))
    best = linprog(
        -distances.ravel(), A_ub=[np.ones(plan.size)], b_ub=[FARTHEST], bounds=np.c_[np.zeros(plan.size), plan.ravel()]
    )
    assert found.tenth == pytest.approx(-best.fun / FARTHEST, abs=1e-7)
    assert found.mean - 1e-12 <= found.tenth <= distances.max() + 1e-12


def test_a_page_compares_with_the_mean_distance_and_there_with_its_square() -> None:
    assert [other_order(p) for p in (1.0, 1.5, 2.0, 4.0)] == [2.0, 1.0, 1.0, 1.0]
