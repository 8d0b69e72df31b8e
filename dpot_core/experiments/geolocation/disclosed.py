"""What the geolocation page's numbers give away."""

from __future__ import annotations

from dpot_core.cities.city import City
from dpot_core.cities.crowd import ESTIMATES, SEED, Crowd
from dpot_core.cities.public import Columns, on_map, public_map
from dpot_core.disclosures import Disclosure, demonstration, exact_outputs, known_seed, nothing_released
from dpot_core.experiments.geolocation.promise import guarantee
from dpot_core.experiments.geolocation.settings import Config
from dpot_core.mechanisms import MECHANISMS

#: Columns that depend on the settings only, or that the promise covers.
FREE: Columns = {
    "person-cells": ("simulated", "cell"),
    "person-distances": ("simulated", "mechanism"),
    "crowd-first-run-cells": ("simulated", "cell", *ESTIMATES),
    "crowd-first-run-zones": ("simulated", "zone", *ESTIMATES),
    "crowd-expected-cells": ("simulated", "cell"),
    "crowd-expected-zones": ("simulated", "zone"),
    "crowd-against-epsilon": ("simulated", "epsilon", "estimate", "runs"),
}


def disclosure(config: Config, city: City, view: str = "person", crowd: Crowd | None = None) -> Disclosure:
    """What a view's numbers say about the people.

    Args:
        config: the settings.
        city: the map and the people.
        view: "person", "crowd", "crowd-curve", "worst-case" or "minimax".
        crowd: of the view "crowd": everybody releases one place by each mechanism in it.
    """
    promise, simulated = guarantee(config, city), city.check_ins.simulated
    free = on_map(FREE, config.place, simulated)
    if view in ("worst-case", "minimax"):
        # A map that is drawn around people, and a base measure that is made from people, tell of them.
        public = config.base != "prior" and (simulated or public_map(config.place))
        return nothing_released("public" if public else "analysis")
    if view == "person":
        return exact_outputs(promise, "one released place", free)
    if view == "crowd" and crowd is not None:
        parts = [(MECHANISMS[name].label, promise) for name in crowd.estimates if name in MECHANISMS]
        # One seed for all settings, so that curves are smooth: two of these do not add up.
        return demonstration(parts, known_seed(SEED), source="geolocation.crowd", free=free)
    return nothing_released("analysis", free)
