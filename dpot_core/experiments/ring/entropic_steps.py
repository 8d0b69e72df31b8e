"""How Algorithm 1 approaches the exact projection, for several entropic weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.ring.settings import Base, Ring, Source, make_base, make_input
from dpot_core.mechanisms.wasserstein_projection import project_entropic, project_exact
from dpot_core.polytopes import Polytope
from dpot_core.transport.wasserstein import wasserstein

#: Entropic weights that are compared, for costs scaled to a largest distance of 1.
REGS = (0.1, 0.03, 0.01, 0.003, 0.001)
MAX_ITER = 1000
_CHECKPOINTS = np.unique(np.round(np.geomspace(1, MAX_ITER, 16)).astype(int))


@dataclass(frozen=True)
class Convergence:
    """W_p between input and output after t iterations.

    Attributes:
        ring: points and order.
        exact: W_p of the exact projection, in steps.
        reg: entropic weights, (L,), for costs scaled to a largest distance of 1.
        iterations: numbers of iterations at which the distance was computed, one array per weight.
        distance: W_p after as many iterations, in steps, one array per weight.
        final: W_p when Algorithm 1 stopped, (L,), in steps.
        converged: whether it stopped because it had converged, (L,).
        bound: what Proposition 4.1 allows for the converged output, (L,), in steps.
    """

    ring: Ring
    exact: float
    reg: Array
    iterations: tuple[Array, ...]
    distance: tuple[Array, ...]
    final: Array
    converged: tuple[bool, ...]
    bound: Array

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        steps = [
            pd.DataFrame({"lambda": reg, "iteration": t, "wasserstein": d})
            for reg, t, d in zip(self.reg, self.iterations, self.distance, strict=True)
        ]
        summary = {
            "lambda": self.reg,
            "wasserstein": self.final,
            "converged": self.converged,
            "exact": self.exact,
            "bound": self.bound,
        }
        return {
            "convergence": pd.concat(steps, ignore_index=True),
            "convergence-limits": pd.DataFrame(summary),
        }


def convergence(ring: Ring, base: Base, source: Source, epsilon: float) -> Convergence:
    r"""Run Algorithm 1 for each weight and measure the exact W_p of its iterates.

    The bound is `(W_p^p + \lambda \log(k k_v))^{1/p}` with lambda in cost units.

    Source: wpm_2605.10015, Algorithm 1 and Proposition 4.1 (appendix K; the main text's 2 lambda log k is the
        same only for k_v <= k).
    """
    cost, mu = ring.cost, make_input(source, ring.k)
    polytope = Polytope(make_base(base, ring, epsilon), epsilon)
    scale = ring.space.diameter**ring.p
    best = project_exact(mu, cost, polytope).value
    iterations, distances, final, converged = [], [], [], []
    for reg in REGS:
        run = project_entropic(mu, cost, polytope, reg * scale, max_iter=MAX_ITER, tol=1e-8, trace=True)
        if run.trace is None:
            raise RuntimeError("the entropic projection returned no trace")
        outputs = run.trace.outputs
        at = np.unique(np.append(_CHECKPOINTS[len(outputs) >= _CHECKPOINTS], len(outputs)))
        iterations.append(at)
        distances.append(np.array([wasserstein(mu, outputs[t - 1], cost, ring.p) for t in at]))
        final.append(wasserstein(mu, run.output, cost, ring.p))
        converged.append(run.converged)
    weights = np.asarray(REGS)
    slack = weights * scale * np.log(cost.size)
    return Convergence(
        ring=ring,
        exact=float(max(best, 0.0) ** (1.0 / ring.p)),
        reg=weights,
        iterations=tuple(iterations),
        distance=tuple(distances),
        final=np.asarray(final),
        converged=tuple(converged),
        bound=(best + slack) ** (1.0 / ring.p),
    )
