"""Spaces: known distances, metric laws, output points that differ from the inputs, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot


def test_ring_of_five_has_these_distances():
    assert dpot.ring(5).distances().tolist() == [
        [0, 1, 2, 2, 1],
        [1, 0, 1, 2, 2],
        [2, 1, 0, 1, 2],
        [2, 2, 1, 0, 1],
        [1, 2, 2, 1, 0],
    ]


@pytest.mark.parametrize(("k", "diameter"), [(1, 0), (2, 1), (3, 1), (30, 15), (31, 15)])
def test_ring_diameter_is_half_the_way_round(k, diameter):
    assert dpot.ring(k).diameter == diameter
    assert len(dpot.ring(k)) == k


def test_grid_is_row_major():
    space = dpot.grid(3, 2, extent=(0, 2, 10, 11))
    assert space.points.tolist() == [[0, 10], [1, 10], [2, 10], [0, 11], [1, 11], [2, 11]]
    assert space.distances()[0, 5] == pytest.approx(np.sqrt(5))


def test_default_grid_spans_the_unit_square():
    space = dpot.grid(20, 20, extent=(0, 1, 0, 1))
    assert space.points.shape == (400, 2)
    assert space.diameter == pytest.approx(np.sqrt(2))


def test_cosine_distance_ignores_length():
    space = dpot.point_cloud([[1.0, 0.0], [5.0, 0.0], [0.0, 2.0], [-1.0, 0.0]], metric="cosine")
    expected = [[0, 0, 1, 2], [0, 0, 1, 2], [1, 1, 0, 1], [2, 2, 1, 0]]
    np.testing.assert_allclose(space.distances(), expected, atol=1e-15)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_distances_obey_the_laws_of_a_metric(k, seed):
    rng = np.random.default_rng(seed)
    for space in (dpot.ring(k), dpot.grid(k, 2), dpot.point_cloud(rng.integers(0, 3, (k, 3)))):
        d = space.distances()
        assert (d >= 0).all()
        assert (d == d.T).all()
        assert (d.diagonal() == 0).all()
        assert (d[:, None, :] <= d[:, :, None] + d[None, :, :] + 1e-12).all()
        assert space.diameter == d.max()


def test_targets_may_be_a_space_indices_or_points():
    space = dpot.grid(4, 3)
    some = np.array([0, 5, 11])
    by_index = space.distances(some)
    assert by_index.shape == (12, 3)
    assert (by_index == space.distances()[:, some]).all()
    assert (space.distances(space.points[some]) == by_index).all()
    assert (space.distances(dpot.point_cloud(space.points[some])) == by_index).all()


def test_ring_distance_is_never_negative_for_points_named_from_outside():
    """A position beyond the end is either the same place one round later, or refused."""
    space = dpot.ring(30)
    try:
        d = space.distances(np.array([[35.0]]))
    except ValueError:
        return
    assert (d[:, 0] == space.distances()[:, 5]).all()


def test_cost_is_the_distance_to_the_power_p():
    space = dpot.ring(6)
    for p in (1, 1.5, 2, 4):
        np.testing.assert_allclose(dpot.cost_matrix(space, p=p), space.distances() ** p, rtol=1e-15)
    assert dpot.cost_matrix(space)[0, 3] == 9
    assert dpot.cost_matrix(space, np.array([0, 3]), p=1).shape == (6, 2)


def test_cost_matrix_may_be_changed_without_changing_the_space():
    space = dpot.ring(4)
    dpot.cost_matrix(space, p=1)[:] = 7
    assert space.distances().max() == 2


def test_duplicated_points_are_kept_and_lie_at_distance_zero():
    space = dpot.point_cloud([[1.0, 2.0], [1.0, 2.0], [4.0, 6.0]])
    assert space.distances().tolist() == [[0, 0, 5], [0, 0, 5], [5, 5, 0]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_points_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValueError, match="points"):
        dpot.point_cloud([[0.0, 0.0], [bad, 1.0]])


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: dpot.ring(0), "k"),
        (lambda: dpot.ring(-3), "k"),
        (lambda: dpot.ring(2.5), "k"),
        (lambda: dpot.grid(0, 3), "nx"),
        (lambda: dpot.grid(2, 2, extent=(1, 0, 0, 1)), "extent"),
        (lambda: dpot.grid(2, 2, extent=(0, np.nan, 0, 1)), "extent"),
        (lambda: dpot.point_cloud([]), "points"),
        (lambda: dpot.point_cloud([1.0, 2.0]), "points"),
        (lambda: dpot.point_cloud([["a", "b"]]), "points"),
        (lambda: dpot.point_cloud([[0.0, 1.0]], metric="sqeuclidean"), "p=2"),
        (lambda: dpot.point_cloud([[0.0, 0.0]], metric="cosine"), "origin"),
        (lambda: dpot.ring(5).distances(np.array([5])), "0..4"),
        (lambda: dpot.ring(5).distances(np.array([-1])), "0..4"),
        (lambda: dpot.ring(5).distances(dpot.grid(2, 2)), "metric"),
        (lambda: dpot.grid(2, 2).distances([[1.0, 2.0, 3.0]]), "coordinates"),
        (lambda: dpot.cost_matrix(dpot.ring(5), p=0.5), "p"),
        (lambda: dpot.cost_matrix(dpot.ring(5), p=np.nan), "p"),
    ],
)
def test_bad_spaces_are_refused_by_name(make, word):
    with pytest.raises(ValueError, match=word):
        make()


@pytest.mark.parametrize(
    ("distances", "word"),
    [
        ([[0, 1], [2, 0]], "symmetric"),
        ([[0, -1], [-1, 0]], "negative"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        ([[1, 1], [1, 0]], "diagonal"),
        ([[0, 1, 5], [1, 0, 1], [5, 1, 0]], "triangle"),
        ([[0, 1]], "square"),
    ],
)
def test_given_distances_that_are_no_metric_are_refused(distances, word):
    from dpot_core.spaces import metric_space

    with pytest.raises(ValueError, match=word):
        metric_space(distances)
