"""Cells of the line and of the plane: what WPM acts on, and its base measures there."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpot_app.kit.cache import cached
from dpot_app.views.mixture.densities import make_family, make_input
from dpot_app.views.mixture.settings import DOMAIN, Config, Family
from dpot_core.arguments import Array
from dpot_core.mechanisms.continuous.worst_mixtures import MovedRight, best_scale
from dpot_core.transport.line import LineCosts

# Cells on which the best scale is looked for: three digits of it.
_COARSE = 60


@dataclass(frozen=True)
class Cells:
    """The input on cells, and the public density there: what WPM starts from, the same for all epsilon."""

    centres: Array  # (n,) on the line, (n, 2) in the plane
    area: float  # of one cell
    mu: Array  # input, (n,)
    h: Array  # shares of h, (n,)


def cells_of(config: Config, cells: int) -> Cells:
    """The input of the settings on cells; in the plane ``cells`` are per side."""
    family, mixture, line = make_family(config.family), make_input(config), config.family.dimension == 1
    low, high = DOMAIN if line else (-half_width(config.family), half_width(config.family))
    edges = np.linspace(low, high, cells + 1)
    centres, area = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    if not line:
        centres, area = np.stack(np.meshgrid(centres, centres), axis=-1).reshape(-1, 2), area**2
    mu, h = (values / values.sum() for values in (mixture(centres), family.envelope.density(centres)))
    return Cells(centres, area, mu, h)


def half_width(family: Family) -> float:
    """Half the side of the square that pictures in the plane show."""
    return float(np.ceil(2 * (family.radius + 2.5 * family.variance**0.5)) / 2)


@lru_cache(maxsize=64)
def family_on_cells(family: Family, cells: int) -> MovedRight:
    """The single Gaussians of a family on cells of the line, of which its members are the mixtures.

    Their mirror images are left out: family and base measures are symmetric, so that both are as hard.
    """
    centres = line_centres(cells)
    made = make_family(family)

    @lru_cache(maxsize=128)  # every epsilon of a curve asks for the same
    def member(mean: float) -> Array:
        values = made.mixture([mean], [1.0])(centres)
        shares = values / values.sum()
        shares.setflags(write=False)
        return shares

    return MovedRight(centres, member, 0.0, family.radius)


def line_centres(cells: int) -> Array:
    edges = np.linspace(*DOMAIN, cells + 1)
    return (edges[1:] + edges[:-1]) / 2


@lru_cache(maxsize=8)
def line_costs(cells: int, p: float) -> LineCosts:
    points = line_centres(cells)
    return LineCosts(points, points, p)


def base_on(config: Config, cells: Cells) -> Array:
    """The base measure of WPM that the settings name, on cells, (n,); KPM's band is that of b e^(epsilon/2) h."""
    return base_measure(config.base, config.family, config.p, config.epsilon, cells.h)


def base_measure(base: str, family: Family, p: float, epsilon: float, h: Array) -> Array:
    """The same for shares of h on cells, (n,)."""
    shape = h if base in ("band", "best-h") else np.full(len(h), 1.0 / len(h))
    if base == "band":
        return make_family(family).level(epsilon) * shape
    return shape if base == "uniform" else _scale(base, family, p, epsilon) * shape


@cached
def _scale(base: str, family: Family, p: float, epsilon: float) -> float:
    inputs = family_on_cells(family, _COARSE)
    h = make_family(family).envelope.density(inputs.points)
    shape = h / h.sum() if base == "best-h" else np.full(_COARSE, 1.0 / _COARSE)
    return best_scale(inputs, shape, epsilon, p)
