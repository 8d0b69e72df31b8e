"""The certified interval of W_1 on grids: against POT's network simplex at 64 x 64, and its width at 128 x 128."""

from collections.abc import Iterator

import numpy as np
import ot

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.arguments import Array

TOLERANCE = 0.005


def measure() -> Iterator[Measurement]:
    """Smooth densities, independent noise in every cell, and a crowd of 500 draws from half of the mass and half else.

    At 128 x 128 all pairs of cells would take POT gigabytes and minutes: the reference there is POT at 64 x 64, a
    quarter of the cells and a sixteenth of the pairs.
    """
    for name, at_most in (("smooth", 1 / 5), ("noise", 1 / 2), ("crowd", 1.0)):
        yield _against_pot(name, at_most)
    for name, at_most in (("smooth", 2.0), ("noise", 6.0), ("crowd", 6.0)):
        yield _wide(name, at_most)


def _against_pot(name: str, at_most: float) -> Measurement:
    space, mu, nu = _pair(name, 64)
    found: dict[str, dpot.results.WassersteinInterval] = {}
    exact = {}

    def ours() -> None:
        found["interval"] = dpot.wasserstein_interval(mu, nu, space, tolerance=TOLERANCE)

    def theirs() -> None:
        exact["value"] = _pot(space.points, mu - nu)

    seconds, reference = times(ours, theirs, repeats=3)
    interval = found["interval"]
    if not interval.lower <= exact["value"] <= interval.upper:
        raise ArithmeticError(f"{exact['value']} is not between {interval.lower} and {interval.upper}")
    what = f"interval of W_1, 64 x 64 cells, {name}"
    return Measurement(what, seconds, "POT on all pairs, exact", reference, at_most, f"width {interval.width:.2%}")


def _wide(name: str, at_most: float) -> Measurement:
    space, mu, nu = _pair(name, 128)
    smaller, *pair = _pair(name, 64)
    found: dict[str, dpot.results.WassersteinInterval] = {}

    def ours() -> None:
        found["interval"] = dpot.wasserstein_interval(mu, nu, space, tolerance=TOLERANCE)

    seconds, reference = times(ours, lambda: _pot(smaller.points, pair[0] - pair[1]), repeats=1)
    interval = found["interval"]
    if interval.width > TOLERANCE:
        raise ArithmeticError(f"the interval is {interval.width:.2%} wide")
    what = f"interval of W_1, 128 x 128 cells, {name}"
    return Measurement(what, seconds, "POT, 64 x 64 cells", reference, at_most, f"width {interval.width:.2%}")


def _pot(points: Array, surplus: Array) -> float:
    """W_1 by POT on what is left after what both have at a cell is taken out, distances included."""
    sources, sinks = surplus > 0, surplus < 0
    supply, demand = surplus[sources], -surplus[sinks]
    cost = ot.dist(points[sources], points[sinks], metric="euclidean")
    moved = supply.sum()
    return float(ot.emd2(supply / moved, demand / demand.sum(), cost, numItermax=10_000_000)) * moved


def _pair(name: str, side: int) -> tuple[dpot.Space, Array, Array]:
    """Two distributions on side x side cells of the unit square."""
    space, rng = dpot.grid(side, side), np.random.default_rng(0)
    centres, widths = rng.random((2, 5, 2)), rng.uniform(0.03, 0.18, (2, 5, 1))
    apart = ((space.points - centres[:, :, None]) ** 2).sum(axis=3)
    one, other = (np.exp(-apart / (2 * widths**2)) / widths**2).sum(axis=1)
    if name == "noise":
        one, other = rng.dirichlet(np.ones(len(space)), 2)
    if name == "crowd":
        one = one * rng.dirichlet(np.full(len(space), 0.1))
        other = rng.multinomial(500, 0.5 * one / one.sum() + 0.5 / len(space)).astype(np.float64)
    return space, one / one.sum(), other / other.sum()
