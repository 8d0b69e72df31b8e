"""Minimax base by cutting planes, with its certificate: against mirror descent, and what symmetry is worth."""

from collections.abc import Callable, Iterator
from unittest.mock import patch

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.arguments import Array

STEPS = 1000


def unit_grid(n: int, height: float = 1.0) -> Array:
    """Distances of n x n points on a rectangle of width 1."""
    return dpot.cost_matrix(dpot.grid(n, n, extent=(0.0, 1.0, 0.0, height)), p=1)


def one_by_one(solve: Callable[[], None]) -> None:
    """Solve with one unknown per output and all inputs, as for places without symmetry."""
    with patch("dpot_core.base_measures.minimax.find_symmetry", return_value=None):
        solve()


def measure() -> Iterator[Measurement]:
    """Grids with p = 1, to a relative gap of 1e-6."""
    results: dict[str, dpot.results.MinimaxBase] = {}

    def run(name: str, cost: Array, epsilon: float, **arguments) -> None:
        results[name] = dpot.minimax_base(cost, epsilon, **arguments)

    square, rectangle, fine = unit_grid(20), unit_grid(20, height=0.7), unit_grid(64)
    ours, theirs = times(
        lambda: run("ours", square, 2.0),
        lambda: run("theirs", square, 2.0, method="mirror-descent", max_iter=STEPS),
        repeats=3,
    )
    best = results["ours"].value
    yield Measurement(
        "minimax base, k = 400, gap at most 1e-6",
        ours,
        f"{STEPS} steps of mirror descent",
        theirs,
        1 / 20,
        f"gap {results['ours'].gap / best:.0e}; mirror descent stays {results['theirs'].value / best - 1:.1%} above",
    )
    for shape, cost, epsilon in (("square", square, 4.0), ("rectangle", rectangle, 6.0)):
        ours, whole = times(
            lambda cost=cost, epsilon=epsilon: run("ours", cost, epsilon),
            lambda cost=cost, epsilon=epsilon: one_by_one(lambda: run("whole", cost, epsilon)),
            repeats=3,
        )
        apart = abs(results["ours"].value / results["whole"].value - 1)
        yield Measurement(
            f"minimax base, 20 x 20 {shape}, epsilon {epsilon:g}",
            ours,
            "without its symmetry",
            whole,
            1 / 30,
            f"gap {results['ours'].gap / results['ours'].value:.0e}, values {apart:.0e} apart",
        )
    ours, whole = times(
        lambda: run("fine", fine, 4.0), lambda: one_by_one(lambda: run("whole", square, 4.0)), repeats=1
    )
    yield Measurement(
        "minimax base, 64 x 64, epsilon 4",
        ours,
        "20 x 20 without its symmetry",
        whole,
        10.0,
        f"gap {results['fine'].gap / results['fine'].value:.0e}, {results['fine'].iterations} rounds",
    )
