"""What both routes of WPM release lies inside the polytope, to the last bit, however the solver rounds."""

import numpy as np
import pytest

import dpot_core as dpot
from tests import oracles


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("reg", [None, 0.05])
def test_outputs_are_inside_after_any_number_of_iterations(reg, epsilon):
    rng = np.random.default_rng(1)
    space = dpot.ring(9)
    cost = dpot.cost_matrix(space, p=2)
    for _ in range(12):
        base = rng.dirichlet(np.ones(9)) * np.exp(rng.uniform(-0.4, 0.4) * epsilon)
        Q = dpot.Polytope(base, epsilon)
        inputs = np.vstack([np.eye(9), rng.dirichlet(np.full(9, 0.3), 4)])
        outputs = dpot.wasserstein_projection(inputs, cost, Q, reg, max_iter=int(rng.integers(0, 6)))
        assert Q.contains(outputs).all()
        assert oracles.ratio_violations(outputs, epsilon) == []
