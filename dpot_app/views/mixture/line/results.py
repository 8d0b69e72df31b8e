from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_app.kit.cache import cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.moved import Moved, moved
from dpot_app.views.mixture.cells import Cells, cells_of
from dpot_app.views.mixture.densities import make_input, stream_settings
from dpot_app.views.mixture.outputs import (
    Numbers,
    OnCells,
    Output,
    numbers_frame,
    numbers_of,
    on_cells,
    outputs_of,
    private_density,
)
from dpot_app.views.mixture.reach import highest_output
from dpot_app.views.mixture.settings import DOMAIN, Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.privacy.streams import stream
from dpot_core.transport.line import line_cost

# Places at which curves are drawn, and bars of the histogram of draws.
_PLACES = 801
_BARS = 64
# Of so many draws the noise is seen; of more it stays within the room over the curves.
_NOISY = 10_000
# Equal shares of the mass of which it is looked at how far each is moved.
_SHARES = 2_000


@dataclass(frozen=True)
class Result:
    config: Config
    x: Array  # places, (n,)
    p: Array  # the input's density there
    densities: Mapping[str, Array]  # each mechanism's output density there (for WPM: in the cell)
    top: float  # what is highest at any value of the slider of epsilon, or here: axes hold still
    band: tuple[Array, Array]  # lower and upper bound of KPM there
    bands: Mapping[str, tuple[Array, Array]]  # of each mechanism whose density is drawn
    raised: tuple[tuple[float, float], ...]  # intervals where KPM lifts p / r to the lower bound
    cut: tuple[tuple[float, float], ...]  # intervals where KPM cuts p / r at the upper bound
    numbers: Mapping[str, Numbers]  # each mechanism in numbers
    epsilon_used: float  # the epsilon' of the densities
    error: float  # of the public integrals, the same for every input
    trivial: bool  # whether the input itself may be drawn from
    histogram: tuple[Array, Array]  # (centre, density of draws), (bars,) each; empty without draws
    infeasible: Mapping[str, str]  # mechanisms that these settings do not allow, and why; never because of the input

    def tables(self) -> dict[str, pd.DataFrame]:
        curves = pd.DataFrame({"x": self.x, "input": self.p, "h low": self.band[0], "h high": self.band[1]})
        for name, q in self.densities.items():
            curves[name] = q
        for name, (lower, upper) in self.bands.items():
            curves[f"{name} lower"], curves[f"{name} upper"] = lower, upper
        return {
            "line-densities": curves,
            "line-numbers": numbers_frame(self.numbers),
            "line-draws": pd.DataFrame({"x": self.histogram[0], "density of draws": self.histogram[1]}),
        }


@cached
def run_line(config: Config, progress: Progress = lambda done, total: None) -> Result:
    """Send a mixture through KPM and the other mechanisms of the settings.

    Raises:
        ValueError: if the means lie outside the family: what is asked for is then another one.
    """
    kpm, cells = private_density("kpm", config), cells_of(config, config.cells)
    outputs, infeasible = outputs_of(config, kpm, progress)
    x = np.linspace(*DOMAIN, _PLACES)
    p = make_input(config)(x)
    lower, upper = map(np.asarray, kpm.band(x))
    histogram = _histogram(config, kpm)
    drawn = {name: output for name, output in outputs.items() if name in config.mechanisms}
    densities = {
        name: _in_cells(output, output.nu, x) if isinstance(output, OnCells) else np.asarray(output.density(x))
        for name, output in drawn.items()
    }
    own = (p, *densities.values(), histogram[1])
    return Result(
        config=config,
        x=x,
        p=p,
        densities=densities,
        top=max(_top(replace(config, epsilon=1.0)), *(float(values.max(initial=0.0)) for values in own)),
        band=(lower, upper),
        bands={name: _band(output, x) for name, output in drawn.items()},
        raised=_intervals(x, p / kpm.r < lower),
        cut=_intervals(x, p / kpm.r > upper),
        numbers={
            name: numbers_of(output, *(_moved(output, cells, p) for p in (1, config.p)))
            for name, output in outputs.items()
        },
        epsilon_used=kpm.epsilon_used,
        error=kpm.error,
        trivial=kpm.trivial,
        histogram=histogram,
        infeasible=infeasible,
    )


def _moved(output: Output, cells: Cells, p: float) -> float:
    """W_p between the input and an output, both on cells."""
    nu = output.nu if isinstance(output, OnCells) else np.asarray(output.density(cells.centres))
    return line_cost(cells.mu, cells.centres, nu / nu.sum(), cells.centres, p) ** (1.0 / p)


def _in_cells(cells: Cells, masses: Array, x: Array) -> Array:
    """Masses of cells as a density that is constant in each cell."""
    edge = cells.centres[0] - cells.area / 2
    cell = np.clip(((x - edge) / cells.area).astype(np.intp), 0, len(masses) - 1)
    return masses[cell] / cells.area


def _band(output: Output, x: Array) -> tuple[Array, Array]:
    """Between which bounds every output of a mechanism lies at places."""
    if isinstance(output, OnCells):
        return _in_cells(output, output.polytope.lower, x), _in_cells(output, output.polytope.upper, x)
    lower, upper = output.band(x)
    return np.asarray(lower), np.asarray(upper)


@cached
def moved_by(config: Config, p: float) -> Moved:
    """How far WPM of this order moves the input, by the plan that keeps the order of places: optimal for every p."""
    found = on_cells(replace(config, p=p), config.cells)
    one, other = np.cumsum(found.mu), np.cumsum(found.nu)
    shares = (np.arange(_SHARES) + 0.5) / _SHARES
    last = len(one) - 1
    places = [found.centres[np.minimum(np.searchsorted(sums, shares), last)] for sums in (one, other)]
    even = moved(p, np.full(_SHARES, 1.0 / _SHARES), np.abs(places[0] - places[1]))
    return replace(even, mean=line_cost(found.mu, found.centres, found.nu, found.centres, 1.0))


def _intervals(x: Array, inside: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Where a condition holds along x, as (start, end)."""
    change = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1) - 1
    return tuple((float(x[start]), float(x[end])) for start, end in zip(starts, ends, strict=True) if end > start)


def _histogram(config: Config, kpm: PrivateDensity) -> tuple[Array, Array]:
    if not config.draws:
        return np.zeros(0), np.zeros(0)
    draws = kpm.sample(config.draws, stream(config.seed, "kpm", **stream_settings(config)))
    height, edges = np.histogram(draws, _BARS, DOMAIN, density=True)
    return (edges[1:] + edges[:-1]) / 2, height


@cached
def _top(config: Config) -> float:
    """The highest density, or bar of draws, at any value of the slider of epsilon; ``config.epsilon`` is not used."""
    top = highest_output(config, np.linspace(*DOMAIN, _PLACES))
    if not 0 < config.draws <= _NOISY:
        return top
    every = [replace(config, epsilon=epsilon) for epsilon in EPSILONS]
    return max(top, *(float(_histogram(one, private_density("kpm", one))[1].max()) for one in every))


def largest_divergences(config: Config, progress: Progress = lambda done, total: None) -> Mapping[str, float]:
    """The largest of each divergence, of any mechanism at any value of the slider of epsilon, or here."""
    closed = replace(config, mechanisms=config.closed_forms)
    every = [run_line(replace(closed, epsilon=epsilon), progress) for epsilon in EPSILONS]
    numbers = [entry for one in (*every, run_line(config, progress)) for entry in one.numbers.values()]
    return {name: max(entry.divergences[name] for entry in numbers) for name in DIVERGENCES}
