"""What lies under the cells of a map, from the embedded data alone: borders of states, names of places, a locator."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import shapely

from dpot_core.checks import Array
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.us_places import load_places

#: Names on a map: more would cover it.
_MOST_NAMES = 9
#: Two names are at least this share of the map's width apart to the east or half of it to the north.
_APART = 0.16


@dataclass(frozen=True)
class BaseMap:
    """Kilometres in the frame of the grid, but for the locator.

    Attributes:
        borders: states' borders, (m, 2), rows of NaN between pieces.
        names: (name, km east, km north) of places, the largest first.
        locator: the country's outline, (m, 2), and the middle of the map in it, both as degrees of longitude and
            latitude; None where the map lies in no country that is embedded.
    """

    borders: Array = field(default_factory=lambda: np.empty((0, 2)))
    names: tuple[tuple[str, float, float], ...] = ()
    locator: tuple[Array, tuple[float, float]] | None = None


def base_map(grid: CityGrid) -> BaseMap:
    """The base map under a grid; empty outside the contiguous United States, of which alone data are embedded."""
    outline, (west, south, east, north) = us_outline(), grid.box
    box, middle = shapely.box(west, south, east, north), ((west + east) / 2, (south + north) / 2)
    if not shapely.intersects(outline.region, box):
        return BaseMap()
    borders = shapely.MultiLineString([ring for _, rings in outline.areas for ring in rings])
    pieces = [shapely.get_coordinates(part) for part in shapely.get_parts(shapely.intersection(borders, box))]
    gap = np.full((1, 2), np.nan)
    lines = [part for piece in pieces if len(piece) > 1 for part in (grid.to_km(piece[:, 1], piece[:, 0]), gap)]
    country = shapely.simplify(outline.region, 0.3)
    rings = [shapely.get_coordinates(part.exterior) for part in shapely.get_parts(country) if part.area > 1.0]
    drawn = np.vstack([part for ring in rings for part in (ring, gap)])
    return BaseMap(np.vstack(lines) if lines else np.empty((0, 2)), _names(grid), (drawn, middle))


def _names(grid: CityGrid) -> tuple[tuple[str, float, float], ...]:
    """The largest places on the map whose names leave each other room."""
    places = load_places("everybody")
    at = grid.to_km(places.lat, places.lon)
    share = at / (grid.width, grid.height)
    # The locator stands in the upper right corner, the scale bar in the lower left one.
    taken = np.all(share > (0.6, 0.86), axis=1) | np.all(share < (0.4, 0.1), axis=1)
    inside = np.all((share > 0.01) & (share < 0.99), axis=1) & ~taken
    chosen: list[tuple[str, float, float]] = []
    room = _APART * grid.width
    for place in np.argsort(-places.weights.sum(axis=0), kind="stable"):
        if not inside[place] or len(chosen) == _MOST_NAMES:
            continue
        x, y = (float(part) for part in at[place])
        if all(abs(x - a) > 2 * room or abs(y - b) > room / 2 for _, a, b in chosen):
            chosen.append((places.names[place].rsplit(", ", 1)[0], x, y))
    return tuple(chosen)
