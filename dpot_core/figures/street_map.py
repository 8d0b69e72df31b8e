"""A map of streets under see-through cells, drawn by Plotly: the one picture that may ask another machine."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.cities.tiles import Tiles
from dpot_core.figures.map_scales import colour_axes, stretched
from dpot_core.figures.style import TITLE_HEIGHT, new_figure
from dpot_core.figures.traces import Trace

# Pixels of the map on a wide screen, and under it for the colour bar.
_HEIGHT, _UNDER = 640, 44


def street_map(
    outlines: Array,
    points: Array,
    values: Array,
    title: str,
    top: float,
    tiles: Tiles,
    cut: bool = False,
    over: Sequence[Trace] = (),
) -> go.Figure:
    """Probabilities of cells over the tiles of a server.

    The tiles are no layer of the figure yet: `tiles.js` asks the server first, and says so where no picture comes.

    Args:
        outlines: of the cells, closed, longitude and latitude, (k, 5, 2).
        points: their centres, km east and north, (k, 2).
        values: their probabilities, (k,).
        top: probability at the end of the colour scale.
        cut: whether some probabilities are larger.
        over: what is drawn on the cells, in degrees: traces of `on_map`.
    """
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
        "marker": {"opacity": 0.5, "line": {"width": 0}},
        "customdata": [[east, north, value] for (east, north), value in zip(points.tolist(), values, strict=True)],
        "hovertemplate": "%{customdata[0]:.1f} km east, %{customdata[1]:.1f} km north: %{customdata[2]:.3~p}"
        "<extra></extra>",
    }
    (west, south), (east, north) = outlines.min(axis=(0, 1)).tolist(), outlines.max(axis=(0, 1)).tolist()
    return new_figure(
        title,
        TITLE_HEIGHT + _HEIGHT + _UNDER,
        [cells, *over],
        showlegend=False,
        margin={"t": TITLE_HEIGHT, "l": 0, "r": 0, "b": _UNDER},
        # A style without a source: nothing is asked for it.
        map={"style": "white-bg"},
        meta={
            "fit": [1.0, _UNDER],
            "tiles": {"address": tiles.address, "attribution": tiles.attribution, "area": [west, south, east, north]},
        },
        **colour_axes(top, True, False, cut),
    )


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
