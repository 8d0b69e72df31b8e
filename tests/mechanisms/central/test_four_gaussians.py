"""The synthetic experiment: what its points are, that a run is the same wherever it is asked for, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from dpot_app.views.population.gaussians.results import synthetic_point
from dpot_app.views.population.synthetic import SyntheticConfig
from dpot_core.mechanisms.central.four_gaussians import WIDTH, costs, gaussians, release


@pytest.mark.parametrize("width", [WIDTH, 0.1])
def test_points_are_those_of_four_gaussians_in_the_box(width: float) -> None:
    points = gaussians(20_000, np.random.default_rng(1), width)
    assert points.shape == (20_000, 10) and np.abs(points).max() <= 0.5
    corners, counts = np.unique(np.sign(points[:, :2]), axis=0, return_counts=True)
    assert len(corners) == 4 and counts == pytest.approx([5_000] * 4, rel=0.05)
    away = points.copy()
    away[:, :2] -= 0.25 * np.sign(points[:, :2])
    assert away.std(axis=0) == pytest.approx(np.full(10, width), rel=0.05)


@pytest.mark.slow
def test_runs_of_the_page_are_the_first_of_the_index() -> None:
    config = SyntheticConfig(n=60, m=3)
    point = synthetic_point(config, "epsilon", 2.0)
    for run in (0, 9):
        found = costs(60, 3, 2.0, 5, seed=1, run=run)
        assert {name: point.cost[name][run] for name in found} == found
        assert found["non-private"] < min(found["projected"], found["plain"])


def test_another_width_draws_noise_of_its_own() -> None:
    points = gaussians(60, np.random.default_rng(1))
    one, other, again = (release(points, 3, 2.0, 5, seed=1, run=0, width=width).atoms for width in (WIDTH, 0.1, WIDTH))
    assert (one == again).all() and (one != other).any()
