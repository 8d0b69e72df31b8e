"""Products by transforms of tiles: every product is right relative to itself, however small; the same projections."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.transport import entropic_grids
from dpot_core.transport.grid_kernels import ShiftKernel, shifted_product
from dpot_core.transport.tilted_kernels import TiltedKernel, tile_of, tiles_serve

GRIDS = [(100, 100, 1.0, 1.0, 0.05), (61, 130, 1.0, 2.0, 0.06), (120, 90, 3.0, 1.0, 0.03), (50, 50, 1.0, 1.0, 5.0)]


def made(nx: int, ny: int, width: float, height: float, share: float) -> tuple[dpot.GridCost, float]:
    cost = dpot.grid_cost(dpot.grid(nx, ny, (0.0, width, 0.0, height)), 1)
    return cost, share * cost.max()


@pytest.mark.parametrize("given", GRIDS)
def test_every_product_is_right_relative_to_itself(given: tuple[int, int, float, float, float]) -> None:
    """Inputs whose sums go over many powers of ten, as scalings do: e^(f / reg) for potentials f that are distances."""
    cost, reg = made(*given)
    k, rng = len(cost.space), np.random.default_rng(0)
    far = cost.rows([k // 3, 0]).min(axis=0)
    inputs = [rng.random(k), np.exp(far / reg) * rng.random(k), np.exp(-far / reg), rng.dirichlet(np.full(k, 0.01))]
    kernel, exact = TiltedKernel(cost, reg), ShiftKernel(cost.offsets, reg)
    v = np.stack(inputs)
    np.testing.assert_allclose(kernel.times(v), exact.times(v), rtol=1e-11)
    assert kernel.largest_ratio() * np.finfo(float).eps < 1e-9
    np.testing.assert_allclose(kernel.plan_costs(v[::-1], v), exact.plan_costs(v[::-1], v), rtol=1e-11)
    np.testing.assert_allclose(kernel.transposed_times(v), exact.times(v), rtol=1e-11)


@pytest.mark.parametrize("given", GRIDS)
def test_entries_of_random_pairs_are_right_relative_to_themselves(given: tuple[int, int, float, float, float]) -> None:
    cost, reg = made(*given)
    k, rng = len(cost.space), np.random.default_rng(1)
    for j in [0, k - 1, *rng.integers(0, k, 6)]:
        entries = TiltedKernel(cost, reg).times(np.eye(1, k, int(j)))[0]
        np.testing.assert_allclose(entries, np.exp(-cost.rows([j])[0] / reg), rtol=1e-9)


@pytest.mark.slow
def test_tiles_of_large_grids_keep_their_ratio() -> None:
    for n, share in ((129, 0.02), (1000, 0.01)):
        cost, reg = made(n, n, 1.0, 1.0, share)
        assert TiltedKernel(cost, reg).largest_ratio() < np.exp(13)


@pytest.mark.slow
def test_projections_are_those_of_the_dense_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entropic_grids, "DIRECT", 0)
    used = []
    monkeypatch.setattr(entropic_grids, "TiltedKernel", lambda *given: used.append(given) or TiltedKernel(*given))
    space = dpot.grid(40, 40)
    cost, mu = dpot.grid_cost(space, 1), dpot.dirichlet(1600, 0.1, np.random.default_rng(2))
    for epsilon in (0.5, 4.0):
        Q = dpot.Polytope(dpot.best_uniform_base(cost, epsilon), epsilon)
        found = dpot.project_entropic(mu, cost, Q, reg=0.06 * cost.max(), max_iter=40)
        dense = dpot.project_entropic(mu, dpot.cost_matrix(space, p=1), Q, reg=0.06 * cost.max(), max_iter=40)
        np.testing.assert_allclose(found.output, dense.output, rtol=1e-9, atol=1e-12)
        assert found.plan_cost == pytest.approx(dense.plan_cost, rel=1e-9)
        assert Q.contains(found.output)
    assert len(used) == 2


def test_the_kernel_is_the_one_that_takes_less_time() -> None:
    def kernel(n: int, share: float) -> type:
        cost = dpot.grid_cost(dpot.grid(n, n), 1)
        return type(entropic_grids._plain(cost, share * cost.max()))

    assert [kernel(n, 0.04) for n in (40, 96, 97)] == [ShiftKernel, ShiftKernel, TiltedKernel]
    assert kernel(40, 0.1) is TiltedKernel, "one tile"
    assert kernel(12, 0.5) is kernel(128, 0.005) is ShiftKernel, "tiles of few cells"


@pytest.mark.parametrize("shape", [(9, 14), (14, 9), (1, 5), (102, 103)])
def test_a_kernel_that_keeps_its_matrices_gives_the_same_digits(shape: tuple[int, int]) -> None:
    cost = dpot.grid_cost(dpot.grid(*shape), 1)
    v = np.random.default_rng(3).random((2, len(cost.space)))
    kernel = ShiftKernel(cost.offsets, 0.2)
    assert (kernel._kept is None) == (shape == (102, 103))
    assert np.array_equal(kernel.times(v), shifted_product(np.exp(-cost.offsets / 0.2), v))


def test_tiles_serve_the_euclidean_distance_where_they_are_large() -> None:
    fine, space = dpot.grid(200, 200), dpot.grid(200, 200, metric="manhattan")
    assert tiles_serve(dpot.grid_cost(fine, 1), 0.05) and tile_of(dpot.grid_cost(fine, 1), 0.05) == (67, 67)
    assert not tiles_serve(dpot.grid_cost(fine, 1), 0.01)
    assert not tiles_serve(dpot.grid_cost(fine, 3), 0.05)
    assert not tiles_serve(dpot.grid_cost(space, 2), 0.05)
    assert not tiles_serve(dpot.grid_cost(dpot.grid(4000, 5), 1), 0.05)
