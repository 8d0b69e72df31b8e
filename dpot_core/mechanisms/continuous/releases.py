"""A real release of a density: one point, drawn with the operating system's entropy."""

from __future__ import annotations

import secrets

import numpy as np

from dpot_core.mechanisms.continuous.outputs import PrivateDensity
from dpot_core.privacy.releases import release


def release_density(output: PrivateDensity) -> float:
    """Draw one point on the line from an output density for a real release: exactly epsilon'-LDP for every input.

    A node i is drawn with probability s_i M_i by `release`, in whole numbers and in a polytope that is the same for
    every input, and then a point from tent_i h / M_i, in floats, which looks at i only. The mixture of these public
    densities is the output density, and neither rounding nor an error of the M_i costs anything.

    Args:
        output: of `kl_projection_density`, `mixture_density` or `relative_mollifier_density`, on the line.

    Returns:
        The only number that may be published; each further one spends epsilon again.

    Raises:
        ValueError: in the plane, where draws are demonstrations only; public.
    """
    if output.envelope.domain.dimension != 1:
        raise ValueError("a point can be released for real on the line only; in the plane draws are demonstrations")
    node = release(*output.on_nodes())
    return output.grid.draw(node, np.random.default_rng(secrets.randbits(256)))
