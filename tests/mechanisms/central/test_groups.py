"""Points outside the public region, and who is in which chunk: what must not depend on private data or a known seed."""

import numpy as np
import pytest

from dpot_core.mechanisms.central import perturbed_barycenter as perturbed
from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.mechanisms.central.groups import check_group
from dpot_core.mechanisms.central.paper_barycenter import paper_barycenter
from dpot_core.mechanisms.central.private_measure import private_measure
from dpot_core.mechanisms.central.regions import BoxRegion

SQUARE = BoxRegion([-0.5, -0.5], [0.5, 0.5])


def test_clipping_moves_to_the_nearest_point_and_counts():
    points = np.array([[0.0, 0.0], [9.0, 0.2], [-7.0, 8.0]])
    inside, times, moved = check_group(points, [1, 2, 3], SQUARE, "clip")
    assert inside.tolist() == [[0.0, 0.0], [0.5, 0.2], [-0.5, 0.5]]
    assert (times.tolist(), moved) == ([1, 2, 3], 5)
    assert points[1].tolist() == [9.0, 0.2], "the caller's own points stay"


@pytest.mark.parametrize("method", ["measure", "coreset", "cells", "chunks", "paper"])
def test_a_point_far_outside_says_no_more_than_the_nearest_one_inside(method):
    near = np.random.default_rng(0).uniform(-0.5, 0.5, (40, 2))
    near[:2] = [[0.5, 0.5], [-0.5, 0.1]]
    far = near.copy()
    far[:2] = [[40.0, 7e5], [-1e9, 0.1]]

    def published(points):
        given = {"region": SQUARE, "rng": np.random.default_rng(1), "outside": "clip"}
        if method == "measure":
            return private_measure(points, 50.0, **given).points
        if method == "coreset":
            return coreset_barycenter([points], 2, 50.0, **given).atoms
        if method == "paper":
            return paper_barycenter([points], 2, 50.0, 0.5, **given).trace
        return perturbed.perturbed_barycenter([points], 2, 50.0, 0.5, method=method, **given).trace

    assert published(near).tobytes() == published(far).tobytes()


def test_the_chunks_of_a_release_do_not_follow_from_the_callers_seed(monkeypatch):
    """Without noise the atoms are a function of the chunks: equal seeds must not give equal chunks where secure."""
    monkeypatch.setattr(perturbed, "gaussian", lambda values, noise, rng, secure: values)
    points = np.random.default_rng(0).uniform(-0.5, 0.5, (60, 2))

    def published(secure):
        given = {"region": SQUARE, "rng": np.random.default_rng(1), "secure": secure, "start": "uniform"}
        found = perturbed.perturbed_barycenter([points], 3, 1.0, 1e-5, method="chunks", chunks=9, **given)
        return found.trace.tobytes()

    assert published(False) == published(False)
    assert published(True) != published(True)
