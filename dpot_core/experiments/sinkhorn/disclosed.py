"""What the numbers of private transport give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.experiments.sinkhorn.release import Result

#: Columns that depend on the settings only, or that the promise covers.
FREE = {
    "cells": ("cell", "x", "y", "phi histograms", "phi sinkhorn", "phi sinkhorn (not proven)"),
    "plans": ("from cell", "to cell", "sinkhorn", "sinkhorn (not proven)", "histograms"),
    "budget": ("*",),
    "costs": ("epsilon", "way", "promise"),
    "convergence": ("round", "bound of Theorem 1"),
    "counterexample": ("*",),
    "constants": ("*",),
}


def disclosure(result: Result, view: str = "release") -> Disclosure:
    """What a view's numbers say about the two data sets.

    Args:
        result: the release at the settings.
        view: "release", "cost", "convergence" or "theorem".
    """
    if view != "release":
        return nothing_released("public" if view == "theorem" else "analysis", FREE)
    parts = [("noisy Sinkhorn", result.guarantee), ("histograms first", result.histograms_guarantee)]
    return demonstration(parts, known_seed(result.config.draw), free=FREE)
