"""The smoothed dual: Newton's ascent reaches the masses, from wherever it starts."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from dpot_core.transport.semidiscrete import transport
from dpot_core.transport.smoothed_dual import Problem, ascend, newton_step, soft_plan


@pytest.mark.parametrize("lead", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("seed", range(6))
def test_the_ascent_arrives_where_hardly_any_mass_moves_at_first(seed, lead):
    # Two far towns at a low temperature: the curvature is almost singular across the gap, so that Newton's step is
    # longer than any potential, and ends where all mass has gone to one side and the dual falls gently forever.
    rng = np.random.default_rng(seed)
    share = rng.uniform(0.2, 0.8)
    points = rng.normal(size=(600, 2)) + np.where(rng.random(600) < share, 0.0, 40.0)[:, None] * [1.0, 0.0]
    atoms = rng.normal(size=(16, 2)) + np.where(rng.random(16) < 0.5, 0.0, 40.0)[:, None] * [1.0, 0.0]
    psi = np.zeros(16)
    psi[0] = lead
    problem = Problem(cdist(atoms, points) ** 2, np.full(600, 1 / 600), np.full(16, 1 / 16), 1.0)
    found, cells = ascend(problem, psi, 0.03)
    assert np.abs(problem.masses - cells.mass).sum() <= 0.03
    assert np.ptp(found) < 2 * problem.cost.max()


@pytest.mark.parametrize("m", [2, 12, 30])
def test_the_soft_plan_is_close_to_the_exact_one(m):
    rng = np.random.default_rng(m)
    points, atoms = rng.normal(size=(100 * m, 2)), rng.normal(size=(m, 2))
    weights = rng.dirichlet(np.ones(len(points)))
    cost = cdist(atoms, points, "sqeuclidean")
    exact = transport(points, weights, atoms)
    for start in (None, exact.potentials + rng.normal(scale=0.1, size=m)):
        psi, means = soft_plan(cost, points, weights, start)
        # Weak duality: its potentials bound the cost from below, and nearly reach it.
        bound = psi.mean() + weights @ (cost - psi[:, None]).min(axis=0)
        assert exact.cost * 0.995 <= bound <= exact.cost + 1e-12
        label = (cost - psi[:, None]).argmin(axis=0)
        held = np.bincount(label, weights=weights, minlength=m)
        assert np.abs(held - 1 / m).sum() < 0.1
        assert np.abs(means - exact.cell_means).max() < 0.15 * np.ptp(points)


def test_the_soft_plan_of_points_in_one_place():
    points = np.tile([[3.0, 4.0]], (200, 1))
    psi, means = soft_plan(np.zeros((2, 200)), points, np.full(200, 1 / 200))
    assert (psi == 0).all()
    assert np.allclose(means, [3.0, 4.0])


def test_newtons_step_where_the_curvature_says_nothing():
    gradient, masses = np.array([0.3, -0.1, -0.2]), np.full(3, 1 / 3)
    # Not positive definite: the step falls back on a multiple of the gradient.
    step = newton_step(-np.eye(3) * 10, gradient, masses, 2.0)
    assert np.allclose(step, 6 * gradient)
    assert newton_step(np.zeros((3, 3)), gradient, masses, 2.0) @ gradient > 0
