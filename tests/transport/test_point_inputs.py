"""Inputs at one point of a grid, against the matrix of all costs."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_core.transport.capped_simplex import minimise_linear
from dpot_core.transport.point_inputs import (
    costliest_point,
    costs_of_points,
    costs_with_equal_bounds,
    sums_from_points,
)
from tests.marks import every_by_day

SHAPES = [(5, 7, 1.0, "euclidean"), (8, 8, 2.0, "euclidean"), (6, 9, 1.0, "manhattan"), (1, 6, 1.0, "euclidean")]
SHAPES += [(13, 11, 1.5, "euclidean"), (1, 1, 1.0, "euclidean"), (17, 4, 1.0, "euclidean")]


def bases(nx: int, ny: int, epsilon: float) -> list[NDArray[np.float64]]:
    rng, k = np.random.default_rng(nx * 100 + ny), nx * ny
    mirrored = rng.random((ny, nx))
    mirrored = mirrored + mirrored[::-1]
    mirrored = mirrored + mirrored[:, ::-1]
    sparse = rng.random(k) * (rng.random(k) < 0.3) + 1e-9 * (np.arange(k) == k // 2)
    uniform = dpot.uniform_base(k, float(np.exp(rng.uniform(-epsilon / 2, epsilon / 2))))
    return [uniform, rng.dirichlet(np.full(k, 0.2)), (mirrored / mirrored.sum()).ravel(), sparse / sparse.sum()]


@pytest.mark.parametrize(("nx", "ny", "p", "metric"), SHAPES)
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 4.0, 12.0, 60.0])
def test_all_inputs_and_the_costliest_one(nx: int, ny: int, p: float, metric: str, epsilon: float) -> None:
    space = dpot.grid(nx, ny, (0, 3, 0, 2.5), metric)
    cost = dpot.grid_cost(space, p)
    for number, base in enumerate(bases(nx, ny, epsilon)):
        polytope = dpot.Polytope(base, epsilon)
        lower, upper = polytope.lower, polytope.upper
        expected = dpot.worst_case_wasserstein(dpot.cost_matrix(space, p=p), polytope, p)
        near = {"rtol": 1e-12, "atol": 1e-12}
        np.testing.assert_allclose(costs_of_points(cost, lower, upper), expected.per_input**p, **near)
        some = np.arange(nx * ny)[::3]
        np.testing.assert_allclose(costs_of_points(cost, lower, upper, some), expected.per_input[some] ** p, **near)
        if number == 0:
            found = costs_with_equal_bounds(cost, float(lower[0]), float(upper[0]))
            np.testing.assert_allclose(found, expected.per_input**p, **near)
        point, value = costliest_point(space, p, lambda at, b=(lower, upper): costs_of_points(cost, *b, at))
        assert value == pytest.approx(float(expected) ** p, rel=1e-12, abs=1e-12)
        assert expected.per_input[point] == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


def test_the_costliest_point_is_found_from_few_wherever_it_lies() -> None:
    """Any function that changes by no more than the way between points: the largest of cones with tops anywhere."""
    rng, space = np.random.default_rng(5), dpot.grid(37, 50, (0, 3, 0, 4))
    for _ in range(50):
        tops = rng.random((4, 2)) * [3, 4]
        heights = rng.random(4)
        away = np.linalg.norm(space.points[:, None] - tops, axis=2)
        values = np.maximum((heights - away).max(axis=1), -0.5) + 1.0
        asked: list[int] = []

        def costs_of(inputs: NDArray[np.intp], values: NDArray = values, asked: list = asked) -> NDArray:
            asked.extend(inputs)
            return values[inputs]

        point, value = costliest_point(space, 1, costs_of)
        assert value == values.max() == values[point]
        assert len(asked) < len(space) / 2


@pytest.mark.parametrize("p", [1.5, 2.0, 3.0])
def test_with_any_power_blocks_are_left_out_by_the_root_of_the_cost(p: float) -> None:
    rng, space = np.random.default_rng(8), dpot.grid(64, 64, (0, 3, 0, 3))
    for _ in range(50):
        tops, heights = rng.random((4, 2)) * 3, rng.random(4)
        away = np.linalg.norm(space.points[:, None] - tops, axis=2)
        values = (np.maximum((heights - away).max(axis=1), -0.5) + 1.0) ** p
        point, value = costliest_point(space, p, lambda at, values=values: values[at])
        assert value == values.max() == values[point]


def test_work_on_all_points_reports_and_can_be_abandoned() -> None:
    cost = dpot.grid_cost(dpot.grid(60, 60), 1)
    polytope = dpot.Polytope(np.random.default_rng(0).dirichlet(np.ones(3600)), 1.0)
    steps: list[tuple[int, int]] = []
    costs_of_points(cost, polytope.lower, polytope.upper, progress=lambda done, total: steps.append((done, total)))
    assert len(steps) > 10 and steps == sorted(steps) and {total for _, total in steps} == {3600}

    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        costs_of_points(cost, polytope.lower, polytope.upper, progress=stop)


@pytest.mark.parametrize(("nx", "ny", "p", "metric"), [*SHAPES, (6, 5, 3.0, "euclidean"), (5, 5, 4.0, "euclidean")])
@pytest.mark.parametrize("epsilon", every_by_day(2, [1e-3, 1.0, 4.0, 12.0]))
def test_the_dearest_output_within_bounds(nx: int, ny: int, p: float, metric: str, epsilon: float) -> None:
    """The most that an output in the polytope costs is a linear program; with one bound for all a corner has it."""
    space = dpot.grid(nx, ny, (0, 3, 0, 2.5), metric)
    cost, matrix = dpot.grid_cost(space, p), dpot.cost_matrix(space, p=p)
    for number, base in enumerate(bases(nx, ny, epsilon)):
        polytope = dpot.Polytope(base, epsilon)
        lower, upper = polytope.lower, polytope.upper
        expected = -minimise_linear(-matrix, np.argsort(-matrix, axis=1), lower, upper)[0]
        found = costs_of_points(cost, lower, upper, dearest=True)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
        if number == 0:
            assert found[0] == pytest.approx(found.max(), rel=1e-12)
        program = linprog(-matrix[0], A_eq=np.ones((1, nx * ny)), b_eq=[1.0], bounds=np.column_stack([lower, upper]))
        assert found[0] == pytest.approx(-program.fun, rel=1e-9, abs=1e-9)
        _, most = costliest_point(space, p, lambda at, b=(lower, upper): costs_of_points(cost, *b, at, dearest=True))
        assert most == pytest.approx(expected.max(), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("nx", "ny"), [(1, 1), (1, 6), (5, 1), (4, 7), (9, 8)])
def test_sums_over_all_points_from_every_point(nx: int, ny: int) -> None:
    table = np.random.default_rng(nx).random((ny, nx))
    y, x = np.divmod(np.arange(nx * ny), nx)
    expected = table[np.abs(y[:, None] - y), np.abs(x[:, None] - x)].sum(axis=1)
    np.testing.assert_allclose(sums_from_points(table), expected, rtol=1e-13)
