"""Minimax base by cutting planes, with its certificate, against the paper's mirror descent."""

from collections.abc import Iterator

import dpot_core as dpot
from benchmarks.measurement import Measurement, times

STEPS = 1000


def measure() -> Iterator[Measurement]:
    """20 x 20 grid of the unit square, p = 1, epsilon = 2: a relative gap of 1e-6 against 1000 steps."""
    cost, epsilon = dpot.cost_matrix(dpot.grid(20, 20), p=1), 2.0
    results = {}

    def run(name: str, **arguments) -> None:
        results[name] = dpot.minimax_base(cost, epsilon, **arguments)

    ours, theirs = times(lambda: run("ours"), lambda: run("theirs", method="mirror-descent", max_iter=STEPS), repeats=3)
    best = results["ours"].value
    yield Measurement(
        "minimax base, k = 400, gap at most 1e-6",
        ours,
        f"{STEPS} steps of mirror descent",
        theirs,
        1.5,
        f"gap {results['ours'].gap / best:.0e}; mirror descent stays {results['theirs'].value / best - 1:.1%} above",
    )
