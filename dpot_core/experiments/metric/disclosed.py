"""What the metric page's numbers give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, demonstration, known_seed, nothing_released
from dpot_core.guarantees import Guarantee

_PLACES = ("simulated", "cell", "lon", "lat", "east km", "north km")

#: Columns that depend on the map and the settings only, or that the promise covers.
FREE = {
    "protected-changes": ("*",),
    "cost-of-changes": ("*",),
    "question": ("*",),
    "errors": ("simulated", "model", "promise", "scale of the noise", "expected error (km)", "expected error (miles)"),
    "crowd-cells": _PLACES,
    "crowd-errors": ("simulated", "epsilon", "release", "neighbours", "alpha", "delta"),
}


def disclosure(view: str, promise: Guarantee | None = None, seed: int = 0) -> Disclosure:
    """What a view's numbers say about the people.

    Args:
        view: "protect", "ask", "crowd", "crowd-curve" or "pays".
        promise: of one release.
        seed: of its noise.
    """
    if view in ("protect", "pays"):
        return nothing_released("public")
    if promise is None or view == "crowd-curve":
        return nothing_released("analysis", FREE)
    return demonstration([("one release", promise)], known_seed(seed), free=FREE)
