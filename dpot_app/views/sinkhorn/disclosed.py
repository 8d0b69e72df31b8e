from collections.abc import Iterable

from dpot_app.views.sinkhorn.release.results import Result
from dpot_app.views.sinkhorn.settings import ROUTES
from dpot_core.privacy.disclosures import Disclosure, demonstration, known_seed, nothing_released

#: Columns that depend on the settings only.
FREE = {
    "cells": ("cell", "x", "y"),
    "plan-costs": ("plan",),
    "budget": ("*",),
    "costs": ("epsilon", "way", "promise"),
    "convergence": ("round",),
    "counterexample": ("*",),
    "constants": ("*",),
}


def disclosure(result: Result) -> Disclosure:
    """The disclosure of plans and potentials about the two data sets.

    A plan's cells are chosen by the released plans. What stands on the grid of Algorithm 1, which has potentials for
    points, is placed by the true points and therefore not private.
    """
    parts = [(ROUTES["sinkhorn"], result.guarantee), (ROUTES["histograms"], result.histograms_guarantee)]
    ways = result.on_public_grid
    free = FREE | {
        "cells": (*FREE["cells"], *(f"phi {name}" for name in ways)),
        "plans": ("from cell", "to cell", *ways),
    }
    return demonstration(parts, known_seed(result.config.draw), free=free)


def unprotected(public: Iterable[str] = ()) -> Disclosure:
    """The disclosure of a view without a release; ``public``: headlines that follow from the settings alone."""
    return nothing_released("analysis", FREE | {"headlines": tuple(public)})
