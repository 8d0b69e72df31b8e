"""The numbers of output perturbation: on the view's own mixture, and on a hexagon that no linear map tells apart."""

import numpy as np
import pytest

from dpot_app.views.papers.numbers import perturbation
from dpot_app.views.population.gaussians.results import gaussians
from dpot_core.mechanisms.central.projection import gaussian_matrix


def test_the_mixture_is_that_of_the_view() -> None:
    for n in (1, 500):
        one, other = (draw(n, np.random.default_rng([1, n])) for draw in (perturbation.mixture, gaussians))
        assert (one == other).all()


def test_both_ways_round_a_hexagon_cost_the_same_under_every_linear_map() -> None:
    rng, turns = np.random.default_rng(0), np.exp(1j * np.pi / 3 * np.arange(6))
    corners = np.pad(np.column_stack([turns.real, turns.imag]), ((0, 0), (0, 8)))
    for target in (1, 2, 5, 10):
        seen = corners @ gaussian_matrix(10, target, rng)
        costs = [
            sum(float(np.var(seen[list(pair)], axis=0).sum()) for pair in ways)
            for ways in ([(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4), (5, 0)])
        ]
        assert costs[0] == pytest.approx(costs[1])
