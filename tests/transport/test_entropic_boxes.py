"""Algorithm 1 to many boxes together: the same iterates as to each alone; projections that begin where one ended."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.base_measures import best_uniform_base
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import cost_matrix, ring
from dpot_core.transport.capped_simplex import project_kl
from dpot_core.transport.entropic import boxed_entropic
from dpot_core.transport.entropic_boxes import entropic_iterates
from dpot_core.transport.warm_projection import Simplices

KEPT = (1, 2, 5, 20, 100)


@pytest.mark.parametrize("reg", [2.0, 0.2, 0.02])
@pytest.mark.parametrize("p", [1, 2])
def test_every_box_has_the_iterates_that_it_has_alone(reg: float, p: int) -> None:
    k = 12
    cost, mu = cost_matrix(ring(k), None, p), np.random.default_rng(p).dirichlet(np.full(k, 0.2))
    mu[3] = 0.0
    bases = [best_uniform_base(cost, epsilon) for epsilon in (0.05, 1.0, 4.0, 10.0)]
    bases[2] = np.where(np.arange(k) % 5 == 0, 0.0, bases[2])
    boxes = [Polytope(base, epsilon) for base, epsilon in zip(bases, (0.05, 1.0, 4.0, 10.0), strict=True)]
    lower, upper = np.array([box.lower for box in boxes]), np.array([box.upper for box in boxes])
    found = entropic_iterates(mu / mu.sum(), cost, lower, upper, reg, 150, 1e-8, KEPT)
    assert len(found) == len(boxes)
    for box, together in zip(boxes, found, strict=True):
        alone = boxed_entropic((mu / mu.sum())[None], cost, box.lower, box.upper, reg, 150, 1e-8, trace=True)
        assert alone.trace is not None
        at = sorted({number for number in KEPT if number < alone.iterations} | {alone.iterations})
        assert together.at.tolist() == at and together.converged == bool(alone.converged[0])
        np.testing.assert_allclose(box.repair(together.outputs), alone.trace.outputs[together.at - 1], atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 8.0), st.floats(0.0, 30.0))
def test_a_projection_that_begins_where_one_ended_is_the_projection(seed: int, epsilon: float, move: float) -> None:
    rng = np.random.default_rng(seed)
    boxes = [Polytope(rng.dirichlet(np.ones(8)), epsilon) for _ in range(3)]
    simplices = Simplices(np.array([box.lower for box in boxes]), np.array([box.upper for box in boxes]))
    log_s = rng.normal(scale=3.0, size=(3, 8))
    for _ in range(4):
        q, log_q = simplices.project(log_s)
        np.testing.assert_allclose(np.exp(log_q), q, rtol=1e-14)
        for row, box in enumerate(boxes):
            alone = project_kl(log_s[row : row + 1], box.lower, box.upper)[0][0]
            np.testing.assert_allclose(q[row], alone, rtol=1e-11)
        log_s = log_s + rng.normal(scale=move, size=(3, 8))
