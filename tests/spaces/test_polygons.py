"""Polygons that threads share: the right answers, and no crash."""

import subprocess
import sys

import numpy as np
import pytest
import shapely

from dpot_core.datasets import us_outline
from dpot_core.spaces.polygons import SharedPolygon

SQUARES = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)])

# A sessions' server in small: without the lock the interpreter dies within a second.
MANY_THREADS = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np, shapely
from dpot_core.datasets import us_outline
from dpot_core.spaces.polygons import SharedPolygon

shape = SharedPolygon(us_outline().region)
west, south, east, north = shape.geometry.bounds
draws = np.random.default_rng(0).random((3000, 2))
points = np.array([west, south]) + draws * [east - west, north - south]
boxes = shapely.box(points[:, 0], points[:, 1], points[:, 0] + 0.5, points[:, 1] + 0.5)

def ask(number):
    return shape.contains(points).sum(), shape.meets(boxes).sum(), shape.clip(points[:300]).sum()

with ThreadPoolExecutor(4) as pool:
    answers = set(pool.map(ask, range(60)))
assert len(answers) == 1, answers
print("same answers")
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_threads_may_ask_at_once():
    run = subprocess.run([sys.executable, "-c", MANY_THREADS], capture_output=True, text=True, timeout=900, check=False)
    assert run.returncode == 0, run.stderr[-500:]
    assert run.stdout.strip() == "same answers"


def test_answers_are_those_of_the_plain_geometry():
    shape = SharedPolygon(SQUARES)
    points = np.random.default_rng(0).uniform(-1, 4, (500, 2))
    plain = shapely.intersects(SQUARES, shapely.points(points))
    assert (shape.contains(points) == plain).all()
    assert shape.contains(np.array([[1.0, 1.0], [1.0, 0.5], [1.5, 0.5]])).tolist() == [True, True, False]
    boxes = shapely.box(points[:, 0], points[:, 1], points[:, 0] + 0.3, points[:, 1] + 0.3)
    assert (shape.meets(boxes) == shapely.intersects(SQUARES, boxes)).all()


def test_moved_points_are_the_nearest_and_stay_in():
    shape = SharedPolygon(SQUARES)
    assert shape.nearest(np.array([[-1.0, 0.5], [1.4, 0.5], [0.5, 0.5]])).tolist() == [[0, 0.5], [1, 0.5], [0.5, 0.5]]
    points = np.random.default_rng(1).uniform(-1, 4, (500, 2))
    clipped = shape.clip(points)
    inside = shape.contains(points)
    assert (clipped[inside] == points[inside]).all()
    assert shape.contains(clipped).all()
    far = shapely.distance(SQUARES, shapely.points(points))
    assert np.allclose(np.linalg.norm(clipped - points, axis=1), far, atol=1e-8)


def test_a_polygon_too_small_for_a_margin_is_its_own_inside():
    sliver = SharedPolygon(shapely.Polygon([(0, 0), (1, 0), (1, 1e-10)]))
    assert np.allclose(sliver.clip(np.array([[0.5, 1.0]])), [[0.5, 0.0]], atol=1e-9)


def test_the_caller_s_geometry_is_left_alone():
    region = us_outline().region
    SharedPolygon(region)
    assert not shapely.is_prepared(region)


@pytest.mark.parametrize(
    "shape",
    [
        shapely.Polygon([(0, 0), (0.003, 0), (1, 0.997), (1, 1), (0.997, 1), (0, 0.003)]),
        shapely.Polygon([(0, 0), (1, 0.3), (1, 0.3001)]),
        shapely.MultiPolygon(
            [shapely.box(0, 0, 1, 1).difference(shapely.box(0.2, 0.2, 0.8, 0.8)), shapely.box(3, 0, 4, 2)]
        ),
    ],
    ids=["strip", "sliver", "frame and box"],
)
def test_uniform_points_fill_the_polygon_evenly(shape):
    found = SharedPolygon(shape).uniform(4000, np.random.default_rng(0))
    assert len(np.unique(found, axis=0)) == 4000
    assert SharedPolygon(shape).contains(found).all()
    west, south, east, north = shape.bounds
    for share in (0.25, 0.5, 0.75):
        left = shapely.box(west, south, west + share * (east - west), north)
        expected = shapely.intersection(shape, left).area / shape.area
        assert (found[:, 0] <= west + share * (east - west)).mean() == pytest.approx(expected, abs=0.035)
