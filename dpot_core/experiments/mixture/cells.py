"""WPM for a density on the line or in the plane: on cells, in the same band as KPM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.checks import Array
from dpot_core.experiments.mixture.settings import DOMAIN, Family, make_family
from dpot_core.mechanisms.continuous.gaussian import GaussianMixture
from dpot_core.mechanisms.line_projection import wasserstein_projection_line
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.polytopes import Polytope
from dpot_core.spaces import cost_matrix, point_cloud


@dataclass(frozen=True)
class OnCells:
    """Input and output of WPM as probabilities of cells.

    Attributes:
        centres: (n,) on the line, (n, 2) in the plane.
        area: of one cell.
        mu: input, (n,).
        nu: output, (n,).
    """

    centres: Array
    area: float
    mu: Array
    nu: Array


def on_cells(mixture: GaussianMixture, family: Family, epsilon: float, cells: int, p: int) -> OnCells:
    """Exact projection in W_p on the polytope with the base measure of KPM: the cells' shares of b e^(epsilon/2) h.

    Args:
        mixture: the input.
        family: what is public.
        epsilon: privacy parameter in nats.
        cells: number of cells, per side in the plane.
        p: order.
    """
    public = make_family(family)
    if family.dimension == 1:
        edges = np.linspace(*DOMAIN, cells + 1)
        centres, area = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    else:
        side = half_width(family)
        edges = np.linspace(-side, side, cells + 1)
        middle = (edges[1:] + edges[:-1]) / 2
        centres, area = np.stack(np.meshgrid(middle, middle), axis=-1).reshape(-1, 2), float(edges[1] - edges[0]) ** 2
    mu, h = (values / values.sum() for values in (mixture(centres), public.envelope.density(centres)))
    polytope = Polytope(public.level(epsilon) * h, epsilon)
    if family.dimension == 1:
        nu = wasserstein_projection_line(mu, centres, polytope, p).output
    else:
        nu = project_exact(mu, cost_matrix(point_cloud(centres), p=p), polytope).output
    return OnCells(centres, area, mu, nu)


def half_width(family: Family) -> float:
    """Half the side of the square that pictures in the plane show."""
    return float(np.ceil(2 * (family.radius + 2.5 * family.variance**0.5)) / 2)
