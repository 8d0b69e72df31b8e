"""Public regions: what they contain, where points go, and what is refused."""

import numpy as np
import pytest
import shapely

from dpot_core.mechanisms.central.regions import BoxRegion, PolygonRegion, SampledRegion, as_region, draw_in_cells

ELL = shapely.Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])


def ball(points: np.ndarray) -> np.ndarray:
    return (points**2).sum(axis=1) <= 1.0


REGIONS = {
    "box": BoxRegion([-1.0, 0.0, 2.0], [1.0, 0.5, 3.0]),
    "polygon": PolygonRegion(ELL),
    "two islands": PolygonRegion(shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 3, 6, 7)])),
    "ball": SampledRegion(ball, [-1.0] * 3, [1.0] * 3),
}


@pytest.mark.parametrize("region", REGIONS.values(), ids=REGIONS)
def test_points_are_moved_into_the_region_and_its_hull(region) -> None:
    rng = np.random.default_rng(0)
    side = region.upper - region.lower
    points = region.lower - side + 3 * side * rng.random((500, side.size))
    clipped = region.clip(points)
    assert region.contains(clipped).all()
    inside = region.contains(points)
    assert inside.any() and (~inside).any()
    assert (clipped[inside] == points[inside]).all()
    hull = region.into_hull(points)
    assert np.allclose(region.into_hull(hull), hull, atol=1e-9)
    assert (np.linalg.norm(hull - region.centre, axis=1) <= region.radius * (1 + 1e-9)).all()
    spans = np.linalg.norm(hull[:, None] - hull[None], axis=2)
    assert spans.max() <= region.diameter * (1 + 1e-9)


@pytest.mark.parametrize("region", REGIONS.values(), ids=REGIONS)
def test_points_drawn_in_cells_lie_in_the_region_and_where_possible_in_their_cell(region) -> None:
    rng = np.random.default_rng(0)
    side = region.upper - region.lower
    cell = np.floor(8 * rng.random((400, side.size)))
    lower, upper = region.lower + cell * side / 8, region.lower + (cell + 1) * side / 8
    meets = region.intersects(lower, upper)
    points = draw_in_cells(region, lower[meets], upper[meets], rng)
    assert region.contains(points).all()
    if region.exact:
        assert ((points >= lower[meets] - 1e-9) & (points <= upper[meets] + 1e-9)).all()


def test_a_cell_that_hardly_touches_the_region_gets_a_point_of_the_common_part() -> None:
    region = PolygonRegion(ELL)
    lower, upper = np.array([[2.9999999, 0.9999999]]), np.array([[4.0, 2.0]])
    point = draw_in_cells(region, lower, upper, np.random.default_rng(0))
    assert region.contains(point).all()
    assert (point >= lower).all()


def test_intersects_agrees_with_the_shapes() -> None:
    region = PolygonRegion(ELL)
    answer = region.intersects(
        np.array([[1.5, 1.5], [0.5, 0.5], [2.0, 0.9]]), np.array([[2.5, 2.5], [0.6, 0.6], [9, 9]])
    )
    assert answer.tolist() == [False, True, True]
    assert region.diameter == pytest.approx(np.sqrt(18))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (([0, 0], [1, 0]), "lower < upper"),
        (([0, 0], [1, 1, 1]), "lower < upper"),
        (([0, np.nan], [1, 1]), "finite"),
        (([0.0, 0.0], [1e-162, 1e-162]), "sides of at least 1e-140"),
        (([0.0, 0.0], [1.0, 1e-150]), "sides of at least 1e-140"),
        (([-1e308, -1e308], [1e308, 1e308]), "coordinates up to 1e"),
        (shapely.box(0, 0, 1e150, 1e150), "coordinates up to 1e"),
        ("US", "region must be a public region"),
        (shapely.Point(0, 0), "valid polygon"),
        (shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), "valid polygon"),
    ],
)
def test_bad_regions(bad, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_region(bad)


def test_bad_membership() -> None:
    with pytest.raises(ValueError, match="holds none"):
        SampledRegion(lambda points: np.zeros(len(points), dtype=bool), [0.0], [1.0])
    with pytest.raises(ValueError, match="one boolean per point"):
        SampledRegion(lambda points: True, [0.0], [1.0])
