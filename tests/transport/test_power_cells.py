"""Power cells: a point lies in the cell of its nearest atom, cells fill the region, and borders lie between them."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from shapely.affinity import translate

from dpot_core.datasets import us_outline
from dpot_core.transport.power_cells import power_borders, power_cells
from dpot_core.transport.semidiscrete import transport

#: A region with a bay and a lake, and an island.
MAINLAND = shapely.Polygon(
    [(0, 0), (4, 0), (4, 3), (2.5, 3), (2, 0.7), (1.5, 3), (0, 3)], [[(0.5, 1), (1, 1), (1, 2), (0.5, 2)]]
)
# Off the grid, so that no border runs along the coast.
REGION = translate(shapely.MultiPolygon([MAINLAND, shapely.box(4.5, 1, 5, 2)]), 0.0123, 0.0217)


@st.composite
def weighted_atoms(draw):
    m = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    # Also atoms outside, on a grid (where four cells meet) and at one place.
    atoms = rng.uniform(-2, 7, (m, 2))
    if draw(st.booleans()):
        atoms = np.rint(atoms)
    return atoms, draw(st.sampled_from([0.0, 0.5, 20.0])) * rng.standard_normal(m)


def grid(region, steps=60):
    west, south, east, north = shapely.bounds(region)
    x, y = np.meshgrid(np.linspace(west, east, steps), np.linspace(south, north, steps))
    points = np.column_stack([x.ravel(), y.ravel()])
    return points[shapely.contains_xy(region, *points.T)]


@given(weighted_atoms())
def test_points_lie_in_the_cell_of_their_atom_and_cells_fill_the_region(case):
    atoms, psi = case
    cells = power_cells(atoms, psi, REGION)
    points = grid(REGION)
    away = cdist(points, atoms, "sqeuclidean") - psi
    for cell, far in zip(cells, away.T, strict=True):
        inside = shapely.contains_xy(cell, *points.T)
        # In a cell no atom is nearer than its own; well away from borders no point that is nearest to it is left out.
        assert (far[inside] <= away[inside].min(axis=1) + 1e-9).all()
        assert cell.difference(REGION).area < 1e-9
    belongs = sum(shapely.contains_xy(shapely.buffer(cell, 1e-9), *points.T).astype(int) for cell in cells)
    assert (belongs >= 1).all()
    assert shapely.area(cells).sum() == pytest.approx(REGION.area, rel=1e-9)


@given(weighted_atoms())
def test_borders_lie_where_two_atoms_are_as_near_and_nothing_is_nearer(case):
    atoms, psi = case
    found = power_borders(atoms, psi, REGION)
    assert (found.pairs[:, 0] < found.pairs[:, 1]).all()
    share = np.linspace(0.05, 0.95, 7)[:, None, None]
    along = (1 - share) * found.ends[:, 0] + share * found.ends[:, 1]
    for points in along:
        away = cdist(points, atoms, "sqeuclidean") - psi
        both = np.take_along_axis(away, found.pairs, axis=1)
        assert np.abs(both - away.min(axis=1, keepdims=True)).max(initial=0.0) < 1e-8
        assert shapely.dwithin(shapely.points(points), REGION, 1e-9).all()
    # They are all the borders that there are: with the coast they make up the rims of the cells.
    cells = power_cells(atoms, psi, REGION)
    rims = shapely.length(cells).sum() - REGION.length
    assert 2 * np.hypot(*(found.ends[:, 1] - found.ends[:, 0]).T).sum() == pytest.approx(rims, abs=1e-6)


def test_equal_potentials_give_the_nearest_atom_and_one_atom_has_everything():
    cells = power_cells([[1.0, 0.5], [3.0, 0.5]], [7.0, 7.0], REGION)
    assert cells[0].bounds[2] == pytest.approx(2.0) == cells[1].bounds[0]
    (whole,) = power_cells([[100.0, -3.0]], [0.0], REGION)
    assert whole.equals(REGION)
    assert len(power_borders([[100.0, -3.0]], [0.0], REGION).ends) == 0


def test_an_atom_far_below_the_others_has_nothing():
    cells = power_cells([[1.0, 0.5], [3.0, 0.5], [2.0, 0.5]], [0.0, 0.0, -50.0], REGION)
    assert cells[2].is_empty and not cells[0].is_empty


def test_the_potentials_of_a_plan_give_cells_that_hold_equal_shares():
    outline = us_outline()
    rng = np.random.default_rng(3)
    points = rng.uniform(*np.array(outline.bounds).reshape(2, 2), (4000, 2))
    points = points[outline.contains(points)]
    atoms = points[:12]
    plan = transport(points, None, atoms)
    cells = power_cells(atoms, plan.potentials, outline.region)
    held = [shapely.contains_xy(cell, *points.T).mean() for cell in cells]
    # All but the few points that are split between cells.
    assert held == pytest.approx(np.full(12, 1 / 12), abs=12 / len(points))
    assert shapely.area(cells).sum() == pytest.approx(outline.region.area, rel=1e-9)


@pytest.mark.parametrize(
    ("atoms", "potentials", "message"),
    [
        ([[0.0, 0.0, 0.0]], [0.0], "dimension 2"),
        ([[0.0, 0.0]], [0.0, 1.0], "shape"),
        ([[0.0, 0.0]], [np.nan], "finite"),
    ],
)
def test_unfitting_arguments_are_refused(atoms, potentials, message):
    with pytest.raises(ValueError, match=message):
        power_cells(atoms, potentials, REGION)
