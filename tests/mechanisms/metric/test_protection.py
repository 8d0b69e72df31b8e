"""What is protected and what it makes of alpha; exact Lipschitz constants; the earth mover's distance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.mechanisms.metric.lipschitz import NORMS, lipschitz
from dpot_core.mechanisms.metric.protection import (
    check_unit_distances,
    earth_mover_guarantee,
    earth_movers_distance,
    protection_rate,
    unit_distances,
)

DAY, MONTH = (1 / 30, 0.08), (1.0, 0.008)
FRACTIONS = st.floats(1e-4, 1.0)


def test_the_example_of_the_paper() -> None:
    assert protection_rate([DAY, MONTH], 0.2) == pytest.approx(25.0)
    assert protection_rate([DAY], 0.2) == pytest.approx(75.0)


@given(st.lists(st.tuples(FRACTIONS, FRACTIONS), min_size=1, max_size=5), st.floats(1e-3, 20.0))
def test_every_protected_change_costs_at_most_epsilon_and_one_costs_it_exactly(
    changes: list[tuple[float, float]], epsilon: float
) -> None:
    alpha = protection_rate(changes, epsilon)
    costs = [alpha * tau * q for tau, q in changes]
    assert max(costs) == pytest.approx(epsilon, rel=1e-12)
    assert alpha >= epsilon * (1 - 1e-12)
    promise = earth_mover_guarantee(alpha, changes)
    assert promise.epsilon == pytest.approx(epsilon, rel=1e-12) and promise.rate == alpha


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ((-0.1, 0.5), r"tau must lie in \[0, 1\]; got -0.1"),
        ((1.1, 0.5), "tau must lie"),
        ((0.5, 1.5), "q must lie"),
        ((0.5, math.nan), "q must lie"),
        ((0.0, 0.5), "tau must be more than 0"),
        ((0.5, 0.0), "q must be more than 0"),
    ],
)
def test_a_change_that_is_none_is_refused(change: tuple[float, float], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        protection_rate([DAY, change], 0.2)


def test_something_must_be_protected() -> None:
    with pytest.raises(ValueError, match="at least one change"):
        protection_rate([], 0.2)
    with pytest.raises(ValueError, match="one text per change"):
        earth_mover_guarantee(25.0, [DAY, MONTH], words=("a day",))


def test_distances_must_be_normalised() -> None:
    space = dpot.grid(3, 3, extent=(0, 10, 0, 10))
    with pytest.raises(ValueError, match=r"divided by the largest one .* the largest is 14.1421"):
        check_unit_distances(space.distances())
    assert unit_distances(space).max() == 1.0
    with pytest.raises(ValueError, match="two points that are apart"):
        unit_distances(dpot.point_cloud([[1.0, 1.0], [1.0, 1.0]]))
    with pytest.raises(ValueError, match="triangle"):
        unit_distances(dpot.point_cloud([[1.0, 1.0], [1.0, 0.0]], "cosine"))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.05, 1.0), st.floats(0.05, 1.0))
def test_moving_a_share_by_a_distance_moves_the_history_by_their_product_at_most(
    seed: int, tau: float, q: float
) -> None:
    rng = np.random.default_rng(seed)
    space = dpot.point_cloud(rng.random((12, 2)))
    distances = unit_distances(space)
    mu = rng.dirichlet(np.ones(12))
    moved = tau * mu
    kernel = np.where(distances <= q, rng.random((12, 12)), 0.0)  # every row holds the point itself
    nu = mu - moved + moved @ (kernel / kernel.sum(axis=1, keepdims=True))
    nu = np.maximum(nu, 0.0)
    assert earth_movers_distance(mu, nu / nu.sum(), distances) <= tau * q + 1e-9


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", range(4))
def test_lipschitz_against_brute_force(norm: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    space = dpot.point_cloud(rng.random((17, 2)))
    distances = unit_distances(space)
    values = rng.normal(size=(17, 3))
    best, spread = 0.0, 0.0
    for i in range(17):
        for j in range(i):
            change = np.linalg.norm(values[i] - values[j], ord=NORMS[norm])
            best, spread = max(best, change / distances[i, j]), max(spread, change)
    found = lipschitz(values, distances, norm)
    assert found.constant == pytest.approx(best, rel=1e-12) and found.spread == pytest.approx(spread, rel=1e-12)
    i, j = found.pair
    assert np.linalg.norm(values[i] - values[j], ord=NORMS[norm]) / distances[i, j] == pytest.approx(best, rel=1e-12)


def test_lipschitz_of_a_jump_at_one_place_is_infinite() -> None:
    distances = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    assert lipschitz([0.0, 1.0, 5.0], distances).constant == math.inf
    assert lipschitz([2.0, 2.0, 5.0], distances).constant == 3.0
    assert lipschitz([1.0, 1.0, 1.0], distances).constant == 0.0


def test_lipschitz_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="one row per point"):
        lipschitz([1.0, 2.0], np.zeros((3, 3)) + 0.5)
    with pytest.raises(ValueError, match="norm must be one of"):
        lipschitz([1.0, 2.0], np.eye(2), "3-norm")
