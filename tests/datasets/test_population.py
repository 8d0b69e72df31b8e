"""Population: what it accepts, its groups, its samples; outlines of one's own."""

import numpy as np
import pyproj
import pytest

from dpot_core.datasets import Population, box_outline, load_places, us_outline

BOX = box_outline(0, 0, 10, 10)


def some(**changes):
    fields = {
        "lon": [1.0, 2.0, 3.0],
        "lat": [4.0, 5.0, 6.0],
        "weights": [[5.0, 0.0, 7.0], [0.0, 3.0, 1.0]],
        "group_names": ("a", "b"),
        "title": "T",
        "simulated": True,
        "outline": BOX,
        "source": "S",
        "licence": "L",
    }
    return Population(**{**fields, **changes})


def test_groups_are_points_with_people():
    people = some()
    assert (len(people), people.n_groups, people.totals.tolist()) == (3, 2, [12.0, 4.0])
    points, weights = people.groups[1]
    assert points.tolist() == [[2.0, 5.0], [3.0, 6.0]]
    assert weights.tolist() == [3.0, 1.0]
    assert people.everybody().weights.tolist() == [[5.0, 3.0, 8.0]]
    assert people.everybody().group_names == ("everybody",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lon": [1.0, np.nan, 3.0]}, "lon must be finite"),
        ({"lat": [1.0, 2.0]}, "vectors of one length"),
        ({"lon": [], "lat": [], "weights": [[], []]}, "not empty"),
        ({"weights": [[1.0, 2.0, 3.0]]}, r"weights must have shape \(2, 3\)"),
        ({"weights": [[1.0, -2.0, 3.0], [1.0, 1.0, 1.0]]}, "weights must not be negative"),
        ({"weights": [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]}, "group 'b' has a weight of 0"),
        ({"weights": np.ones((13, 3)), "group_names": tuple("abcdefghijklm")}, "1 to 12 names"),
        ({"names": ("x",)}, "one for each of 3 points"),
        ({"lon": [1.0, 2.0, 11.0]}, r"must lie in the region \(box\); 1 do not"),
    ],
)
def test_refuses_what_is_no_population(change, message):
    with pytest.raises(ValueError, match=message):
        some(**change)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": [[5.0, 0.0, 7.0], [0.0, 3.0, 2.0]]},
        {"group_names": ("a", "c")},
        {"names": ("x", "y", "z")},
        {"outline": box_outline(0, 0, 10, 11)},
        {"simulated": False},
    ],
)
def test_equal_only_with_the_same_content(change):
    assert some() == some()
    assert hash(some()) == hash(some())
    assert some() != some(**change)
    with pytest.raises(ValueError, match="read-only"):
        some().weights[0, 0] = 1.0


def test_a_sample_draws_people_without_replacement():
    people = some()
    for seed in range(20):
        drawn = people.sample(4, np.random.default_rng(seed))
        assert drawn.totals.tolist() == [4.0, 4.0]
        whole = {tuple(point): row for point, row in zip(people.points, people.weights.T, strict=True)}
        for point, row in zip(drawn.points, drawn.weights.T, strict=True):
            assert (row <= whole[tuple(point)]).all()
    assert people.sample(4, np.random.default_rng(1)) == people.sample(4, np.random.default_rng(1))
    # Everybody of a group is drawn when n is the group.
    assert people.everybody().sample(16, np.random.default_rng(0)).weights.tolist() == [[5.0, 3.0, 8.0]]


@pytest.mark.slow
def test_a_sample_is_fair():
    rng = np.random.default_rng(5)
    draws = np.array([some().everybody().sample(8, rng).weights.sum(axis=0)[[0, -1]] for _ in range(2000)])
    # Hypergeometric: 8 of 16 people; the third point, with 8 of them, is always seen.
    assert draws.mean(axis=0) == pytest.approx([2.5, 4.0], abs=0.1)
    assert draws[:, 1].var() == pytest.approx(8 * 0.5 * 0.5 * 8 / 15, rel=0.15)


def test_samples_keep_the_names_of_their_points():
    places = load_places()
    drawn = places.sample(50, np.random.default_rng(0))
    names = dict(zip(map(tuple, places.points), places.names, strict=True))
    assert all(names[tuple(p)] == name for p, name in zip(drawn.points, drawn.names, strict=True))


@pytest.mark.parametrize(
    ("people", "n", "message"),
    [
        (some(), 5, "at most the 4 people of group 'b'"),
        (some(), 0, "n must lie in"),
        (some(weights=[[5.5, 0, 7], [0, 3, 1]]), 2, "whole numbers"),
        (some(weights=[[1e9, 0, 7], [0, 3, 1]]), 2, "at most 999,999,999"),
    ],
)
def test_a_sample_that_cannot_be_drawn(people, n, message):
    with pytest.raises(ValueError, match=message):
        people.sample(n, np.random.default_rng(0))


def test_clipped_points_are_inside_and_near():
    outline, rng = us_outline(), np.random.default_rng(3)
    points = rng.uniform((-130, 22), (-60, 52), (5000, 2))
    inside, clipped = outline.contains(points), outline.clip(points)
    assert 0.3 < inside.mean() < 0.7
    assert outline.contains(clipped).all()
    assert (clipped[inside] == points[inside]).all()
    # No other point of the border is nearer than the one chosen.
    corners = np.concatenate([ring for _, rings in outline.areas for ring in rings])
    moved = np.linalg.norm(points - clipped, axis=1)
    for i in np.flatnonzero(~inside)[:50]:
        assert moved[i] <= np.linalg.norm(corners - points[i], axis=1).min() + 1e-6


def test_kilometres_are_right_within_two_percent():
    outline, rng = us_outline(), np.random.default_rng(0)
    points = outline.clip(rng.uniform((-120, 27), (-70, 48), (200, 2)))
    km = outline.to_km(points)
    geod = pyproj.Geod(ellps="WGS84")
    for a, b in zip(range(0, 200, 2), range(1, 200, 2), strict=True):
        exact = geod.inv(*points[a], *points[b])[2] / 1000
        assert np.linalg.norm(km[a] - km[b]) == pytest.approx(exact, rel=0.02)
    with pytest.raises(ValueError, match="no length in kilometres"):
        BOX.to_km([[1.0, 2.0]])


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ((1, 0, 1, 5, False), "west < east"),
        ((0, 5, 1, 0, False), "south < north"),
        ((0, 0, 1, 91, True), "degrees"),
        ((0, 0, float("inf"), 1, False), "finite"),
    ],
)
def test_boxes_that_are_none(box, message):
    with pytest.raises(ValueError, match=message):
        box_outline(*box)


def test_points_must_be_points():
    with pytest.raises(ValueError, match=r"shape \(n, 2\)"):
        us_outline().contains([1.0, 2.0])
