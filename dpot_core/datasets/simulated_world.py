"""Invented people in a real city: where they live and go follows its land, its middle and the towns around it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import shapely

from dpot_core.arguments import Array, check_count
from dpot_core.datasets.check_ins import CheckIns, merged
from dpot_core.datasets.simulated import visits
from dpot_core.datasets.world import CITIES_LICENCE, KM_PER_DEGREE, WorldCity, cities_in, land_in

_N_PLACES = 900
#: Share of the homes, and of the places, that follow the city's own middle; the rest follows all towns by their people.
_OWN_HOMES, _OWN_PLACES = 0.45, 0.6
#: Draws of what has fallen into the water, after which it goes to the middle of its town.
_TRIES = 60


def simulated_people(city: WorldCity, n_users: int = 500, seed: int = 1) -> CheckIns:
    """Check-ins of invented people in a real city.

    Homes and places lie around the middles of the city and of the towns on its map, in proportion to their people, and
    on land. All else is as in `simulated_city`. No density of real people within a town enters.

    Args:
        city: see `world.city_of`.
        n_users: number of people, 1 to 5,000.
        seed: of the generator; the same seed and city give the same people.

    Returns:
        Check-ins marked `simulated`.

    Raises:
        ValueError: if n_users or seed is out of range.
    """
    n = check_count(n_users, "n_users", 1, 5000)
    rng = np.random.default_rng([check_count(seed, "seed", 0, 2**63), *city.label.encode()])
    towns = [city, *(town for town in cities_in(city.box) if town.label != city.label)]
    middles = _km(np.array([(town.lon, town.lat) for town in towns]), city)
    people = np.array([town.population for town in towns], dtype=np.float64)
    spread = np.clip(1.1 * (people / 1e5) ** 0.35, 0.8, 5.0)
    share = people / people.sum()
    own = np.eye(len(towns))[0]
    homes = _around(n, middles, spread, _OWN_HOMES * own + (1.0 - _OWN_HOMES) * share, city, rng)
    places = _around(_N_PLACES, middles, 0.7 * spread, _OWN_PLACES * own + (1.0 - _OWN_PLACES) * share, city, rng)
    popularity = rng.pareto(1.1, _N_PLACES) + 0.05
    # Offices gather in the middle of the city.
    pull = np.exp(-np.hypot(*(places - middles[0]).T) / (1.5 * spread[0])) + 0.02
    works = places[rng.choice(_N_PLACES, n, p=pull / pull.sum())]
    person, spots, counts = visits(homes, works, places, popularity, rng)
    lon, lat = _degrees(spots, city).T
    return merged(
        pd.DataFrame({"user": [f"person {i + 1}" for i in person], "lat": lat, "lon": lon, "count": counts}),
        title=f"Simulated people in {city.label}",
        simulated=True,
        source=f"dpot_core.datasets.simulated_people(city_of({city.label!r}), n_users={n}, seed={seed})",
        licence=f"Invented people, no restrictions. Names and sizes of towns: {CITIES_LICENCE}",
        notes=(
            f"The people are invented; {city.name} is not. They live on land, around the middles of the map's towns.",
        ),
    )


def _around(n: int, middles: Array, spread: Array, share: Array, city: WorldCity, rng: np.random.Generator) -> Array:
    """Points in km around towns, on land and on the map."""
    which = rng.choice(len(middles), n, p=share)
    at, left = middles[which], np.arange(n)
    there = land_in(city.box)
    shapely.prepare(there)
    for _ in range(_TRIES):
        drawn = middles[which[left]] + spread[which[left], None] * rng.normal(size=(left.size, 2)).clip(-2.4, 2.4)
        good = shapely.contains_xy(there, _degrees(drawn, city))
        at[left[good]], left = drawn[good], left[~good]
        if not left.size:
            break
    return at


def _km(lonlat: Array, city: WorldCity) -> Array:
    """Kilometres east and north of the city's middle."""
    return (lonlat - (city.lon, city.lat)) * _scale(city)


def _degrees(km: Array, city: WorldCity) -> Array:
    return km / _scale(city) + (city.lon, city.lat)


def _scale(city: WorldCity) -> Array:
    return KM_PER_DEGREE * np.array([np.cos(np.radians(city.lat)), 1.0])
