"""What the paper's theorem assumes, tried out: a point walks, and its own potential walks with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.sinkhorn.settings import Config
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.mechanisms.central.sinkhorn_theory import (
    claimed_epsilon,
    iteration_sensitivity,
    noise_floor,
    noise_increase,
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
