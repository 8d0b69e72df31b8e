"""A map of streets under see-through cells, in Mercator's projection: the one picture that may ask another machine."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_app.cities.tiles import Tiles
from dpot_app.figures.map_scales import colour_axes, stretched
from dpot_app.figures.style import TITLE_HEIGHT, new_figure
from dpot_app.figures.traces import Trace, heat
from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid

# Pixels of the map on a wide screen, and under it for the colour bar.
_HEIGHT, _UNDER = 640, 44
# Of the cells over the streets.
_OPACITY = 0.5


def street_map(
    grid: CityGrid,
    values: Array,
    title: str,
    top: float,
    tiles: Tiles,
    cut: bool = False,
    over: Sequence[Trace] = (),
) -> go.Figure:
    """Probabilities of cells over the tiles of a server, which the browser lays under it (`tiles.js`).

    Rows and columns of the grid are no lines from west to east and from south to north here: of each cell the corners
    are told, in tables of n + 1 rows and columns.

    Args:
        grid: the cells.
        values: their probabilities, (k,).
        top: probability at the end of the colour scale.
        cut: whether some probabilities are larger.
        over: what is drawn on the cells, where `on_mercator` says.
    """
    table = values.reshape(grid.n, grid.n)
    steps = np.linspace(0.0, 1.0, grid.n + 1)
    km = np.stack(np.meshgrid(steps * grid.width, steps * grid.height), axis=-1)
    x, y = on_mercator(grid, km.reshape(-1, 2)).T.reshape(2, *km.shape[:2]).astype(np.float32)
    look: dict[str, Any] = {"customdata": table, "coloraxis": "coloraxis", "opacity": _OPACITY}
    west, south, east, north = grid.box
    corner = [west, float(_northing(south))]
    return new_figure(
        title,
        TITLE_HEIGHT + _HEIGHT + _UNDER,
        [heat(x, y, stretched(table), hover="%{customdata:.3~p}", **look), *over],
        showlegend=False,
        margin={"t": TITLE_HEIGHT, "l": 0, "r": 0, "b": _UNDER},
        xaxis={"visible": False, "range": [0.0, east - west]},
        yaxis={"visible": False, "range": [0.0, float(_northing(north)) - corner[1]], "scaleanchor": "x"},
        meta={
            "fit": [1.0, _UNDER],
            "tiles": {"address": tiles.address, "attribution": tiles.attribution, "corner": corner},
        },
        **colour_axes(top, True, False, cut),
    )


def on_mercator(grid: CityGrid, km: Array) -> Array:
    """Where positions in km, (m, 2), are on a street map, (m, 2).

    Mercator's projection in degrees of longitude: (lon, 180/pi artanh(sin lat)), from the south-west corner of the
    grid's box on; small numbers keep their digits in single precision.
    """
    lon, lat = grid.to_lonlat(km).T
    west, south, _, _ = grid.box
    return np.column_stack([lon - west, _northing(lat) - _northing(south)])


def _northing(lat: Array | float) -> Array:
    return np.asarray(np.degrees(np.arctanh(np.sin(np.radians(lat)))))
