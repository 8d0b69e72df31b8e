"""One mixture on the line: what each mechanism makes of it, where KPM clips it, and draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.checks import Array
from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments.mixture.cells import OnCells, on_cells
from dpot_core.experiments.mixture.settings import (
    DOMAIN,
    Config,
    make_family,
    make_input,
    make_reference,
    stream_settings,
    tolerance,
)
from dpot_core.experiments.mixture.trained import train_mbde
from dpot_core.mechanisms.continuous.densities import (
    kl_projection_density,
    mixture_density,
    relative_mollifier_density,
)
from dpot_core.mechanisms.continuous.mbde import BoostedDensity
from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.streams import stream
from dpot_core.transport.line import line_cost

# Places at which curves are drawn, and bars of the histogram of draws.
_PLACES = 801
_BARS = 64

Output = PrivateDensity | BoostedDensity | OnCells


@dataclass(frozen=True)
class Numbers:
    """One mechanism in numbers.

    Attributes:
        divergences: D_f(P || Q) by name.
        wasserstein: W_1 between P and Q, in units of the line; None in the plane.
        r: what P is divided by; None for WPM and MBDE.
        low: lower bound of outputs as a multiple of its public density.
        high: upper bound, the same.
        acceptance: share of accepted draws; None for WPM, which draws a cell.
    """

    divergences: Mapping[str, float]
    wasserstein: float | None
    r: float | None
    low: float
    high: float
    acceptance: float | None


@dataclass(frozen=True)
class Result:
    """One input on the line.

    Attributes:
        config: the settings.
        x: places, (n,).
        p: the input's density there.
        densities: each mechanism's output density there (for WPM: in the cell).
        band: lower and upper bound of KPM there.
        raised: intervals where KPM lifts p / r to the lower bound.
        cut: intervals where KPM cuts p / r at the upper bound.
        numbers: each mechanism in numbers.
        epsilon_used: the epsilon' of the densities.
        error: of the public integrals, the same for every input.
        trivial: whether the input itself may be drawn from.
        histogram: (centre, density of draws), (bars,) each; empty without draws.
        infeasible: mechanisms that these settings do not allow, and why; never because of the input.
    """

    config: Config
    x: Array
    p: Array
    densities: Mapping[str, Array]
    band: tuple[Array, Array]
    raised: tuple[tuple[float, float], ...]
    cut: tuple[tuple[float, float], ...]
    numbers: Mapping[str, Numbers]
    epsilon_used: float
    error: float
    trivial: bool
    histogram: tuple[Array, Array]
    infeasible: Mapping[str, str]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        curves = pd.DataFrame({"x": self.x, "input": self.p, "h low": self.band[0], "h high": self.band[1]})
        for name, q in self.densities.items():
            curves[name] = q
        return {
            "line-densities": curves,
            "line-numbers": numbers_table(self.numbers),
            "line-draws": pd.DataFrame({"x": self.histogram[0], "density of draws": self.histogram[1]}),
        }


def numbers_table(numbers: Mapping[str, Numbers]) -> pd.DataFrame:
    """One row for each mechanism."""
    rows = []
    for name, entry in numbers.items():
        row: dict[str, Any] = {"mechanism": name, **entry.divergences}
        row |= {key: getattr(entry, key) for key in ("wasserstein", "r", "low", "high", "acceptance")}
        rows.append(row)
    return pd.DataFrame(rows)


def run_line(config: Config, boosted: BoostedDensity | None = None) -> Result:
    """Send a mixture through KPM and the other mechanisms of the settings.

    Args:
        config: the settings.
        boosted: what `train_mbde` made of them, where they ask for MBDE; trained here when None.

    Raises:
        ValueError: if the means lie outside the family: what is asked for is then another one.
    """
    family, mixture = make_family(config.family), make_input(config)
    allowed = tolerance(config.family)
    kpm = kl_projection_density(mixture, family, config.epsilon, allowed)
    x = np.linspace(*DOMAIN, _PLACES)
    p = mixture(x)
    cells = on_cells(mixture, config.family, config.epsilon, config.cells, config.p)
    outputs: dict[str, Output] = {"kpm": kpm}
    infeasible: dict[str, str] = {}
    for name in config.mechanisms:
        try:
            if name == "mollifier":
                reference = make_reference(config.reference, 1)
                outputs[name] = relative_mollifier_density(mixture, reference, config.epsilon, allowed)
            elif name == "blend":
                outputs[name] = mixture_density(mixture, family, config.epsilon, allowed)
            elif name == "wpm":
                outputs[name] = cells
            elif name == "mbde":
                outputs[name] = boosted or train_mbde(config)
        except (ValueError, RuntimeError) as problem:
            infeasible[name] = str(problem)
    densities = {
        name: _in_cells(output, x) if isinstance(output, OnCells) else np.asarray(output.density(x))
        for name, output in outputs.items()
        if name in config.mechanisms
    }
    lower, upper = map(np.asarray, kpm.band(x))
    scaled = p / kpm.r
    draws = kpm.sample(config.draws, stream(config.seed, "kpm", **stream_settings(config)))
    return Result(
        config,
        x,
        p,
        densities,
        (lower, upper),
        _intervals(x, scaled < lower),
        _intervals(x, scaled > upper),
        {name: _numbers(output, cells) for name, output in outputs.items()},
        kpm.epsilon_used,
        kpm.error,
        kpm.trivial,
        _histogram(draws),
        infeasible,
    )


def _in_cells(output: OnCells, x: Array) -> Array:
    """WPM's output as a density that is constant in each cell."""
    edge = output.centres[0] - output.area / 2
    cell = np.clip(((x - edge) / output.area).astype(np.intp), 0, len(output.nu) - 1)
    return output.nu[cell] / output.area


def _numbers(output: Output, cells: OnCells) -> Numbers:
    if isinstance(output, OnCells):
        found = {name: float(divergence(output.mu, output.nu)) for name, divergence in DIVERGENCES.items()}
        nu, centres = output.nu, output.centres
        moved = line_cost(output.mu, centres, nu, centres, 1.0)
        return Numbers(found, moved, None, float("nan"), float("nan"), None)
    nu = np.asarray(output.density(cells.centres))
    moved = line_cost(cells.mu, cells.centres, nu / nu.sum(), cells.centres, 1.0)
    r = output.r if isinstance(output, PrivateDensity) else None
    return Numbers(output.divergences(), moved, r, output.b, output.upper, output.acceptance)


def _intervals(x: Array, inside: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Where a condition holds along x, as (start, end)."""
    padded = np.concatenate([[False], inside, [False]]).astype(np.int8)
    change = np.diff(padded)
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1) - 1
    return tuple((float(x[start]), float(x[end])) for start, end in zip(starts, ends, strict=True) if end > start)


def _histogram(draws: Array) -> tuple[Array, Array]:
    if not draws.size:
        return np.zeros(0), np.zeros(0)
    height, edges = np.histogram(draws, _BARS, DOMAIN, density=True)
    return (edges[1:] + edges[:-1]) / 2, height
