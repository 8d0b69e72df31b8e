from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.mixture.cells import half_width
from dpot_app.views.mixture.densities import make_input
from dpot_app.views.mixture.outputs import (
    Numbers,
    OnCells,
    Output,
    numbers_frame,
    numbers_of,
    outputs_of,
    private_density,
)
from dpot_app.views.mixture.reach import highest_output
from dpot_app.views.mixture.settings import Config
from dpot_app.views.mixture.worst_case import worst_now
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress

#: Places per side at which densities are drawn.
PLACES = 121


@dataclass(frozen=True)
class Plane:
    config: Config
    axis: Array  # places along each side, (n,)
    p: Array  # the input's density, (n, n), rows are y
    densities: Mapping[str, Array]  # each mechanism's, (n, n); for WPM that of the cell around the place
    top: float  # the highest density at any value of the slider of epsilon, or here: colour scales hold still
    clipped: Array  # 1 where KPM cuts, -1 where it raises, 0 elsewhere, (n, n)
    numbers: Mapping[str, Numbers]  # each mechanism in numbers
    worst: Mapping[str, float]  # R of the family by divergence
    epsilon_used: float  # the epsilon' of the densities
    error: float  # of the public integrals, the same for every input
    infeasible: Mapping[str, str]  # mechanisms that these settings do not allow, and why; never because of the input

    def tables(self) -> dict[str, pd.DataFrame]:
        y, x = (axis.ravel() for axis in np.meshgrid(self.axis, self.axis, indexing="ij"))
        values = {"x": x, "y": y, "input": self.p.ravel()}
        values |= {name: density.ravel() for name, density in self.densities.items()}
        return {"plane-densities": pd.DataFrame(values), "plane-numbers": numbers_frame(self.numbers)}


@cached
def run_plane(config: Config, progress: Progress = lambda done, total: None) -> Plane:
    """Send a mixture in the plane through KPM and the other mechanisms of the settings.

    Raises:
        ValueError: if the means lie outside the family: what is asked for is then another one.
    """
    kpm = private_density("kpm", config)
    outputs, infeasible = outputs_of(config, kpm, progress)
    side = half_width(config.family)
    axis = np.linspace(-side, side, PLACES)
    places = np.stack(np.meshgrid(axis, axis), axis=-1)
    cell = np.clip(((axis + side) / (2 * side) * config.cells).astype(np.intp), 0, config.cells - 1)

    def density(output: Output) -> Array:
        if isinstance(output, OnCells):
            return output.nu.reshape(config.cells, config.cells)[np.ix_(cell, cell)] / output.area
        return np.asarray(output.density(places))

    p = make_input(config)(places.reshape(-1, 2)).reshape(PLACES, PLACES)
    lower, upper = kpm.band(places)
    densities = {name: density(output) for name, output in outputs.items() if name in config.mechanisms}
    return Plane(
        config=config,
        axis=axis,
        p=p,
        densities=densities,
        top=max(_top(replace(config, epsilon=1.0)), *(float(values.max()) for values in (p, *densities.values()))),
        clipped=np.where(p / kpm.r > upper, 1.0, np.where(p / kpm.r < lower, -1.0, 0.0)),
        numbers={name: numbers_of(output) for name, output in outputs.items()},
        worst=worst_now(config.family, config.epsilon).divergences,
        epsilon_used=kpm.epsilon_used,
        error=kpm.error,
        infeasible=infeasible,
    )


@cached
def _top(config: Config) -> float:
    """The highest density at any value of the slider of epsilon; ``config.epsilon`` is not used."""
    side = half_width(config.family)
    axis = np.linspace(-side, side, PLACES)
    return highest_output(config, np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2))


def largest_change(config: Config, name: str) -> float:
    """The largest difference between an output and the input: where epsilon is least, or here; of MBDE only here."""
    least = replace(config, epsilon=min(EPSILONS[0], config.epsilon), mechanisms=config.closed_forms)
    results = [run_plane(config), run_plane(least)]
    return max(float(np.abs(one.densities[name] - one.p).max()) for one in results if name in one.densities)
