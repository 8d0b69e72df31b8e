"""Public regions: what they contain, where points go, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
import shapely

import dpot_core as dpot
from dpot_core.datasets import box_outline
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.private_measure import private_measure
from dpot_core.mechanisms.central.region_draws import draw_in_cells, uniform_points
from dpot_core.mechanisms.central.regions import BoxRegion, PolygonRegion, SampledRegion, as_region

ELL = shapely.Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])


def ball(points: np.ndarray) -> np.ndarray:
    return (points**2).sum(axis=1) <= 1.0


REGIONS = {
    "box": BoxRegion([-1.0, 0.0, 2.0], [1.0, 0.5, 3.0]),
    "polygon": PolygonRegion(ELL),
    "two islands": PolygonRegion(shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 3, 6, 7)])),
    "exact ball": BallRegion([0.5, -2.0, 3.0], 0.7),
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


BALLS = [BallRegion(np.full(d, at), r) for d in (1, 2, 10, 784) for at, r in ((0.0, 0.5), (1e9, 1e-3), (-0.3, 1e6))]


def far_from(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    away = rng.standard_normal((n, d))
    return away / np.linalg.norm(away, axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("ball", BALLS, ids=lambda ball: f"{ball.centre.size}, {ball.centre[0]:g}, {ball.radius:g}")
def test_points_in_a_ball_are_within_its_radius_in_exact_arithmetic(ball: BallRegion) -> None:
    """The sensitivity uses `radius` and `diameter`: they hold for the points as they are in floating point."""
    rng = np.random.default_rng(0)
    d = ball.centre.size
    far = ball.centre + ball.radius * rng.standard_normal((12, d)) * rng.choice([1e-2, 1.0, 1e100], (12, 1))
    # On the edge, where rounding decides: of these, those that are let in.
    edge = ball.centre + far_from(rng, 200, d) * (ball.radius * (1 - rng.choice(9, (200, 1)) * 2.0**-53))
    points = np.vstack(
        [
            edge[ball.contains(edge)][:40],
            ball.clip(far),
            ball.uniform(6, rng),
            ball.clip(ball.lower[None]),
            ball.clip(ball.upper[None]),
        ]
    )
    assert ball.contains(points).all()
    assert (ball.clip(points) == points).all()
    for point in points:
        coordinates = zip(point.tolist(), ball.centre.tolist(), strict=True)
        apart = sum((Fraction(x) - Fraction(c)) ** 2 for x, c in coordinates)
        assert apart <= Fraction(ball.radius) ** 2
    assert ball.diameter == 2 * ball.radius


def test_clipping_to_a_ball_goes_to_the_nearest_point_and_overflows_nowhere() -> None:
    ball = BallRegion([1.0, 2.0], 5.0)
    points = np.array([[7.0, 10.0], [1.0, -40.0], [1e308, 2.0], [2.0, 2.0]])
    assert ball.clip(points) == pytest.approx(np.array([[4.0, 6.0], [1.0, -3.0], [6.0, 2.0], [2.0, 2.0]]), abs=1e-12)
    # Where coordinates are as coarse as the ball is wide, all go to the few points that there are.
    coarse = BallRegion([2.0**52, 2.0**52], 1.0)
    assert coarse.contains(coarse.clip(coarse.centre + np.array([[3.0, 4.0], [1.0, 1.0], [-9.0, 0.0]]))).all()


def test_a_ball_meets_the_boxes_it_meets_and_is_filled_evenly() -> None:
    ball = BallRegion([0.0, 0.0], 1.0)
    lower = np.array([[0.8, 0.8], [0.6, 0.6], [-2.0, -2.0], [1.0, -0.5]])
    assert ball.intersects(lower, np.array([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0], [2.0, 0.5]])).tolist() == [
        False,
        True,
        True,
        True,
    ]
    drawn = uniform_points(ball, 4000, np.random.default_rng(0))
    assert (np.linalg.norm(drawn, axis=1) <= 0.5).mean() == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("d", [2, 25, 784])
def test_private_measures_of_a_ball_stay_in_it_and_in_their_cells(d: int) -> None:
    ball, rng = BallRegion(np.zeros(d), 0.5), np.random.default_rng(0)
    made = private_measure(ball.uniform(60, rng), 5.0, region=ball, rng=rng, depth=6)
    assert ball.contains(made.points).all() and len(made) == 60
    codes = np.sort(made.cells.codes(made.points))
    leaves = made.levels[-1]
    assert (codes == np.sort(np.repeat(leaves.codes, leaves.private))).all()
    # New points differ, in high dimensions as well, where every plain draw in a cell misses the ball.
    assert len(np.unique(made.points, axis=0)) == len(made)


@pytest.mark.parametrize(
    ("centre", "radius", "message"),
    [
        ([0.0], 0.0, "radius"),
        ([0.0], np.nan, "radius"),
        (0.0, 1.0, "centre"),
        ([np.inf], 1.0, "centre"),
        ([1e9], 1e-9, "sides"),
    ],
)
def test_bad_balls(centre, radius, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BallRegion(centre, radius)


def test_an_outline_is_as_good_as_its_region():
    """What `box_outline` and the loaders of maps return, and what readers hand over first."""
    outline, rng = box_outline(-2, -1, 3, 4), np.random.default_rng(0)
    assert isinstance(as_region(outline), PolygonRegion)
    groups = [rng.uniform(-1, 1, (60, 2)) for _ in range(2)]
    found, same = (
        dpot.coreset_barycenter(groups, 2, 1.0, region=region, rng=np.random.default_rng(1))
        for region in (outline, outline.region)
    )
    np.testing.assert_array_equal(found.atoms, same.atoms)
    with pytest.raises(ValueError, match="region"):
        dpot.coreset_barycenter(groups, 2, 1.0, region="here", rng=rng)
