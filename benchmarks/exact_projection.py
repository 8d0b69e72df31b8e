"""Exact projection against SciPy's HiGHS on the same program, and few places with many outputs against all arcs."""

from collections.abc import Iterator

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.arguments import Array
from dpot_core.transport.exact import boxed_transport_simplex


def measure() -> Iterator[Measurement]:
    """Grids of the unit square, epsilon = 2."""
    yield from _against_highs()
    yield _many_outputs()


def _against_highs() -> Iterator[Measurement]:
    """20 x 20 cells and the best uniform base: Dirichlet(0.1) on all of them, and a person at 20 of them."""
    space, epsilon = dpot.grid(20, 20), 2.0
    rng = np.random.default_rng(0)
    everywhere = dpot.dirichlet(len(space), 0.1, rng)
    person = np.zeros(len(space))
    person[rng.choice(len(space), 20, replace=False)] = dpot.dirichlet(20, 1.0, rng)
    for p in (1, 2):
        cost = dpot.cost_matrix(space, p=p)
        Q = dpot.Polytope(dpot.best_uniform_base(cost, epsilon), epsilon)
        for name, mu, at_most in (("Dirichlet(0.1)", everywhere, 1 / 30), ("20 places", person, 1 / 100)):
            values = {}

            def solve(projection, who, mu=mu, cost=cost, Q=Q, values=values):
                values[who] = projection(mu, cost, Q).value

            ours, theirs = times(
                lambda solve=solve: solve(dpot.project_exact, "ours"),
                lambda solve=solve: solve(dpot.exact_projection_lp, "theirs"),
            )
            yield Measurement(
                f"exact projection, k = k_v = 400, W_{p}, {name}",
                ours,
                "HiGHS on the same program",
                theirs,
                at_most,
                _agreement(values["ours"], values["theirs"]),
            )


def _many_outputs() -> Measurement:
    """20 places and 256 x 256 outputs; the reference is what was used before, timed once."""
    mu, cost = _places(20, 256)
    Q = dpot.Polytope(dpot.uniform_base(cost.shape[1]), 2.0)
    values = {}

    def fast() -> None:
        found = dpot.project_exact(mu, cost, Q)
        if not abs(found.gap) <= 1e-9 * cost.max():
            raise ArithmeticError(f"the gap is {found.gap:.1e}")
        values["fast"] = found.value

    def slow() -> None:
        values["slow"] = boxed_transport_simplex(mu, cost, Q.lower, Q.upper).value

    ours, theirs = times(fast, slow, repeats=1)
    return Measurement(
        "exact projection, 20 places, k_v = 65,536, W_1",
        ours,
        "network simplex on all arcs",
        theirs,
        1 / 30,
        _agreement(values["fast"], values["slow"]),
    )


def _places(k: int, side: int) -> tuple[Array, Array]:
    """A distribution on k cells of a square of side x side cells, and their distances from all cells."""
    rng = np.random.default_rng(0)
    across = (np.arange(side) + 0.5) / side
    cells = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    places = cells[rng.choice(len(cells), k, replace=False)]
    return dpot.dirichlet(k, 1.0, rng), np.linalg.norm(places[:, None] - cells[None], axis=2)


def _agreement(one: float, other: float) -> str:
    difference = abs(one / other - 1)
    if difference > 1e-9:
        raise ArithmeticError(f"the two solvers disagree by {difference:.1e}")
    return f"values differ by {difference:.0e}"
