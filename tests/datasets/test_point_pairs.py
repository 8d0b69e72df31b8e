"""Pairs of point sets: simulated, from check-ins, from a file."""

import numpy as np
import pytest

from dpot_core import datasets
from dpot_core.datasets import PointPair, check_in_pair, read_pair_csv, simulated_city, simulated_pair


@pytest.mark.parametrize("kind", sorted(datasets.SIMULATED_PAIRS))
def test_a_simulated_pair_is_its_seed(kind: str):
    pair = simulated_pair(kind, 500, seed=3)
    assert pair.simulated and pair.first.shape == pair.second.shape == (500, 2)
    assert pair.digest == simulated_pair(kind, 500, seed=3).digest != simulated_pair(kind, 500, seed=4).digest
    assert pair.first.min() >= 0 and pair.second.max() <= 1
    assert np.linalg.norm(pair.first.mean(axis=0) - pair.second.mean(axis=0)) > 0.1


def test_points_are_counted_in_their_cells():
    points = np.array([[0.0, 0.0], [3.9, 0.1], [4.0, 2.0], [1.0, 1.5]])
    pair = PointPair(points, points[:2], ("a", "b"), (4.0, 2.0), "km", "point", "t", True, "s")
    space, first, second = pair.on_grid(2)
    # Row-major from the south-west: cell 0 is x < 2, y < 1; the point on the far corner counts for the last cell.
    assert first.tolist() == [1, 1, 1, 1] and second.tolist() == [1, 1, 0, 0]
    assert space.points.tolist() == [[1.0, 0.5], [3.0, 0.5], [1.0, 1.5], [3.0, 1.5]]


@pytest.mark.slow
def test_two_groups_of_check_ins_are_different_people():
    city = simulated_city(60)
    pair = check_in_pair(city, 400, seed=1)
    assert pair.first.shape == pair.second.shape == (400, 2)
    assert pair.unit == "km" and pair.record == "check-in" and pair.simulated
    assert "m times epsilon" in pair.notes[-1]
    assert ((pair.first >= 0) & (pair.first <= pair.extent)).all()
    assert pair.around and "outermost" in pair.notes[-2]
    box = (float(city.lon.min()) - 0.1, float(city.lat.min()) - 0.1, float(city.lon.max()), float(city.lat.max()))
    boxed = check_in_pair(city, 400, seed=1, box=box)
    assert not boxed.around and not any("outermost" in note for note in boxed.notes)
    assert boxed.extent[0] > pair.extent[0] and ((boxed.first >= 0) & (boxed.first <= boxed.extent)).all()
    few = check_in_pair(city, 100_000)
    assert len(few.first) + len(few.second) == city.totals.sum()  # without replacement: all, and no more
    busiest = np.argsort(-city.totals)[:2]
    assert sum(int(name.split()[0]) for name in pair.names) == 60 and busiest.size == 2


def csv(rows: list[str], header: str = "group,x,y") -> bytes:
    return "\n".join([header, *rows]).encode()


def test_a_file_of_ones_own():
    pair = read_pair_csv(csv(["b,1,5", "a,3,6", "b,2,9"]))
    assert pair.names == ("b", "a") and not pair.simulated
    assert pair.first.tolist() == [[0, 0], [1, 4]] and pair.second.tolist() == [[2, 1]]
    assert pair.extent == (2.0, 4.0) and "public" in pair.notes[-1]
    renamed = read_pair_csv(csv(["b,1,5", "a,3,6"], "who,e,n"), {"group": "who", "x": "e", "y": "n"})
    assert renamed.names == ("b", "a")
    same = read_pair_csv(csv(["a,1,1", "b,1,1"]))
    assert same.on_grid(4)[1].sum() == 1  # no width, and still a grid


def test_a_rectangle_that_was_fixed_beforehand_tells_nothing():
    rows = csv(["b,1,5", "a,3,6", "b,2,9", "a,-7,0"])
    pair = read_pair_csv(rows, box=(0.0, 0.0, 10.0, 8.0))
    assert not pair.around and pair.extent == (10.0, 8.0)
    assert pair.first.tolist() == [[1, 5], [2, 8]] and pair.second.tolist() == [[3, 6], [0, 0]]
    assert pair.beyond == 2 and pair.notes == ()
    wide = read_pair_csv(rows, box=(-10.0, -10.0, 10.0, 10.0))
    assert wide.beyond == 0 and wide.digest != pair.digest
    for box in ((0, 0, 0, 1), (1, 0, 0, 1), (0, 0, 1, float("nan")), (0, 0, float("inf"), 1)):
        with pytest.raises(ValueError, match="box"):
            read_pair_csv(rows, box=box)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (csv([]), "no rows"),
        (csv(["a,1,1"]), "exactly two groups; got 1"),
        (csv(["a,1,1", "b,1,1", "c,1,1"]), "exactly two groups; got 3"),
        (csv(["a,1,1", "b,x,1"]), "row 3, column 'x': x must be a number"),
        (csv(["a,1,1", ",1,1"]), "name is empty"),
        (csv(["a,1", "b,2"], "group,x"), "y"),
    ],
)
def test_files_that_cannot_be_used_say_why(data: bytes, message: str):
    with pytest.raises(ValueError, match=message):
        read_pair_csv(data)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="kind"):
        simulated_pair("spirals")
    with pytest.raises(ValueError, match="n must lie"):
        simulated_pair("rings", 0)
    with pytest.raises(ValueError, match="cells"):
        simulated_pair("rings", 10).on_grid(1)
    with pytest.raises(ValueError, match="two people"):
        check_in_pair(simulated_city(1))
    with pytest.raises(ValueError, match="shape"):
        PointPair(np.zeros((2, 3)), np.zeros((2, 2)), ("a", "b"), (1.0, 1.0), "", "point", "t", True, "s")
