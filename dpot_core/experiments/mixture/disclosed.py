"""What the mixture page's numbers give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, exact_outputs
from dpot_core.experiments.mixture.settings import Config
from dpot_core.experiments.mixture.sphere import SphereConfig

#: Columns that depend on the family and the settings only.
FREE = {
    "line-densities": ("x", "h low", "h high"),
    "line-numbers": ("mechanism",),
    "worst-case": ("*",),
    "worst-case-now": ("*",),
    "plane-densities": ("x", "y"),
    "plane-numbers": ("mechanism",),
    "sphere-caps": ("*",),
    "sphere-densities": ("*",),
    "sphere-against-epsilon": ("*",),
    "fig4-published": ("*",),
}


def disclosure(config: Config | SphereConfig) -> Disclosure:
    """What the numbers say about the person whose density, or direction, is the input.

    Args:
        config: the settings.
    """
    return exact_outputs(config.guarantee, "one draw", FREE)
