"""Layers under the cells of a map, from the embedded data alone: borders, coasts, names of places, a locator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely

from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.datasets.outlines import county_lines, us_outline
from dpot_core.datasets.population import Population
from dpot_core.datasets.us_places import load_places
from dpot_core.datasets.world import cities_in, land_in
from dpot_core.spaces.polygons import Booleans

#: Names on a map: more would cover it.
MOST_NAMES = 9
#: Names of places beyond this share of a map's width stand to the left of their dots.
NAMES_TURN = 0.6
# Shares of the map's width that a letter and a line take, on a phone.
_LETTER, _LINE = 0.0155, 0.05


@dataclass(frozen=True)
class BaseMap:
    """Kilometres in the frame of the grid, but for the locator.

    Attributes:
        borders: states' borders in the United States, elsewhere the coast, (m, 2), rows of NaN between pieces.
        counties: lines between counties of one state, likewise.
        names: (name, km east, km north) of places, the largest first.
        locator: the country's outline, (m, 2), and the middle of the map in it, both as degrees of longitude and
            latitude; None where the map lies in no country that is embedded.
    """

    borders: Array = field(default_factory=lambda: np.empty((0, 2)))
    counties: Array = field(default_factory=lambda: np.empty((0, 2)))
    names: tuple[tuple[str, float, float], ...] = ()
    locator: tuple[Array, tuple[float, float]] | None = None

    @property
    def credit(self) -> str:
        """See `credit`."""
        in_states = self.locator is not None
        return credit(bool(self.names), in_states or bool(len(self.borders)), in_states)


def credit(names: bool, lines: bool, in_states: bool) -> str:
    """Where a map has its names of places and its borders or coasts from; "" for one without them.

    >>> credit(True, True, False), credit(False, False, False)
    ('On maps: names of places from GeoNames (CC BY 4.0), outlines from Natural Earth.', '')
    """
    outlines = f"outlines from {'the US Census Bureau' if in_states else 'Natural Earth'}"
    said = ["names of places from GeoNames (CC BY 4.0)"] * names + [outlines] * lines
    return f"On maps: {', '.join(said)}." if said else ""


def base_map(grid: CityGrid) -> BaseMap:
    """The base map under a grid; outside the contiguous United States coasts and names of cities alone."""
    outline, (west, south, east, north) = us_outline(), grid.box
    box, middle = shapely.box(west, south, east, north), ((west + east) / 2, (south + north) / 2)
    if not shapely.intersects(outline.region, box):
        coast = shapely.difference(land_in(grid.box).boundary, box.boundary.buffer(1e-6))
        shores = [shapely.get_coordinates(part) for part in shapely.get_parts(coast)]
        return BaseMap(_drawn(shores, grid), names=_cities(grid))
    borders = shapely.MultiLineString([ring for _, rings in outline.areas for ring in rings])
    pieces = [shapely.get_coordinates(part) for part in shapely.get_parts(shapely.intersection(borders, box))]
    country = shapely.simplify(outline.region, 0.3)
    rings = [shapely.get_coordinates(part.exterior) for part in shapely.get_parts(country) if part.area > 1.0]
    lines, counties = _drawn(pieces, grid), _drawn(county_lines(grid.box), grid)
    return BaseMap(lines, counties, _names(grid), (_apart(rings), middle))


def _drawn(pieces: Sequence[Array], grid: CityGrid) -> Array:
    """Lines in degrees, in the frame of the grid and in one table."""
    return _apart([grid.to_km(piece[:, 1], piece[:, 0]) for piece in pieces if len(piece) > 1])


def _apart(lines: Sequence[Array]) -> Array:
    """Lines in one table, a row of NaN after each, (m, 2)."""
    gap = np.full((1, 2), np.nan)
    return np.vstack([np.empty((0, 2)), *(part for line in lines for part in (line, gap))])


def _names(grid: CityGrid) -> tuple[tuple[str, float, float], ...]:
    """The largest places on the map whose names leave each other room."""
    places = load_places("everybody")
    at = grid.to_km(places.lat, places.lon)
    share = at / (grid.width, grid.height)
    # The locator stands in the upper right corner.
    free = ~np.all(share > (0.6, 0.86), axis=1)
    names, people = [name_of(places, place) for place in range(len(at))], places.weights.sum(axis=0)
    chosen = largest_apart(names, people, at, (grid.width, grid.height), free)
    return tuple((names[place], *at[place].tolist()) for place in chosen)


def _cities(grid: CityGrid) -> tuple[tuple[str, float, float], ...]:
    """Likewise outside the United States, where there is no locator."""
    cities = cities_in(grid.box)
    if not cities:
        return ()
    at = grid.to_km(np.array([city.lat for city in cities]), np.array([city.lon for city in cities]))
    names, people = [city.name for city in cities], np.array([float(city.population) for city in cities])
    chosen = largest_apart(names, people, at, (grid.width, grid.height), np.ones(len(at), dtype=bool))
    return tuple((names[place], *at[place].tolist()) for place in chosen)


def largest_apart(
    names: Sequence[str], people: Array, at: Array, size: tuple[float, float], free: Booleans, most: int = MOST_NAMES
) -> list[int]:
    """Numbers of the largest places on a map whose names leave each other room, the largest first.

    Args:
        names: of the places.
        people: how large they are, (N,).
        at: where the places lie on the map, from its lower left corner, (N, 2).
        size: width and height of the map, in the same unit.
        free: whether a place may be named, (N,).
        most: names on the map.
    """
    share = at / size
    # The scale bar stands in the lower left corner.
    free = free & np.all((share > 0.01) & (share < 0.99), axis=1) & ~np.all(share < (0.4, 0.1), axis=1)
    chosen: list[int] = []
    for place in np.argsort(-people, kind="stable"):
        if len(chosen) == most:
            break
        west, east = _written(share[place, 0], names[place])
        others = [(at[one, 1], *_written(share[one, 0], names[one])) for one in chosen]
        if free[place] and all(
            west > right or east < left or abs(at[place, 1] - up) > _LINE * size[0] for up, left, right in others
        ):
            chosen.append(int(place))
    return chosen


def _written(share: float, name: str) -> tuple[float, float]:
    """From where to where a name and its dot reach, as shares of the map's width; in the east it stands to the left."""
    wide, dot = _LETTER * (len(name) + 1.2), _LETTER / 2
    return (share - wide, share + dot) if share > NAMES_TURN else (share - dot, share + wide)


def name_of(places: Population, place: int) -> str:
    """A place's name without its state."""
    return places.names[place].rsplit(", ", 1)[0]
