"""One input, what each mechanism makes of it, and how far that is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.moved import Moved, moved, other_order
from dpot_app.views.ring.plan.results import exact_plan, plan, plan_to
from dpot_app.views.ring.settings import Config, Indices
from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.knowledge import Public
from dpot_core.mechanisms.wasserstein_projection import project_entropic, project_exact
from dpot_core.transport.wasserstein import wasserstein


@dataclass(frozen=True)
class Result:
    config: Config
    mu: Array  # input, (k,)
    targets: Indices  # output points, (k_v,)
    outputs: Mapping[str, Array]  # output of each mechanism, (k_v,)
    # lower and upper bounds of the polytope of each mechanism that has one, (k_v,) each
    bands: Mapping[str, tuple[Array, Array]]
    distances: Mapping[str, float]  # W_p between input and output, in steps
    # D_f(input || output) by mechanism and name; infinite where outputs miss inputs
    divergences: Mapping[str, Mapping[str, float]]
    # W_p between the input and the exact projection, in steps, if WPM is computed by Algorithm 1
    exact_distance: float | None
    converged: bool | None  # whether Algorithm 1 has converged; None if WPM is exact or not asked for
    infeasible: bool  # whether the relative mollifier is left out (see `feasible`)

    def tables(self) -> dict[str, pd.DataFrame]:
        points = pd.DataFrame({"point": np.arange(len(self.mu)), "input": self.mu})
        for name, nu in self.outputs.items():
            columns = {f"{name} output": nu}
            if name in self.bands:
                columns |= dict(zip((f"{name} lower", f"{name} upper"), self.bands[name], strict=True))
            for column, values in columns.items():
                points[column] = pd.Series(values, index=self.targets)
        rows = [
            {"mechanism": name, "wasserstein": self.distances[name], **self.divergences[name]} for name in self.outputs
        ]
        return {"distributions": points, "distances": pd.DataFrame(rows)}


@dataclass(frozen=True)
class Moves:
    """The moves of the mass between points, along a shortest way from the input to each output."""

    targets: Indices  # output points, (k_v,)
    plans: Mapping[str, Array]  # mass that moves from input point i to output point j, by mechanism, (k, k_v)
    moved: Mapping[str, float]  # mass that leaves its place
    # How far exact WPM moves the mass at the order of the settings, then at another, in steps; empty without WPM.
    orders: tuple[Moved, ...] = ()

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = ["mechanism", "from", "to", "mass"]
        rows = [
            (name, start, self.targets[end], masses[start, end])
            for name, masses in self.plans.items()
            for start, end in np.argwhere(masses > 0)
        ]
        tables = {"moves": pd.DataFrame(rows, columns=columns)}
        if self.orders:
            far = [(one.p, one.mean, one.tenth) for one in self.orders]
            tables["moved-by-order"] = pd.DataFrame(far, columns=["p", "mean (steps)", "farthest tenth (steps)"])
        return tables


@cached
def run(config: Config) -> Result:
    """Send the input of the settings through every mechanism of the settings.

    Raises:
        ValueError: if the settings do not fit together.
    """
    public, mu = config.public, config.input
    targets, cost = config.ring.targets, config.ring.cost
    outputs: dict[str, Array] = {}
    exact_distance = converged = None
    names = feasible(config, public, mu)
    for name in names:
        if name == "wpm" and public.reg is not None:
            # As in the table of mechanisms, which keeps the output only.
            solved = project_entropic(mu, public.cost, config.polytope, public.reg, public.max_iter)
            outputs[name], converged = solved.output, solved.converged
            exact_distance = max(float(project_exact(mu, public.cost, config.polytope).value), 0.0) ** (
                1.0 / config.ring.p
            )
        else:
            outputs[name] = MECHANISMS[name](public)(mu)
    return Result(
        config=config,
        mu=mu,
        targets=targets,
        outputs=outputs,
        bands={name: band for name in outputs if (band := _band(name, public)) is not None},
        distances={name: wasserstein(mu, nu, cost, config.ring.p) for name, nu in outputs.items()},
        divergences={name: _divergences(mu, targets, nu) for name, nu in outputs.items()},
        exact_distance=exact_distance,
        converged=converged,
        infeasible=names != config.mechanisms,
    )


@cached
def moves(config: Config) -> Moves:
    """An optimal plan for each mechanism's output; for exact WPM it is the one that its projection finds.

    Raises:
        ValueError: if the settings do not fit together.
        RuntimeError: if the solver does not reach an optimum.
    """
    result, targets = run(config), config.ring.targets
    plans = {name: _plan(config, result, name) for name in result.outputs}
    stays = {name: float(masses[targets, np.arange(len(targets))].sum()) for name, masses in plans.items()}
    left = {name: max(0.0, 1.0 - mass) for name, mass in stays.items()}
    return Moves(targets, plans, left, _orders(config) if "wpm" in plans else ())


def _orders(config: Config) -> tuple[Moved, Moved]:
    """How far exact WPM moves the input, in steps, at the order of the settings and, with the same base, at another."""
    ring, steps = config.ring, config.ring.space.distances(config.ring.targets)
    other = replace(ring, p=other_order(ring.p))
    there, _ = exact_plan(other, config.input, config.polytope)
    return moved(ring.p, plan(config.problem).plan, steps), moved(other.p, there, steps)


def _plan(config: Config, result: Result, name: str) -> Array:
    if name == "wpm" and config.reg is None:
        return plan(config.problem).plan
    return plan_to(config.ring, result.mu, result.outputs[name])


def feasible(config: Config, public: Public, mu: Array) -> tuple[str, ...]:
    """The mechanisms of the settings that have an output for this input.

    The relative mollifier has none if its reference, the base measure, lacks mass where the input has some.
    """
    return tuple(name for name in config.mechanisms if MECHANISMS[name].feasible(public, mu))


def _band(name: str, public: Public) -> tuple[Array, Array] | None:
    if not MECHANISMS[name].box:
        return None
    polytope = MECHANISMS[name].polytope(public)
    return polytope.lower, polytope.upper


def _divergences(mu: Array, targets: Indices, nu: Array) -> dict[str, float]:
    on_all_points = np.zeros_like(mu)
    on_all_points[targets] = nu
    return {name: float(divergence(mu, on_all_points)) for name, divergence in DIVERGENCES.items()}
