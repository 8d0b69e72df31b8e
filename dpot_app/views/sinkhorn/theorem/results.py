import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from dpot_app.kit.cache import cached
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.release.results import run
from dpot_app.views.sinkhorn.settings import Config, TheoremConfig
from dpot_core.arguments import Array
from dpot_core.mechanisms.central import sinkhorn_theory as theory
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.privacy.guarantees import Guarantee

#: Numbers of points of the counterexample.
SIZES = (10, 20, 50, 100, 200, 500)
_ETA, _ROUNDS = 0.5, 20


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Points of two sets near 0 on a line, cost (x - y)^2 with |c| = 1; the first point of the first set walks."""

    place: float  # where it walks to, in [0, 1]
    n: Array  # points of each set, (S,)
    own: Array  # change of its own potential, (S,)
    others: Array  # largest change of any other potential of the first set, (S,)

    def tables(self) -> dict[str, pd.DataFrame]:
        frame = pd.DataFrame({"n": self.n, "own potential": self.own, "other potentials": self.others})
        return {"counterexample": frame}


@cached
def counterexample(place: float) -> Counterexample:
    """Let the first point walk from its place near 0 to `place`, without any noise, for several n."""
    own, others = [], []
    for n in SIZES:
        (x, y), before = _at_first(n)
        there = x.copy()
        there[0] = place
        moved = np.abs(_potentials(there, y) - before)
        own.append(float(moved[0]))
        others.append(float(moved[1:].max()))
    return Counterexample(place, np.array(SIZES, dtype=np.float64), np.array(own), np.array(others))


@cached
def _at_first(n: int) -> tuple[tuple[Array, Array], Array]:
    """Both sets of n points before the first one walks, and the potentials of the first set."""
    rng = np.random.default_rng([0, n])
    x, y = 0.1 * rng.random(n), 0.1 * rng.random(n)
    return (x, y), _potentials(x, y)


def _potentials(x: Array, y: Array) -> Array:
    trace, _ = algorithm_1((x[:, None] - y[None, :]) ** 2, _ETA, _ROUNDS, 0.0, 0.0, np.random.default_rng(0))
    return trace.phi[-1]


def constants_table(config: Config, n: int) -> pd.DataFrame:
    """Theorem 2 for n points of each set, as printed and as corrected; costs are scaled so that |c| = 1."""
    eta, delta, steps, largest = config.eta, config.delta, config.steps, 1.0  # costs over their bound
    names = ("printed", "corrected")
    floors = np.array([theory.noise_floor(config.epsilon, delta, steps, eta, largest, n, name) for name in names])
    return pd.DataFrame(
        {
            "constants": names,
            "noise for epsilon": np.sqrt(floors),
            "epsilon at the printed noise": [
                theory.claimed_epsilon(steps, floors[0], eta, largest, n, delta, name) for name in names
            ],
            "claimed sensitivity": theory.iteration_sensitivity(eta, largest, n),
            "rise of F by the noise of a round": [theory.noise_increase(eta, floor) for floor in floors],
            "rise that Theorem 1 counts": 0.25 * floors / eta * np.exp(-6.0 * largest / eta),
        }
    )


@dataclass(frozen=True)
class Bounds:
    """The paper's bounds of the error at these settings; costs are scaled so that |c| = 1."""

    points: int  # of each set
    neighbourhood: float  # where Theorem 1 ends
    tradeoff: float  # Corollary 1
    gap: float  # at most the distance from the best to the second best assignment (from single swaps)
    largest_eta: float  # Theorem 3 asks for at most this eta
    two_stage: tuple[float, float]  # the two parts of Theorem 3 at that eta
    eta: float  # where (13) is least
    log10_objective: float  # (13) there, as a power of ten


@dataclass(frozen=True, eq=False)
class Assumptions:
    """A point that walks, and what Theorem 2 says as printed and as corrected; bounds are for these data."""

    walk: Counterexample
    constants: pd.DataFrame
    bounds: Bounds
    guarantee: Guarantee  # of noisy Sinkhorn as set, if its potentials and plan were released

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number that follows from the settings; the bounds are computed from the data."""
        return self.walk.tables() | {"constants": self.constants}


def assumptions(config: TheoremConfig, grid: PointGrid) -> Assumptions:
    constants = constants_table(config.base, len(grid.sample_cost))
    return Assumptions(
        counterexample(config.place), constants, bounds(config.base, grid), run(config.base, grid).guarantee
    )


@cached
def bounds(config: Config, grid: PointGrid) -> Bounds:
    """Evaluate Theorem 1, Corollary 1, Theorem 3 and (13) for Algorithm 1's points."""
    cost, n = grid.sample_cost, len(grid.sample_cost)
    start_gap = min(1.0, grid.sample_exact_cost / grid.sample_bound)
    floor = theory.noise_floor(config.epsilon, config.delta, config.steps, config.eta, 1.0, n, config.constants)
    rows, columns = linear_sum_assignment(cost)
    ordered = cost[rows][:, columns]
    best = np.diag(ordered)
    swaps = (ordered + ordered.T - best[:, None] - best[None, :]) / n
    better = swaps[swaps > 1e-12]
    gap = float(better.min()) if better.size else 0.0
    largest_eta = min(gap / (1.0 + math.log(n)), 2.0 / (n * math.log(n)))
    two_stage = (math.inf, math.inf)
    if largest_eta > 0.0:
        two_stage = theory.two_stage_bounds(config.epsilon, config.delta, largest_eta, 1.0, n, gap, start_gap)
    eta, log = theory.paper_eta(config.epsilon, config.delta, 1.0, n, gap, start_gap)
    return Bounds(
        n,
        theory.noise_neighbourhood(config.eta, 1.0, floor),
        theory.tradeoff(config.epsilon, config.delta, config.eta, 1.0, n, start_gap),
        gap,
        largest_eta,
        two_stage,
        eta,
        log / math.log(10.0),
    )
