"""Products with a grid's kernel without its matrix: every entry of K v is right, however small, at any v >= 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.transport.grid_kernels import (
    LogAxis,
    SeparableKernel,
    SeparableLogKernel,
    ShiftKernel,
    expected_costs,
    shifted_product,
)

#: Numbers of columns and rows: squares, rectangles, single rows and columns, one point.
SIZES = [(9, 9), (13, 4), (4, 13), (1, 30), (30, 1), (2, 2), (1, 1)]
SEPARABLE = [("euclidean", 2.0), ("manhattan", 1.0)]
OTHER = [("euclidean", 1.0), ("euclidean", 1.5), ("manhattan", 2.0), ("euclidean", 3.0)]


def grid_and_cost(nx: int, ny: int, metric: str, p: float) -> tuple[dpot.GridCost, np.ndarray]:
    space = dpot.grid(nx, ny, (0, 3, -1, 1), metric)
    return dpot.grid_cost(space, p), dpot.cost_matrix(space, p=p)


def axis_costs(cost: dpot.GridCost) -> list[np.ndarray]:
    return [np.abs(axis[:, None] - axis) ** cost.p for axis in cost.axes]


def hard_inputs(k: int, rng: np.random.Generator) -> np.ndarray:
    """Masses at one place, at the two ends, over 300 powers of ten, and everywhere."""
    rows = np.zeros((5, k))
    rows[0, 0] = rows[1, -1] = rows[2, [0, -1]] = 1.0
    rows[3] = 10.0 ** rng.uniform(-300, 0, k)
    rows[4] = rng.dirichlet(np.full(k, 0.1)) + 1e-250
    return rows


def plain_kernel(cost: dpot.GridCost, reg: float):
    return SeparableKernel(*axis_costs(cost), reg) if cost.separable else ShiftKernel(cost.offsets, reg)


@pytest.mark.parametrize(("nx", "ny"), SIZES)
@pytest.mark.parametrize(("metric", "p"), SEPARABLE + OTHER)
@pytest.mark.parametrize("reach", [1e-3, 5.0, 200.0, 600.0])
def test_plain_products_keep_their_relative_accuracy(nx, ny, metric, p, reach):
    """Against 80-bit sums with exponents to 600, so that entries are as small as 1e-260."""
    cost, matrix = grid_and_cost(nx, ny, metric, p)
    reg = (cost.max() or 1.0) / reach
    v = hard_inputs(len(matrix), np.random.default_rng(0))
    exact = v.astype(np.longdouble) @ np.exp(-matrix.astype(np.longdouble) / reg)
    kernel = plain_kernel(cost, reg)
    tiny = np.finfo(np.float64).tiny
    for found in (kernel.times(v), kernel.transposed_times(v)):
        assert (np.abs(found - exact) <= 1e-12 * exact + 1e3 * tiny).all()
    assert (exact[[0, 1, 2, 4]] > 1e-270).all()
    priced = v.astype(np.longdouble) @ (matrix * np.exp(-matrix.astype(np.longdouble) / reg))
    np.testing.assert_allclose(kernel.plan_costs(v[:3], v[4:]), (v[4:] * priced[:3]).sum(axis=1).astype(float), 1e-11)


@pytest.mark.parametrize(("nx", "ny"), SIZES)
@pytest.mark.parametrize(("metric", "p"), SEPARABLE)
@pytest.mark.parametrize("reach", [1.0, 300.0, 5_000.0])
def test_products_in_logarithms_have_no_smallest_number(nx, ny, metric, p, reach):
    """80-bit numbers reach to e^-11,000; the logarithm is right to the digits that its size leaves."""
    cost, matrix = grid_and_cost(nx, ny, metric, p)
    reg = (cost.max() or 1.0) / reach
    kernel = SeparableLogKernel(*axis_costs(cost), reg)
    rng = np.random.default_rng(0)
    k = len(matrix)
    rows = [np.zeros(k), np.where(np.arange(k) == k - 1, 0.0, -np.inf), rng.uniform(-reach, reach, k), matrix[0] / reg]
    for a in rows:
        terms = np.exp(a.astype(np.longdouble) - matrix.astype(np.longdouble) / reg)
        exact = np.log(terms.sum(axis=1)).astype(float)
        np.testing.assert_allclose(kernel.times(a), exact, atol=1e-14 * max(reach, 100.0), rtol=1e-14)
        np.testing.assert_array_equal(kernel.transposed_times(a, rows[0]), kernel.times(a))
        priced = float((terms * matrix / terms.sum(axis=1, keepdims=True)).sum())
        assert kernel.plan_cost(-exact, a) == pytest.approx(priced, rel=1e-10, abs=1e-300)


def test_blocks_are_cut_so_that_no_number_leaves_float64():
    """200 points at a reg of 1/4000: between whole blocks costs would differ by far more than 300 reg."""
    axis = np.linspace(0, 1, 200)
    c = (axis[:, None] - axis) ** 2
    product = LogAxis(c, 1 / 4000).log_product(np.zeros((1, 200)))[0]
    exact = np.log(np.exp(-c.astype(np.longdouble) * 4000).sum(axis=1)).astype(float)
    np.testing.assert_allclose(product, exact, rtol=1e-13)


def test_a_reg_that_needs_too_many_blocks_is_refused():
    axis = np.linspace(0, 1, 300)
    with pytest.raises(ValueError, match=r"reg = 1e-06 is too small for 300 points on an axis"):
        LogAxis((axis[:, None] - axis) ** 2, 1e-6)


@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_shifted_products_are_products_with_the_matrix_of_all_shifts(ny, nx, n, seed):
    rng = np.random.default_rng(seed)
    entries, v = rng.random((ny, nx)), rng.random((n, ny * nx))
    iy, ix = np.divmod(np.arange(ny * nx), nx)
    matrix = entries[np.abs(iy[:, None] - iy), np.abs(ix[:, None] - ix)]
    np.testing.assert_allclose(shifted_product(entries, v), v @ matrix, rtol=1e-14)


@pytest.mark.parametrize("places", [1, 5, 143])
def test_expected_costs_are_those_of_the_matrix(places):
    cost, matrix = grid_and_cost(13, 11, "euclidean", 1.0)
    mu = np.zeros((2, len(matrix)))
    mu[:, :places] = 1.0 / places
    np.testing.assert_allclose(expected_costs(mu, cost), mu @ matrix, rtol=1e-13)
