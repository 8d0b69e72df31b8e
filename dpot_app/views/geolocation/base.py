"""The base measures of WPM that the page offers."""

from dataclasses import dataclass, replace

import numpy as np

from dpot_app.cities.city import City
from dpot_app.kit.cache import Cache, cached
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.base_measures import best_uniform_base, minimax_base, minimax_base_on_grid, prior_base
from dpot_core.datasets.drawn import drawn_weights
from dpot_core.spaces import grid_cost

#: Values of epsilon of the minimax base's curve, over the whole slider. All together take 0.5 s of processor time on
#: 20 x 20 cells, 20 s on 40 x 40, of which 15 s go to those above 4, and 0.8 s with 300 zones on 20 x 20 cells.
MINIMAX_EPSILONS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
#: Where the curve of a fine grid ends. A base found on blocks of cells is proven to within 2% there, on 48 x 48 as on
#: 256 x 256 cells; at 6 to within 5 to 10%, at 8 to within 20 to 40%, which takes 40 s on 256 x 256 (10 s at 4).
MINIMAX_END_OF_FINE = 4.0

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class MinimaxPoint:
    """The best base measure at one epsilon: no epsilon-LDP mechanism has a worst case (W_p) below `lower_bound`."""

    epsilon: float
    base: Array  # the base measure, (k_v,)
    kilometres: float  # its worst case, km
    lower_bound: float  # proved, km
    iterations: int  # rounds of cutting planes
    fine: bool = False  # whether it was found on blocks of a fine grid: near the best one, as the bound tells

    @property
    def above(self) -> float:
        """The share by which its worst case may be above the smallest one; 0 where that is the solver's tolerance."""
        return 1.0 - self.lower_bound / self.kilometres if self.fine else 0.0


@Cache(6).keep
def with_own(city: City, drawing: str) -> City:
    """The same city with the reader's own public weights: 1 for each cell, and what is drawn (`read_drawing`).

    Raises:
        ValueError: if the drawing cannot be read.
    """
    return replace(city, own=1.0 + drawn_weights(drawing, city.grid), key=f"{city.key} own={drawing!r}")


def minimax_epsilons(city: City) -> tuple[float, ...]:
    """Values of epsilon of the minimax base's curve for a city."""
    return tuple(epsilon for epsilon in MINIMAX_EPSILONS if not (city.fine and epsilon > MINIMAX_END_OF_FINE))


@cached
def minimax_point(city: City, epsilon: float, progress: Progress | None = None) -> MinimaxPoint:
    """Solve for the minimax base measure; progress: per cent of the way, in decades, from a gap of 100% down."""

    def report(step: int, value: float, bound: float) -> None:
        if progress is not None:
            gap = (value - bound) / value if np.isfinite(bound) else 1.0
            closed = np.log(np.clip(gap, MINIMAX_TOLERANCE, 1.0)) / np.log(MINIMAX_TOLERANCE)
            progress(round(100 * float(closed)), 100)

    if city.fine:
        cost = grid_cost(city.grid.space, city.p)
        near = minimax_base_on_grid(cost, epsilon, tol=MINIMAX_TOLERANCE, progress=report)
        value, bound = near.value ** (1 / city.p), near.lower_bound ** (1 / city.p)
        return MinimaxPoint(epsilon, near.base, value, bound, near.iterations, fine=True)
    solved = minimax_base(city.cost, epsilon, tol=MINIMAX_TOLERANCE, progress=report)
    value, bound = (city.diameter * end ** (1 / city.p) for end in (solved.value, solved.lower_bound))
    return MinimaxPoint(epsilon, solved.base, value, bound, solved.iterations)


@cached
def make_base(city: City, base: str, epsilon: float, progress: Progress | None = None) -> Array:
    """The base measure of WPM on the outputs, (k_v,).

    "prior" is the crowd that was set aside, "own" the reader's own weights, each of the mass with the smallest worst
    case.

    Raises:
        ValueError: if no one was set aside for a prior, or no weights are given.
    """
    if base == "minimax":
        return minimax_point(city, epsilon, progress).base
    if base == "best-uniform":
        return best_uniform_base(city.worst_costs, epsilon)
    if (weights := _weights(city, base)) is not None:
        # Up to rounding both give the same; but exact projections, of which there may be several, go by the last digit.
        cost = grid_cost(city.grid.space, city.p) if city.fine else city.cost
        return prior_base(city.onto_outputs(weights), epsilon, cost)
    raise ValueError(f"there is no base measure {base!r} here: it needs people who were set aside, or own weights")


def _weights(city: City, base: str) -> Array | None:
    """The weights of the cells, (k,), that a base measure is in proportion to, for one that has some."""
    return {"prior": city.held_out, "own": city.own}.get(base)


def base_of_curve(city: City, base: str, epsilon: float) -> Array:
    """The same up to rounding, quicker on usual grids: for worst cases, which a last digit does not move."""
    if city.zones is None and (weights := _weights(city, base)) is not None:
        return prior_base(weights, epsilon, grid_cost(city.grid.space, city.p))
    return make_base(city, base, epsilon)
