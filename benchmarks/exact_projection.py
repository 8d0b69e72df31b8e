"""Exact projection by the network simplex against SciPy's HiGHS on the same linear program."""

from collections.abc import Iterator

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times


def measure() -> Iterator[Measurement]:
    """20 x 20 grid of the unit square, Dirichlet(0.1) input, epsilon = 2, both with the best uniform base."""
    space, epsilon = dpot.grid(20, 20), 2.0
    mu = dpot.dirichlet(len(space), 0.1, np.random.default_rng(0))
    for p in (1, 2):
        cost = dpot.cost_matrix(space, p=p)
        Q = dpot.Polytope(dpot.best_uniform_base(cost, epsilon), epsilon)
        values = {}

        def solve(projection, name, cost=cost, Q=Q, values=values):
            values[name] = projection(mu, cost, Q).value

        ours, theirs = times(
            lambda: solve(dpot.project_exact, "ours"), lambda: solve(dpot.exact_projection_lp, "theirs")
        )
        difference = abs(values["ours"] / values["theirs"] - 1)
        if difference > 1e-9:
            raise ArithmeticError(f"the two solvers disagree by {difference:.1e}")
        yield Measurement(
            f"exact projection, k = k_v = 400, W_{p}",
            ours,
            "HiGHS on the same program",
            theirs,
            1 / 12,
            f"values differ by {difference:.0e}",
        )
