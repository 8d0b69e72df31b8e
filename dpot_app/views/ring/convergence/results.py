import contextlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.ring.settings import REGS as SLIDER
from dpot_app.views.ring.settings import Config, Ring
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.transport.entropic_boxes import Iterates, entropic_iterates
from dpot_core.transport.wasserstein import wasserstein

#: Entropic weights that are compared, for costs scaled to a largest distance of 1.
REGS = (0.1, 0.03, 0.01, 0.003, 0.001)
MAX_ITER = 1000
# Stands for epsilon in settings of what does not depend on it.
_ANY = 1.0
_CHECKPOINTS = frozenset(np.round(np.geomspace(1, MAX_ITER, 16)).astype(int).tolist())


@dataclass(frozen=True)
class EntropicRun:
    """Algorithm 1 with one weight: W_p between input and output after t iterations."""

    reg: float
    iterations: NDArray[np.intp]  # numbers of iterations at which the distance was computed; the last one is the end
    distance: Array  # W_p after as many iterations, in steps
    converged: bool  # whether it ended because it had converged


@dataclass(frozen=True)
class Reach:
    """How far from the input things lie at any epsilon and lambda of the sliders, in steps: axes hold still by it."""

    least: float  # the nearest exact projection
    most: float  # the farthest one
    farthest: float  # where Algorithm 1 comes by


@dataclass(frozen=True)
class Convergence:
    """Algorithm 1 with several weights, beside the exact projection."""

    ring: Ring
    exact: float  # W_p of the exact projection, in steps
    runs: tuple[EntropicRun, ...]
    bound: Array  # what Proposition 4.1 allows for each converged output, (L,), in steps
    in_use: EntropicRun | None  # the weight in use; None for the exact projection
    reach: Reach

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
        tables = {
            "convergence": pd.concat(steps, ignore_index=True),
            "convergence-limits": pd.DataFrame(summary),
        }
        if self.in_use is not None:
            run = self.in_use
            used = {"lambda": run.reg, "iteration": run.iterations, "wasserstein": run.distance}
            tables["convergence-in-use"] = pd.DataFrame(used)
        return tables


@cached
def entropic_run(config: Config, reg: float) -> EntropicRun:
    """Run Algorithm 1 with one weight and measure the exact W_p of some of its iterates.

    Args:
        config: a `problem`.

    Source: wpm_2605.10015, Algorithm 1.
    """
    ring, epsilon = config.ring, config.epsilon
    # At a hundred points all values of the slider together take hardly longer than one; at more, they take their time.
    together = epsilon in EPSILONS and ring.k <= 100 and not config.personal
    solved = _iterates(config.at(_ANY), reg, EPSILONS if together else (epsilon,))[epsilon]
    mu, outputs = config.input, config.polytope.repair(solved.outputs)
    distance = np.array([wasserstein(mu, output, ring.cost, ring.p) for output in outputs])
    return EntropicRun(reg, solved.at, distance, solved.converged)


@cached
def _iterates(
    config: Config, reg: float, epsilons: tuple[float, ...], iterations: int = MAX_ITER
) -> dict[float, Iterates]:
    """Iterates of Algorithm 1 for every epsilon at which there is a base measure."""
    polytopes = {}
    for epsilon in epsilons:
        with contextlib.suppress(ValueError, RuntimeError):
            polytopes[epsilon] = config.at(epsilon).polytope
    lower, upper = (np.array([getattr(one, name) for one in polytopes.values()]) for name in ("lower", "upper"))
    cost, scale = config.ring.cost, config.ring.space.diameter**config.ring.p
    found = entropic_iterates(config.input, cost, lower, upper, reg * scale, iterations, 1e-8, _CHECKPOINTS)
    return dict(zip(polytopes, found, strict=True))


@cached
def _reach(config: Config) -> Reach:
    ring, mu, exact, farthest = config.ring, config.input, [], []
    # It goes far at its first step, with any weight, and ends far with a large one.
    runs = [_iterates(config, reg, EPSILONS, 1) for reg in {*REGS, *SLIDER[1:]}]
    runs += [_iterates(config, reg, EPSILONS) for reg in (max(REGS), max(SLIDER))]
    for epsilon in runs[0]:
        polytope = config.at(epsilon).polytope
        exact.append(max(float(project_exact(mu, ring.cost, polytope).value), 0.0) ** (1.0 / ring.p))
        ends = polytope.repair(np.array([run[epsilon].outputs[-1] for run in runs]))
        farthest += [wasserstein(mu, output, ring.cost, ring.p) for output in ends]
    return Reach(min(exact), max(exact), max(farthest))


def convergence(config: Config, progress: Progress | None = None) -> Convergence:
    r"""Compare Algorithm 1 with several weights to the exact projection and to what Proposition 4.1 allows.

    The bound is `(W_p^p + \lambda \log(k k_v))^{1/p}` with lambda in cost units.

    Source: wpm_2605.10015, Proposition 4.1 (appendix K; the main text's 2 lambda log k is the same only for
        k_v <= k).
    """
    ring, problem = config.ring, config.problem
    best = project_exact(config.input, ring.cost, config.polytope).value
    runs = tuple(entropic_run(problem, weight) for weight in counted(REGS, progress))
    slack = np.array([run.reg for run in runs]) * ring.space.diameter**ring.p * np.log(ring.cost.size)
    root = 1.0 / ring.p
    return Convergence(
        ring=ring,
        exact=float(max(best, 0.0) ** root),
        runs=runs,
        bound=(best + slack) ** root,
        in_use=None if config.reg is None else entropic_run(problem, config.reg),
        reach=_reach(problem.at(_ANY)),
    )
