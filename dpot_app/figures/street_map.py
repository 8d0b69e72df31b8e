"""A map of streets under see-through cells, drawn by Plotly: the one picture that may ask another machine."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dpot_app.cities.place import USUAL_SIDE
from dpot_app.cities.tiles import Tiles
from dpot_app.figures.cells_picture import cells_picture
from dpot_app.figures.map_scales import colour_axes, stretched
from dpot_app.figures.style import TITLE_HEIGHT, new_figure
from dpot_app.figures.traces import Trace
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
    """Probabilities of cells over the tiles of a server; of a fine grid as one picture, where no mouse names them.

    The tiles are no layer of the figure yet: `tiles.js` asks the server first, and says so where no picture comes.

    Args:
        grid: the cells.
        values: their probabilities, (k,).
        top: probability at the end of the colour scale.
        cut: whether some probabilities are larger.
        over: what is drawn on the cells, in degrees: traces of `on_map`.
    """
    cells, layers = (_picture if grid.n > USUAL_SIDE else _outlines)(grid, values, top)
    west, south, east, north = grid.box
    return new_figure(
        title,
        TITLE_HEIGHT + _HEIGHT + _UNDER,
        [cells, *over],
        showlegend=False,
        margin={"t": TITLE_HEIGHT, "l": 0, "r": 0, "b": _UNDER},
        # A style without a source: nothing is asked for it.
        map={"style": "white-bg"} | ({"layers": layers} if layers else {}),
        meta={
            "fit": [1.0, _UNDER],
            "tiles": {"address": tiles.address, "attribution": tiles.attribution, "area": [west, south, east, north]},
        },
        **colour_axes(top, True, False, cut),
    )


def _picture(grid: CityGrid, values: Array, top: float) -> tuple[Trace, list[Trace]]:
    """The cells as a layer; the trace is not seen, and brings the colour bar."""
    source, corners = cells_picture(grid, values, top)
    layer = {"sourcetype": "image", "source": source, "coordinates": corners, "below": "traces", "opacity": _OPACITY}
    marker = {"color": [0.0], "coloraxis": "coloraxis", "opacity": 0}
    lon, lat = corners[0]
    return {"type": "scattermap", "lat": [lat], "lon": [lon], "marker": marker, "hoverinfo": "skip"}, [layer]


def _outlines(grid: CityGrid, values: Array, _top: float) -> tuple[Trace, list[Trace]]:
    outlines, points = grid.cells, grid.space.points
    names = [str(cell) for cell in range(len(values))]
    features = [
        {"type": "Feature", "id": name, "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
        for name, ring in zip(names, outlines.tolist(), strict=True)
    ]
    cells = {
        "type": "choroplethmap",
        "geojson": {"type": "FeatureCollection", "features": features},
        "locations": names,
        "z": stretched(values),
        "coloraxis": "coloraxis",
        "marker": {"opacity": _OPACITY, "line": {"width": 0}},
        "customdata": [[east, north, value] for (east, north), value in zip(points.tolist(), values, strict=True)],
        "hovertemplate": "%{customdata[0]:.1f} km east, %{customdata[1]:.1f} km north: %{customdata[2]:.3~p}"
        "<extra></extra>",
    }
    return cells, []


def on_map(lat: Array, lon: Array, name: str, *, colour: str, width: float = 0.0, size: Sequence[float] = ()) -> Trace:
    """A line, or circles of these sizes, on a street map; ``name`` is for the mouse. Degrees."""
    trace: Trace = {
        "type": "scattermap",
        "lat": lat,
        "lon": lon,
        "name": name,
        "hovertemplate": f"{name}<extra></extra>",
    }
    if width:
        return trace | {"mode": "lines", "line": {"color": colour, "width": width}}
    return trace | {"mode": "markers", "marker": {"color": colour, "size": list(size), "opacity": 0.9}}
