"""One mixture in the plane: what each mechanism makes of it, as densities on a fine grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments.mixture.cells import half_width, on_cells
from dpot_core.experiments.mixture.line import Numbers, numbers_table
from dpot_core.experiments.mixture.settings import Config, make_family, make_input, make_reference, tolerance
from dpot_core.mechanisms.continuous.densities import (
    kl_projection_density,
    mixture_density,
    relative_mollifier_density,
)
from dpot_core.mechanisms.continuous.outputs import PrivateDensity

#: Places per side at which densities are drawn.
PLACES = 121


@dataclass(frozen=True)
class Plane:
    """One input in the plane.

    Attributes:
        config: the settings.
        axis: places along each side, (n,).
        p: the input's density, (n, n), rows are y.
        densities: each mechanism's output density, (n, n); for WPM that of the cell around the place.
        clipped: 1 where KPM cuts, -1 where it raises, 0 elsewhere, (n, n).
        numbers: each mechanism in numbers.
        worst: R of the family by divergence.
        epsilon_used: the epsilon' of the densities.
        error: of the public integrals, the same for every input.
        infeasible: mechanisms that these settings do not allow, and why; never because of the input.
    """

    config: Config
    axis: Array
    p: Array
    densities: Mapping[str, Array]
    clipped: Array
    numbers: Mapping[str, Numbers]
    worst: Mapping[str, float]
    epsilon_used: float
    error: float
    infeasible: Mapping[str, str]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        y, x = (axis.ravel() for axis in np.meshgrid(self.axis, self.axis, indexing="ij"))
        values = {"x": x, "y": y, "input": self.p.ravel()}
        values |= {name: density.ravel() for name, density in self.densities.items()}
        return {"plane-densities": pd.DataFrame(values), "plane-numbers": numbers_table(self.numbers)}


def run_plane(config: Config) -> Plane:
    """Send a mixture in the plane through KPM and the other mechanisms of the settings.

    Raises:
        ValueError: if the means lie outside the family: what is asked for is then another one.
    """
    family, mixture = make_family(config.family), make_input(config)
    allowed = tolerance(config.family)
    kpm = kl_projection_density(mixture, family, config.epsilon, allowed)
    side = half_width(config.family)
    axis = np.linspace(-side, side, PLACES)
    places = np.stack(np.meshgrid(axis, axis), axis=-1)
    p = mixture(places.reshape(-1, 2)).reshape(PLACES, PLACES)
    outputs: dict[str, PrivateDensity] = {"kpm": kpm}
    infeasible: dict[str, str] = {}
    for name in config.mechanisms:
        try:
            if name == "mollifier":
                reference = make_reference(config.reference, 2)
                outputs[name] = relative_mollifier_density(mixture, reference, config.epsilon, allowed)
            elif name == "blend":
                outputs[name] = mixture_density(mixture, family, config.epsilon, allowed)
        except (ValueError, RuntimeError) as problem:
            infeasible[name] = str(problem)
    numbers = {
        name: Numbers(output.divergences(), None, output.r, output.b, output.upper, output.acceptance)
        for name, output in outputs.items()
    }
    densities = {
        name: np.asarray(output.density(places)) for name, output in outputs.items() if name in config.mechanisms
    }
    if "wpm" in config.mechanisms:
        cells = on_cells(mixture, config.family, config.epsilon, config.cells, config.p)
        found = {name: float(divergence(cells.mu, cells.nu)) for name, divergence in DIVERGENCES.items()}
        numbers["wpm"] = Numbers(found, None, None, float("nan"), float("nan"), None)
        cell = np.clip(((axis + side) / (2 * side) * config.cells).astype(np.intp), 0, config.cells - 1)
        densities["wpm"] = cells.nu.reshape(config.cells, config.cells)[np.ix_(cell, cell)] / cells.area
    lower, upper = kpm.band(places)
    clipped = np.where(p / kpm.r > upper, 1.0, np.where(p / kpm.r < lower, -1.0, 0.0))
    worst = {name: family.worst_case(name, config.epsilon) for name in DIVERGENCES}
    return Plane(config, axis, p, densities, clipped, numbers, worst, kpm.epsilon_used, kpm.error, infeasible)
