"""The base measure of WPM, its worst case, and how much better it could be."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.ring.settings import MINIMAX_TOLERANCE, Base, Indices, Ring, best_uniform, minimax
from dpot_core.arguments import Array
from dpot_core.base_measures import uniform_base
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_wasserstein

# Worst cases that differ by less, relatively, are alike: the minimax base is solved to no more.
_ALIKE = MINIMAX_TOLERANCE


@dataclass(frozen=True)
class BaseReport:
    ring: Ring
    epsilon: float
    targets: Indices  # output points, (k_v,)
    polytope: Polytope  # of the base measure in use
    minimax: Array  # the minimax base measure, (k_v,)
    worst: dict[str, float]  # worst case of each base measure, in steps; "yours" is the one in use
    mass: dict[str, float]  # total mass of each
    worst_inputs: Indices  # input points whose point masses are the worst inputs of the base in use, up to rounding
    lower_bound: float  # no base measure has a worst case below this, in steps (certificate)
    gap: float  # worst case of the minimax base minus the lower bound, in steps
    iterations: int  # rounds of the cutting-plane method
    highest: float | None  # about the largest mass of a point at any epsilon; None where it grows without end

    def tables(self) -> dict[str, pd.DataFrame]:
        points = {
            "point": self.targets,
            "base": self.polytope.base,
            "lower": self.polytope.lower,
            "upper": self.polytope.upper,
            "minimax base": self.minimax,
        }
        kinds = {
            "base": list(self.worst),
            "worst case": list(self.worst.values()),
            "mass": list(self.mass.values()),
        }
        certificate = {"lower bound": self.lower_bound, "gap": self.gap, "rounds": self.iterations}
        return {
            "base-measure": pd.DataFrame(points),
            "base-comparison": pd.DataFrame(kinds).assign(**certificate),
        }


@cached
def base_report(ring: Ring, base: Base, epsilon: float) -> BaseReport:
    """Compare the base measure in use with the uniform ones and with the best possible one."""
    cost, root = ring.cost, 1.0 / ring.p
    solved = minimax(ring, epsilon)
    bases = {
        "yours": base.measure(ring, epsilon),
        "uniform": uniform_base(cost.shape[1]),
        "best-uniform": best_uniform(ring, epsilon),
        "minimax": solved.base,
    }
    polytopes = {name: Polytope(measure, epsilon) for name, measure in bases.items()}
    worst = {name: worst_case_wasserstein(cost, polytope, ring.p) for name, polytope in polytopes.items()}
    floor = float(max(solved.lower_bound, 0.0) ** root)
    return BaseReport(
        ring=ring,
        epsilon=epsilon,
        targets=ring.targets,
        polytope=polytopes["yours"],
        minimax=solved.base,
        worst={name: float(value) for name, value in worst.items()},
        mass={name: float(np.sum(measure)) for name, measure in bases.items()},
        worst_inputs=np.flatnonzero(worst["yours"].per_input >= worst["yours"] * (1.0 - _ALIKE)),
        lower_bound=floor,
        gap=float(worst["minimax"]) - floor,
        iterations=int(solved.iterations),
        highest=_highest(ring, base),
    )


@cached
def _highest(ring: Ring, base: Base) -> float | None:
    if base.kind == "uniform" and base.scale > 0.0:
        return None  # it grows exponentially: nothing would be seen of it where epsilon is small
    # Where each takes its time, a few values of epsilon say enough: the masses fall with it, but for a few per cent.
    few = EPSILONS if ring.k <= 60 else EPSILONS[::9]
    return float(max(measure.max() for one in few for measure in (minimax(ring, one).base, base.measure(ring, one))))
