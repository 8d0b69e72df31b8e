"""The base measures of WPM that the page offers."""

from dataclasses import dataclass

import numpy as np

from dpot_core.base_measures import best_uniform_base, minimax_base, prior_base
from dpot_core.checks import Array
from dpot_core.cities.city import City
from dpot_core.progress import Progress
from dpot_core.studies._kit.cache import cached

#: Values of epsilon at which the minimax base is solved: beyond, it takes long, and there is little left to gain.
MINIMAX_EPSILONS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class MinimaxPoint:
    """The best base measure at one epsilon: no epsilon-LDP mechanism has a worst case below `lower_bound`."""

    epsilon: float
    base: Array  # the base measure, (k_v,)
    kilometres: float  # its worst case, km
    lower_bound: float  # proved, km
    iterations: int  # rounds of cutting planes


@cached
def minimax_point(city: City, epsilon: float, progress: Progress | None = None) -> MinimaxPoint:
    """Solve for the minimax base measure; progress: per cent of the way, in decades, from a gap of 100% down."""

    def report(step: int, value: float, bound: float) -> None:
        if progress is not None:
            gap = (value - bound) / value if np.isfinite(bound) else 1.0
            closed = np.log(np.clip(gap, MINIMAX_TOLERANCE, 1.0)) / np.log(MINIMAX_TOLERANCE)
            progress(round(100 * float(closed)), 100)

    solved = minimax_base(city.cost, epsilon, tol=MINIMAX_TOLERANCE, progress=report)
    return MinimaxPoint(
        epsilon, solved.base, solved.value * city.diameter, solved.lower_bound * city.diameter, solved.iterations
    )


@cached
def make_base(city: City, base: str, epsilon: float, progress: Progress | None = None) -> Array:
    """The base measure of WPM on the outputs, (k_v,); "prior" is the crowd that was set aside.

    Raises:
        ValueError: if nobody was set aside for a prior.
    """
    if base == "minimax":
        return minimax_point(city, epsilon, progress).base
    if base == "best-uniform":
        return best_uniform_base(city.worst_costs, epsilon)
    if base == "prior" and city.held_out is not None:
        return prior_base(city.onto_outputs(city.held_out), epsilon, city.cost)
    raise ValueError(f"there is no base measure {base!r} here: a prior needs people who were set aside")
