"""Classes of inputs and outputs that are alike: found, counted, and what is proven on them holds for all inputs."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.base_measures import minimax, symmetry
from dpot_core.base_measures.objective import Objective
from dpot_core.base_measures.symmetry import find_symmetry
from tests import oracles

SPACES = {
    "square": dpot.cost_matrix(dpot.grid(6, 6), p=1),
    "odd square": dpot.cost_matrix(dpot.grid(7, 7, extent=(3.0, 28.1, -2.0, 23.1)), p=2),
    "rectangle": dpot.cost_matrix(dpot.grid(7, 4, extent=(0.0, 2.0, 0.0, 1.3)), p=1),
    "row": dpot.cost_matrix(dpot.grid(9, 1), p=1),
    "every third": dpot.cost_matrix(dpot.ring(12), np.arange(0, 12, 3), p=2),
    "every second of 11": dpot.cost_matrix(dpot.ring(11), np.arange(0, 11, 2), p=1),
    "ring": dpot.cost_matrix(dpot.ring(13), p=3),
    "grid to its middle": dpot.cost_matrix(dpot.grid(5, 5), dpot.grid(3, 3, extent=(0.25, 0.75, 0.25, 0.75)), p=1),
}


def without_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver that has one unknown per output."""
    monkeypatch.setattr(minimax, "find_symmetry", lambda cost: None)


def assert_equitable(cost: np.ndarray, inputs: np.ndarray, outputs: np.ndarray) -> None:
    """By the definition: rows of a class have equal counts, and columns of a class have."""
    for matrix, rows, columns in ((cost, inputs, outputs), (cost.T, outputs, inputs)):
        counts = [Counter(zip(columns.tolist(), row.tolist(), strict=True)) for row in matrix]
        for one, other in itertools.pairwise(np.argsort(rows, kind="stable").tolist()):
            assert rows[one] != rows[other] or counts[one] == counts[other]


def grouped(cost: np.ndarray) -> np.ndarray:
    """Costs that differ by rounding made equal, in another way than the code does: by their first 12 digits."""
    return np.round(cost / cost.max(), 12)


# ---------------------------------------------------------------- classes


@pytest.mark.parametrize("name", SPACES)
def test_classes_are_equitable_and_within_rounding(name: str) -> None:
    cost = SPACES[name]
    found = find_symmetry(cost)
    assert found is not None
    assert_equitable(grouped(cost), found.inputs, found.outputs)
    first = np.unique(found.inputs, return_index=True)[1]
    assert (first[1:] > first[:-1]).all()
    assert np.abs(found.cost - cost[first]).max() <= found.delta <= 5e-14 * cost.max()


@pytest.mark.parametrize(
    ("name", "inputs", "outputs"),
    [
        ("square", 6, 6),  # a triangle of half the side
        ("odd square", 10, 10),
        ("rectangle", 8, 8),  # a quarter
        ("row", 5, 5),
        ("every third", 2, 1),  # on an output, or next to one
        ("every second of 11", 6, 3),  # the gap between 10 and 0 leaves one reflection
        ("ring", 1, 1),
        ("grid to its middle", 6, 3),
    ],
)
def test_classes_are_the_orbits_of_the_symmetries(name: str, inputs: int, outputs: int) -> None:
    found = find_symmetry(SPACES[name])
    assert found is not None
    assert (found.inputs.max() + 1, found.outputs.max() + 1) == (inputs, outputs)


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_all_symmetries_of_small_matrices_are_used(data: st.DataObject, k: int, k_v: int) -> None:
    """Every permutation of rows and columns is tried: what one of them exchanges is in one class."""
    entries = data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=k * k_v, max_size=k * k_v))
    cost = np.array(entries).reshape(k, k_v)
    found = find_symmetry(cost)
    inputs = np.arange(k) if found is None else found.inputs
    outputs = np.arange(k_v) if found is None else found.outputs
    assert_equitable(cost, inputs, outputs)
    for rows in itertools.permutations(range(k)):
        for columns in itertools.permutations(range(k_v)):
            if (cost[np.ix_(rows, columns)] == cost).all():
                assert (inputs[list(rows)] == inputs).all() and (outputs[list(columns)] == outputs).all()


def test_places_without_symmetry_are_by_themselves() -> None:
    rng = np.random.default_rng(0)
    assert find_symmetry(dpot.point_cloud(rng.uniform(size=(30, 2))).distances()) is None
    # A user's zones: points of their own as outputs of a grid.
    assert find_symmetry(dpot.grid(6, 6).distances(rng.uniform(size=(7, 2)))) is None


def test_a_partition_that_only_the_hashes_believe_in_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_symmetry(SPACES["square"]) is not None
    monkeypatch.setattr(symmetry, "_words", lambda rng, size: np.zeros(size, dtype=np.uint64))
    assert find_symmetry(SPACES["square"]) is None


def test_only_rounding_is_overlooked() -> None:
    rng = np.random.default_rng(1)
    cost = SPACES["square"] / SPACES["square"].max()
    noise = rng.uniform(-1.0, 1.0, cost.shape)
    assert find_symmetry(cost + 1e-14 * noise) is not None
    assert find_symmetry(cost + 1e-11 * noise) is None
    # Values of which each is near the next, but the first far from the last, are no group.
    ladder = np.linspace(0.0, 400 * 3e-14, 400).reshape(20, 20)
    ladder[0, 0] = 1.0
    assert find_symmetry(ladder) is None


# ---------------------------------------------------------------- what is proven in the docstring


@given(st.sampled_from(sorted(SPACES)), st.floats(0.05, 8.0), st.integers(0, 2**32 - 1))
def test_a_mean_over_classes_is_no_worse(name: str, epsilon: float, seed: int) -> None:
    cost, rng = SPACES[name], np.random.default_rng(seed)
    found = find_symmetry(cost)
    assert found is not None
    base = rng.dirichlet(np.full(cost.shape[1], 0.3)) * math.exp(epsilon * rng.uniform(-0.5, 0.5))
    mean = (np.bincount(found.outputs, base) / np.bincount(found.outputs))[found.outputs]
    before, after = (Objective(cost, epsilon).values(one)[0].max() for one in (base, mean))
    assert after <= before + 1e-12 * cost.max()


@given(st.sampled_from(["every third", "every second of 11", "ring"]), st.floats(0.05, 8.0), st.integers(0, 2**32 - 1))
def test_a_mixture_of_summed_cuts_is_one_of_all_cuts(name: str, epsilon: float, seed: int) -> None:
    """The same bound, from all inputs and all outputs. (Whole numbers: nothing is rounded here but sums.)"""
    cost, rng = SPACES[name], np.random.default_rng(seed)
    found = find_symmetry(cost)
    assert found is not None and found.delta == 0
    small, whole = Objective(found.cost, epsilon, found.outputs), Objective(cost, epsilon)
    base = rng.dirichlet(np.ones(small.sizes.size))[found.outputs]
    base *= math.exp(epsilon * rng.uniform(-0.5, 0.5)) / base.sum()
    (phi, tau), (all_phi, all_tau) = small.values(base), whole.values(base)
    np.testing.assert_allclose(phi[found.inputs], all_phi, rtol=1e-12, atol=1e-12 * cost.max())
    np.testing.assert_array_equal(tau[found.inputs], all_tau)
    weights = rng.dirichlet(np.ones(len(found.cost)))
    bound = small.bound(weights, tau, small.gradients(np.arange(len(found.cost)), tau))
    shared = (weights / np.bincount(found.inputs))[found.inputs]
    cuts = whole.gradients(np.arange(len(cost)), all_tau)
    scale = math.exp(epsilon) * cost.max()
    assert bound == pytest.approx(whole.bound(shared, all_tau, cuts), rel=1e-12, abs=1e-13 * scale)


# ---------------------------------------------------------------- the whole problem


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 6.0])
@pytest.mark.parametrize("name", SPACES)
def test_the_certificate_holds_for_all_inputs(name: str, epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    cost = SPACES[name]
    found, result = find_symmetry(cost), dpot.minimax_base(cost, epsilon)
    assert found is not None
    assert all(np.ptp(result.base[found.outputs == one]) == 0 for one in set(found.outputs.tolist()))
    dpot.Polytope(result.base, epsilon)
    reached = oracles.worst_dirac(cost, result.base.tolist(), epsilon)
    assert result.value == pytest.approx(reached, rel=1e-9)
    assert result.gap <= 1e-6 * result.value
    without_symmetry(monkeypatch)
    full = dpot.minimax_base(cost, epsilon)
    assert result.value == pytest.approx(full.value, rel=2e-6)
    assert result.lower_bound <= full.value * (1 + 1e-12)
    assert full.lower_bound <= result.value * (1 + 1e-12)


@pytest.mark.parametrize("side", [-1, 1])
def test_treating_distances_as_equal_is_paid_for(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a rounding as coarse as this, value or bound would be wrong if they did not allow for it.

    The small costs of a ring are all on one side of the middle of their group. What is on the other side are inputs to
    which all outputs cost the same, so little that they are never worst off.
    """
    monkeypatch.setattr(symmetry, "ROUNDING", 0.01)
    exact = 0.1 + dpot.cost_matrix(dpot.ring(12), np.arange(0, 12, 3), p=1) / 6
    small = np.unique(exact)[:3]
    cost = np.vstack([exact - 0.004 * side * np.isin(exact, small), np.tile(small[:, None] + 0.004 * side, 4)])
    found = find_symmetry(cost)
    assert found is not None and found.delta == pytest.approx(0.004)
    result = dpot.minimax_base(cost, 1.0, tol=0.05)
    optimum, _ = oracles.minimax_lp(cost, 1.0)
    reached = oracles.worst_dirac(cost, result.base.tolist(), 1.0)
    assert result.lower_bound <= optimum + 1e-12 and optimum <= reached + 1e-12 and reached <= result.value + 1e-12
    middle = np.vstack([exact, np.tile(small[:, None], 4)])
    # Without the allowance the bound would be above the optimum (side 1), the value below what is reached (side -1).
    assert side * (oracles.minimax_lp(middle, 1.0)[0] - optimum) > 0.002


@pytest.mark.parametrize(("k", "p"), [(9, 1), (30, 2), (31, 3)])
def test_on_a_whole_ring_the_best_uniform_base_comes_back(k: int, p: int) -> None:
    cost = dpot.cost_matrix(dpot.ring(k), p=p)
    for epsilon in (0.3, 2.0, 5.0):
        result = dpot.minimax_base(cost, epsilon)
        np.testing.assert_allclose(result.base, dpot.best_uniform_base(cost, epsilon), rtol=1e-9)
        assert result.gap <= 1e-12 * result.value


# ---------------------------------------------------------------- a corner of a grid, uniform bases


def towns(nx: int, ny: int, metric: str, p: float) -> np.ndarray:
    points = dpot.grid(nx, ny, extent=(0.0, 0.7 * nx, 0.0, 1.1 * ny)).points
    apart = np.abs(points[:, None] - points[None])
    distances = {"euclidean": np.hypot(*apart.T).T, "L1": apart.sum(axis=2), "max": apart.max(axis=2)}[metric]
    return distances**p


@given(
    st.integers(1, 7),
    st.integers(1, 7),
    st.sampled_from(["euclidean", "L1", "max"]),
    st.sampled_from([1.0, 2.0, 3.5]),
    st.floats(0.02, 12.0),
    st.floats(-1.0, 1.0),
)
def test_a_corner_is_worst_off_with_a_uniform_base(
    nx: int, ny: int, metric: str, p: float, epsilon: float, place: float
) -> None:
    cost = towns(nx, ny, metric, p)
    Q = dpot.Polytope(dpot.uniform_base(nx * ny, math.exp(0.5 * place * epsilon)), epsilon)
    everywhere, corner = (dpot.worst_case_wasserstein(some, Q, p) for some in (cost, cost[:1]))
    assert float(everywhere) == pytest.approx(float(corner), rel=1e-9, abs=1e-12)
    best, from_corner = (dpot.best_uniform_base(some, epsilon) for some in (cost, cost[:1]))
    reached = [oracles.worst_dirac(cost, one.tolist(), epsilon) for one in (best, from_corner)]
    assert reached[0] == pytest.approx(reached[1], rel=1e-9, abs=1e-12)


def test_inputs_that_may_be_worst_off_stay() -> None:
    """Sorted costs that cross: the best mass is where two inputs are equally badly off, and neither does alone."""
    cost = np.array([[0.0, 0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0, 2.0], [0.0, 0.2, 0.5, 0.5, 0.5]])
    best, _ = oracles.best_uniform_value(cost, 2.0)
    together, first, second = (
        oracles.worst_dirac(cost, dpot.best_uniform_base(some, 2.0).tolist(), 2.0)
        for some in (cost, cost[:1], cost[2:])
    )
    assert best * (1 - 1e-6) <= together <= best * (1 + 1e-9)
    assert min(first, second) > 1.2 * together
