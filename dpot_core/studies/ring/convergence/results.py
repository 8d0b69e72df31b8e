from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.checks import Array
from dpot_core.mechanisms.wasserstein_projection import project_entropic, project_exact
from dpot_core.polytopes import Polytope
from dpot_core.progress import Progress, counted
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.ring.settings import Base, Ring, Source, make_base, make_input
from dpot_core.transport.wasserstein import wasserstein

#: Entropic weights that are compared, for costs scaled to a largest distance of 1.
REGS = (0.1, 0.03, 0.01, 0.003, 0.001)
MAX_ITER = 1000
_CHECKPOINTS = np.unique(np.round(np.geomspace(1, MAX_ITER, 16)).astype(int))


@dataclass(frozen=True)
class EntropicRun:
    """Algorithm 1 with one weight: W_p between input and output after t iterations."""

    reg: float
    iterations: NDArray[np.intp]  # numbers of iterations at which the distance was computed; the last one is the end
    distance: Array  # W_p after as many iterations, in steps
    converged: bool  # whether it ended because it had converged


@dataclass(frozen=True)
class Convergence:
    """Algorithm 1 with several weights, beside the exact projection."""

    ring: Ring
    exact: float  # W_p of the exact projection, in steps
    runs: tuple[EntropicRun, ...]
    bound: Array  # what Proposition 4.1 allows for each converged output, (L,), in steps

    @property
    def reg(self) -> Array:
        return np.array([run.reg for run in self.runs])

    @property
    def final(self) -> Array:
        """W_p where Algorithm 1 ended, (L,), in steps."""
        return np.array([run.distance[-1] for run in self.runs])

    def tables(self) -> dict[str, pd.DataFrame]:
        steps = [
            pd.DataFrame({"lambda": run.reg, "iteration": run.iterations, "wasserstein": run.distance})
            for run in self.runs
        ]
        summary = {
            "lambda": self.reg,
            "wasserstein": self.final,
            "converged": [run.converged for run in self.runs],
            "exact": self.exact,
            "bound": self.bound,
        }
        return {
            "convergence": pd.concat(steps, ignore_index=True),
            "convergence-limits": pd.DataFrame(summary),
        }


@cached
def entropic_run(ring: Ring, base: Base, source: Source, epsilon: float, reg: float) -> EntropicRun:
    """Run Algorithm 1 with one weight and measure the exact W_p of some of its iterates.

    Source: wpm_2605.10015, Algorithm 1.
    """
    cost, mu = ring.cost, make_input(source, ring.k)
    polytope = Polytope(make_base(base, ring, epsilon), epsilon)
    scale = ring.space.diameter**ring.p
    solved = project_entropic(mu, cost, polytope, reg * scale, max_iter=MAX_ITER, tol=1e-8, trace=True)
    if solved.trace is None:
        raise RuntimeError("the entropic projection returned no trace")
    outputs = solved.trace.outputs
    at = np.unique(np.append(_CHECKPOINTS[len(outputs) >= _CHECKPOINTS], len(outputs)))
    distance = np.array([wasserstein(mu, outputs[t - 1], cost, ring.p) for t in at])
    return EntropicRun(reg, at, distance, solved.converged)


def convergence(
    ring: Ring, base: Base, source: Source, epsilon: float, progress: Progress | None = None
) -> Convergence:
    r"""Compare Algorithm 1 with several weights to the exact projection and to what Proposition 4.1 allows.

    The bound is `(W_p^p + \lambda \log(k k_v))^{1/p}` with lambda in cost units.

    Source: wpm_2605.10015, Proposition 4.1 (appendix K; the main text's 2 lambda log k is the same only for
        k_v <= k).
    """
    cost = ring.cost
    polytope = Polytope(make_base(base, ring, epsilon), epsilon)
    best = project_exact(make_input(source, ring.k), cost, polytope).value
    runs = tuple(entropic_run(ring, base, source, epsilon, reg) for reg in counted(REGS, progress))
    slack = np.array([run.reg for run in runs]) * ring.space.diameter**ring.p * np.log(cost.size)
    root = 1.0 / ring.p
    return Convergence(ring, float(max(best, 0.0) ** root), runs, (best + slack) ** root)
