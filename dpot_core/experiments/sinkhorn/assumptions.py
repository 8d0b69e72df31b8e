"""What the paper's theorem assumes, tried out: a point walks, and its own potential walks with it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from dpot_core.checks import Array
from dpot_core.experiments.sinkhorn.ground import Ground
from dpot_core.experiments.sinkhorn.settings import Config
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.mechanisms.central.sinkhorn_theory import (
    claimed_epsilon,
    iteration_sensitivity,
    noise_floor,
    noise_increase,
    noise_neighbourhood,
    paper_eta,
    tradeoff,
    two_stage_bounds,
)

#: Numbers of points of the counterexample.
SIZES = (10, 20, 50, 100, 200, 500)
_ROUNDS = 20


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Points of two sets near 0 on a line, cost (x - y)^2 with |c| = 1; the first point of the first set walks.

    Attributes:
        place: where it walks to, in [0, 1].
        n: points of each set, (S,).
        own: change of its own potential, (S,).
        others: largest change of any other potential of the first set, (S,).
        eta: entropic weight.
    """

    place: float
    n: Array
    own: Array
    others: Array
    eta: float

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        frame = pd.DataFrame({"n": self.n, "own potential": self.own, "other potentials": self.others})
        return {"counterexample": frame}


def counterexample(place: float, seed: int = 0, eta: float = 0.5) -> Counterexample:
    """Let the first point walk from its place near 0 to `place`, without any noise, for several n.

    Args:
        place: in [0, 1].
        seed: of the points.
        eta: entropic weight; the largest cost is 1.
    """
    own, others = [], []
    for n in SIZES:
        rng = np.random.default_rng([seed, n])
        x, y = 0.1 * rng.random(n), 0.1 * rng.random(n)
        before = _potentials(x, y, eta)
        x[0] = place
        moved = np.abs(_potentials(x, y, eta) - before)
        own.append(float(moved[0]))
        others.append(float(moved[1:].max()))
    return Counterexample(place, np.array(SIZES, dtype=np.float64), np.array(own), np.array(others), eta)


def _potentials(x: Array, y: Array, eta: float) -> Array:
    trace, _ = algorithm_1((x[:, None] - y[None, :]) ** 2, eta, _ROUNDS, 0.0, 0.0, np.random.default_rng(0))
    return trace.phi[-1]


def constants_table(config: Config, n: int) -> pd.DataFrame:
    """What Theorem 2 says at these settings, as printed and as corrected; costs are scaled so that |c| = 1.

    Args:
        config: the settings.
        n: points of each set.
    """
    eta, largest = config.eta, 1.0  # costs over their bound
    printed = noise_floor(config.epsilon, config.delta, config.steps, eta, largest, n, "printed")
    rows = []
    for name in ("printed", "corrected"):
        floor = noise_floor(config.epsilon, config.delta, config.steps, eta, largest, n, name)
        rows.append(
            {
                "constants": name,
                "noise for epsilon": float(np.sqrt(floor)),
                "epsilon at the printed noise": claimed_epsilon(
                    config.steps, printed, eta, largest, n, config.delta, name
                ),
                "claimed sensitivity": iteration_sensitivity(eta, largest, n),
                "rise of F by the noise of a round": noise_increase(eta, floor),
                "rise that Theorem 1 counts": 0.25 * floor / eta * float(np.exp(-6.0 * largest / eta)),
            }
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class Bounds:
    """What the paper's theorems say about the error at these settings; costs are scaled so that |c| = 1.

    Attributes:
        neighbourhood: where Theorem 1 ends.
        tradeoff: Corollary 1.
        gap: at most the distance from the best to the second best assignment of the points (from single swaps).
        largest_eta: Theorem 3 asks for at most this eta.
        two_stage: the two parts of Theorem 3 at that eta.
        eta: where (13) is least.
        log10_objective: (13) there, as a power of ten.
    """

    neighbourhood: float
    tradeoff: float
    gap: float
    largest_eta: float
    two_stage: tuple[float, float]
    eta: float
    log10_objective: float


def bounds(config: Config, ground: Ground) -> Bounds:
    """Evaluate Theorem 1, Corollary 1, Theorem 3 and (13) for Algorithm 1's points.

    Args:
        config: the settings.
        ground: the data.
    """
    cost, n = ground.sample_cost, len(ground.sample_cost)
    start_gap = min(1.0, ground.sample_exact_cost / ground.sample_bound)
    floor = noise_floor(config.epsilon, config.delta, config.steps, config.eta, 1.0, n, config.constants)
    rows, columns = linear_sum_assignment(cost)
    ordered = cost[rows][:, columns]
    kept = np.diag(ordered)
    swaps = (ordered + ordered.T - kept[:, None] - kept[None, :]) / n
    better = swaps[swaps > 1e-12]
    gap = float(better.min()) if better.size else 0.0
    largest_eta = min(gap / (1.0 + math.log(n)), 2.0 / (n * math.log(n)))
    two_stage = (math.inf, math.inf)
    if largest_eta > 0.0:
        two_stage = two_stage_bounds(config.epsilon, config.delta, largest_eta, 1.0, n, gap, start_gap)
    eta, log = paper_eta(config.epsilon, config.delta, 1.0, n, gap, start_gap)
    return Bounds(
        noise_neighbourhood(config.eta, 1.0, floor),
        tradeoff(config.epsilon, config.delta, config.eta, 1.0, n, start_gap),
        gap,
        largest_eta,
        two_stage,
        eta,
        log / math.log(10.0),
    )
