"""One input, what each mechanism makes of it, and how far that is."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS, Setting
from dpot_core.mechanisms.wasserstein_projection import project_entropic, project_exact
from dpot_core.polytopes import Polytope
from dpot_core.studies._kit.cache import cached
from dpot_core.studies.ring.settings import Config, Indices, make_input, make_setting
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


@cached
def run(config: Config) -> Result:
    """Send the input of the settings through every mechanism of the settings.

    Raises:
        ValueError: if the settings do not fit together.
    """
    setting = make_setting(config)
    mu = make_input(config.source, config.ring.k)
    targets, cost = config.ring.targets, config.ring.cost
    outputs: dict[str, Array] = {}
    exact_distance = converged = None
    names = feasible(config, setting, mu)
    for name in names:
        if name == "wpm" and setting.reg is not None:
            # As in the table of mechanisms, which keeps the output only.
            polytope = Polytope(setting.base, setting.epsilon)
            solved = project_entropic(mu, setting.cost, polytope, setting.reg, setting.max_iter)
            outputs[name], converged = solved.output, solved.converged
            exact_distance = max(float(project_exact(mu, setting.cost, polytope).value), 0.0) ** (1.0 / config.ring.p)
        else:
            outputs[name] = MECHANISMS[name](setting)(mu)
    return Result(
        config=config,
        mu=mu,
        targets=targets,
        outputs=outputs,
        bands={name: band for name in outputs if (band := _band(name, setting)) is not None},
        distances={name: wasserstein(mu, nu, cost, config.ring.p) for name, nu in outputs.items()},
        divergences={name: _divergences(mu, targets, nu) for name, nu in outputs.items()},
        exact_distance=exact_distance,
        converged=converged,
        infeasible=names != config.mechanisms,
    )


def feasible(config: Config, setting: Setting, mu: Array) -> tuple[str, ...]:
    """The mechanisms of the settings that have an output for this input.

    The relative mollifier has none if its reference, the base measure, lacks mass where the input has some.
    """
    return tuple(name for name in config.mechanisms if MECHANISMS[name].feasible(setting, mu))


def _band(name: str, setting: Setting) -> tuple[Array, Array] | None:
    box = MECHANISMS[name].box
    if box is None:
        return None
    polytope = Polytope(box(setting), setting.epsilon)
    return polytope.lower, polytope.upper


def _divergences(mu: Array, targets: Indices, nu: Array) -> dict[str, float]:
    on_all_points = np.zeros_like(mu)
    on_all_points[targets] = nu
    return {name: float(divergence(mu, on_all_points)) for name, divergence in DIVERGENCES.items()}
