"""The smoothed dual: Newton's ascent reaches the masses, from wherever it starts."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from dpot_core.transport.smoothed_dual import Problem, ascend


@pytest.mark.parametrize("lead", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("seed", range(6))
def test_the_ascent_arrives_where_hardly_any_mass_moves_at_first(seed, lead):
    # Two far towns at a low temperature: the curvature is almost singular across the gap, so that Newton's step is
    # longer than any potential, and ends where all mass has gone to one side and the dual falls gently for ever.
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
