from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.ring.settings import Config, Indices, Ring
from dpot_core.arguments import Array
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.privacy.polytopes import Polytope
from dpot_core.transport.wasserstein import network_simplex


@dataclass(frozen=True)
class Plan:
    """Optimal plan from the input to the exact output of WPM."""

    ring: Ring
    mu: Array  # input, (k,)
    plan: Array  # mass that moves from input point i to output point j, (k, k_v)
    targets: Indices  # output points, (k_v,)
    moved: float  # mass that leaves its place
    needed: float  # least mass that any output within the bounds moves: the total variation between the two
    gap: float  # duality gap of the solver, in cost units

    def tables(self) -> dict[str, pd.DataFrame]:
        rows, columns = np.nonzero(self.plan)
        cells = {"from": rows, "to": self.targets[columns], "mass": self.plan[rows, columns]}
        return {"plan": pd.DataFrame(cells)}


def plan_to(ring: Ring, mu: Array, nu: Array) -> Array:
    """An optimal plan from the points to the outputs, (k, k_v); at p = 1 one that moves no mass that can stay.

    W_1 depends on mu - nu only, since steps are a metric: so min(mu, nu) stays in some optimal plan. Other optimal
    plans hand mass on from point to point.
    """
    places, masses = (ring.targets, np.arange(len(ring.targets))), np.zeros_like(ring.cost)
    if ring.p == 1:
        masses[places] = np.minimum(mu[ring.targets], nu)
    left, wanted = mu - masses.sum(axis=1), nu - masses.sum(axis=0)
    rows, columns = np.flatnonzero(left > 0), np.flatnonzero(wanted > 0)
    if rows.size and columns.size:
        demand = wanted[columns] * (left[rows].sum() / wanted[columns].sum())
        masses[np.ix_(rows, columns)] += network_simplex(left[rows], demand, ring.cost[np.ix_(rows, columns)])[0]
    return masses


def exact_plan(ring: Ring, mu: Array, polytope: Polytope) -> tuple[Array, float]:
    """The plan of the exact projection, (k, k_v), at p = 1 as `plan_to` has it; and the solver's gap, in cost units.

    Raises:
        RuntimeError: if the solver gives none.
    """
    solved = project_exact(mu, ring.cost, polytope, return_plan=True)
    if solved.plan is None:
        raise RuntimeError("the exact projection returned no plan")
    return solved.plan if ring.p > 1 else plan_to(ring, mu, solved.plan.sum(axis=0)), float(solved.gap)


@cached
def plan(config: Config) -> Plan:
    """Solve the exact projection and keep its plan.

    Args:
        config: a `problem`.
    """
    ring, mu, polytope, targets = config.ring, config.input, config.polytope, config.ring.targets
    masses, gap = exact_plan(ring, mu, polytope)
    stays = float(masses[targets, np.arange(len(targets))].sum())
    there = mu[targets]
    out = 1.0 - there.sum() + np.maximum(there - polytope.upper, 0.0).sum()
    needed = max(out, np.maximum(polytope.lower - there, 0.0).sum(), 0.0)
    return Plan(ring, mu, masses, targets, max(0.0, 1.0 - stays), float(needed), gap)
