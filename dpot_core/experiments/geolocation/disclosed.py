"""What the geolocation page's numbers give away."""

from __future__ import annotations

from dpot_core.disclosures import Disclosure, demonstration, exact_outputs, known_seed, nothing_released
from dpot_core.experiments.geolocation.city import City
from dpot_core.experiments.geolocation.crowd import SEED, Crowd
from dpot_core.experiments.geolocation.promise import guarantee
from dpot_core.experiments.geolocation.settings import Config
from dpot_core.mechanisms import MECHANISMS

_PLACES = ("simulated", "cell", "lon", "lat", "east km", "north km")

#: Columns that depend on the map and the settings only, or that the promise covers.
FREE = {
    "person-cells": _PLACES,
    "person-distances": ("simulated", "mechanism"),
    "crowd-first-run-cells": (*_PLACES, *MECHANISMS, "krr-decoded"),
    "crowd-expected-cells": _PLACES,
    "crowd-against-epsilon": ("simulated", "epsilon", "estimate", "runs"),
    "worst-case": ("*",),
    "worst-case-cells": ("*",),
}


def disclosure(config: Config, city: City, view: str = "person", crowd: Crowd | None = None) -> Disclosure:
    """What a view's numbers say about the people.

    Args:
        config: the settings.
        city: the map and the people.
        view: "person", "crowd", "crowd-curve", "worst-case" or "minimax".
        crowd: of the view "crowd": everybody releases one place by each mechanism in it.
    """
    promise = guarantee(config, city)
    if view in ("worst-case", "minimax"):
        return nothing_released("public")
    if view == "person":
        return exact_outputs(promise, "one released place", FREE)
    if view == "crowd" and crowd is not None:
        parts = [(MECHANISMS[name].label, promise) for name in crowd.estimates if name in MECHANISMS]
        return demonstration(parts, known_seed(SEED), free=FREE)
    return nothing_released("analysis", FREE)
