"""Base measures of grids without a matrix: the same mass of a prior, and a certified interval around the minimax."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.base_measures.minimax_grids import blocks_of

SHAPES = [(5, 7, 1.0), (8, 8, 2.0), (13, 11, 1.0), (1, 9, 1.0)]


@pytest.mark.parametrize(("nx", "ny", "p"), SHAPES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 12.0])
def test_a_prior_has_the_mass_that_the_matrix_gives_it(nx: int, ny: int, p: float, epsilon: float) -> None:
    space = dpot.grid(nx, ny, (0, 3, 0, 2.5))
    rng, k = np.random.default_rng(nx), len(space)
    sparse = rng.random(k) * (rng.random(k) < 0.2) + 1e-6 * (np.arange(k) == 3)
    for prior in (rng.dirichlet(np.full(k, 0.2)), sparse, np.ones(k)):
        expected = dpot.prior_base(prior, epsilon, dpot.cost_matrix(space, p=p))
        found = dpot.prior_base(prior, epsilon, dpot.grid_cost(space, p))
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("nx", "ny", "p"), [(12, 12, 1.0), (13, 11, 1.0), (9, 14, 2.0), (4, 30, 1.0)])
@pytest.mark.parametrize("epsilon", [0.25, 2.0, 6.0])
@pytest.mark.parametrize("blocks", [5, 8, 60])
def test_the_interval_holds_the_smallest_worst_case(nx: int, ny: int, p: float, epsilon: float, blocks: int) -> None:
    space = dpot.grid(nx, ny, (0, 3, 0, 2.5))
    matrix = dpot.cost_matrix(space, p=p)
    exact = dpot.minimax_base(matrix, epsilon)
    found = dpot.minimax_base_on_grid(dpot.grid_cost(space, p), epsilon, tol=1e-6, blocks=blocks)
    polytope = dpot.Polytope(found.base, epsilon)
    assert found.value == pytest.approx(float(dpot.worst_case_wasserstein(matrix, polytope, p)) ** p, rel=1e-12)
    assert found.lower_bound <= exact.value * (1 + 1e-9) and exact.lower_bound <= found.value * (1 + 1e-9)
    assert found.gap == found.value - found.lower_bound >= 0
    if blocks == 60:  # blocks are points
        assert found.gap <= 3e-6 * found.value
    table = found.base.reshape(ny, nx)
    assert (table == table[::-1]).all() and (table == table[:, ::-1]).all()


def test_more_blocks_are_nearer() -> None:
    cost = dpot.grid_cost(dpot.grid(48, 40), 1)
    gaps = [dpot.minimax_base_on_grid(cost, 2.0, blocks=blocks).gap for blocks in (8, 16, 32)]
    assert gaps[0] > 2 * gaps[1] > 4 * gaps[2] > 0


def test_blocks_are_the_same_from_both_ends_and_begin_with_a_point() -> None:
    for points in range(1, 270):
        for most in (5, 8, 40):
            block = blocks_of(points, most)
            assert block.size == points and set(np.diff(block)) <= {0, 1} and block[0] == 0
            assert (block == block[-1] - block[::-1]).all() and block[-1] < max(most, 1)
            if points > most:
                assert np.bincount(block)[[0, -1]].tolist() == [1, 1]
