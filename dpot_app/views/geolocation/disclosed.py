from dpot_app.cities.city_map import CityMap
from dpot_app.cities.crowd import ESTIMATES, SEED
from dpot_app.cities.crowd import MECHANISMS as COMPARED
from dpot_app.cities.public import Columns, on_map, public_map, region_note, takes_part
from dpot_app.kit.particles import SEED as SHOWN
from dpot_app.views.geolocation.person.results import DROPS
from dpot_app.views.geolocation.settings import Config
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.oracles import ORACLES
from dpot_core.privacy.disclosures import Disclosure, demonstration, exact_outputs, known_seed, nothing_released
from dpot_core.privacy.guarantees import Guarantee

#: Columns that depend on the settings only, or that the guarantee covers.
FREE: Columns = {
    "person-cells": ("simulated", "cell"),
    "person-distances": ("simulated", "mechanism"),
    "worst-case-here": ("simulated", "mechanism"),
    "own-places": ("simulated", "mechanism", "person", "end", "farther than km"),
    "own-places-against-km": ("simulated", "km"),
    "crowd-first-run-cells": ("simulated", "cell", *ESTIMATES),
    "crowd-first-run-zones": ("simulated", "zone", *ESTIMATES),
    "crowd-expected-cells": ("simulated", "cell"),
    "crowd-expected-zones": ("simulated", "zone"),
    **dict.fromkeys(("crowd-distances", "crowd-against-epsilon"), ("simulated", "epsilon", "estimate", "runs")),
}


def guarantee(config: Config, city: CityMap, what: str = "released location") -> Guarantee:
    """The promise of one release: any two histories of one person, as whole distributions over the city.

    Args:
        what: a person gives, once.
    """
    outputs = f"the {len(city.zones)} zones" if city.zones else f"the {config.place.n} × {config.place.n} grid"
    base = "your own base measure; if it comes from private data, it costs privacy that is not counted here"
    public = [outputs, base if config.base == "own" else "the base measure", "ε", takes_part(config.laid)]
    notes = [f"For one {what} per person. Each further release adds its ε."]
    if region := region_note(config.laid, city.simulated):
        notes.append(region)
    if config.uses_crowd:
        makes = "base measure" if config.base == "prior" else "prior"
        public.append(f"the crowd of the people set aside, which makes the {makes}")
        notes.append(
            "Not covered: the people set aside. Their crowd is used as it is, which costs their privacy unless it "
            "is public anyway."
        )
    return Guarantee(config.epsilon, neighbours="local", public=tuple(public), note=" ".join(notes))


def disclosure(config: Config, city: CityMap, view: str = "person") -> Disclosure:
    # Worst cases depend on how large the map is, and on a prior that is made from people.
    worst: Columns = {"worst-case-in-use": ("*",), "worst-case-of-bases": ("*",)}
    lengths: Columns = {} if config.uses_crowd else worst
    each, free = guarantee(config, city), on_map(FREE, config.laid, city.simulated, lengths)
    if view in ("worst-case", "minimax", "minimax-along", "guess", "one-place"):
        # A map that is drawn around people, and a base measure that is made from people, tell of them.
        public = not config.uses_crowd and (city.simulated or public_map(config.laid))
        return nothing_released("public" if public else "analysis")
    if view == "person":
        drawn = f"{DROPS} sample places are drawn from the known seed {SHOWN}"
        by = [MECHANISMS[name].label for name in COMPARED]
        # The same uniforms at all settings, so that the places walk: two of these do not add up.
        return exact_outputs(each, "one released place", free, drawn, by, "geolocation.rain")
    if view == "crowd":
        ways = [(MECHANISMS[name].label, each) for name in COMPARED]
        told = guarantee(config, city, "report to an oracle")
        parts = [*ways, *((oracle.label, told) for oracle in ORACLES.values())]
        # One seed for all settings, so that curves are smooth: two of these do not add up.
        return demonstration(parts, known_seed(SEED), source="geolocation.crowd", free=free, ways=ways)
    return nothing_released("analysis", free)
