"""What the numbers of private transport give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.experiments.sinkhorn.release import Result
from dpot_core.experiments.sinkhorn.settings import ROUTES

#: Columns that depend on the settings only.
FREE = {
    "cells": ("cell", "x", "y"),
    "budget": ("*",),
    "costs": ("epsilon", "way", "promise"),
    "convergence": ("round",),
    "counterexample": ("*",),
    "constants": ("*",),
}


def disclosure(result: Result, view: str = "release") -> Disclosure:
    """What a view's numbers say about the two data sets.

    A plan's cells are chosen by the released plans. What stands on the grid of Algorithm 1, which has potentials for
    points, is placed by the true points and therefore not private.

    Args:
        result: the release at the settings.
        view: "release", "cost", "convergence" or "theorem".
    """
    if view != "release":
        return nothing_released("public" if view == "theorem" else "analysis", FREE)
    parts = [(ROUTES["sinkhorn"], result.guarantee), (ROUTES["histograms"], result.histograms_guarantee)]
    ways = result.on_public_grid
    free = FREE | {
        "cells": (*FREE["cells"], *(f"phi {name}" for name in ways)),
        "plans": ("from cell", "to cell", *ways),
    }
    return demonstration(parts, known_seed(result.config.draw), free=free)
