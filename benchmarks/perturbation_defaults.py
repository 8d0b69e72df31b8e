"""What the proven noisy steps do best with: the share of epsilon for their start, and their number.

``python -m benchmarks.perturbation_defaults`` prints the excess cost of every choice over the barycenter without
privacy, on samples of the embedded places, never on the tracts, so that the defaults are public constants of which
``docs/us_population.md`` has seen nothing. Minutes.
"""

import importlib
import itertools
import sys
from dataclasses import dataclass

import numpy as np

import dpot_core as dpot
from dpot_core.datasets import Population, load_places

SHARES, STEPS, DRAWS = (0.2, 0.4, 0.6), (1, 2, 4), 6

#: The module that holds the constant; the package shows the function of the same name.
_MECHANISM = importlib.import_module("dpot_core.mechanisms.central.perturbed_barycenter")


@dataclass(frozen=True)
class Case:
    """A setting: how people are grouped, how many are drawn from each group, atoms, epsilon, delta."""

    groups: str
    n: int
    m: int
    epsilon: float
    delta: float


CASES = (
    Case("everybody", 20_000, 16, 1.0, 1e-9),
    Case("everybody", 200_000, 48, 1.0, 5e-6),
    Case("regions", 20_000, 16, 1.0, 5e-6),
)


def excess(case: Case, draw: int) -> list[list[float]]:
    """Excess cost for every share (rows) and number of steps (columns), squared degrees, on one sample."""
    people: Population = load_places(case.groups)
    sample = people.sample(case.n, np.random.default_rng(draw))
    groups, totals = list(sample.groups), [int(total) for total in people.totals]
    least = dpot.barycenter(groups, case.m, rng=np.random.default_rng([draw, 1])).cost()
    table = []
    for share in SHARES:
        _MECHANISM.START_SHARE = share  # type: ignore[attr-defined]
        table.append([])
        for steps in STEPS:
            found = dpot.perturbed_barycenter(
                groups,
                case.m,
                case.epsilon,
                case.delta,
                region=sample.outline.region,
                rng=np.random.default_rng([draw, 2]),
                steps=steps,
                population=totals,
            )
            table[-1].append(found.cost(groups) - least)
    return table


def main() -> None:
    """Print one table per case."""
    usual = _MECHANISM.START_SHARE
    for case in CASES:
        tables = []
        for draw in range(DRAWS):
            print(f"{case}: draw {draw + 1} of {DRAWS}", file=sys.stderr, flush=True)
            tables.append(excess(case, draw))
        mean, error = np.mean(tables, axis=0), np.std(tables, axis=0, ddof=1) / np.sqrt(DRAWS)
        print(f"\n{case}\nshare of epsilon for the start, steps: excess cost, standard error (squared degrees)")
        for row, column in itertools.product(range(len(SHARES)), range(len(STEPS))):
            print(f"{SHARES[row]:.1f}, {STEPS[column]}: {mean[row, column]:8.4f} {error[row, column]:8.4f}", flush=True)
    _MECHANISM.START_SHARE = usual  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
