"""Maps on plain kilometre axes: cells as coloured squares, side by side on one scale. No tiles, no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.cities.city_map import CityMap
from dpot_core.figures.map_scales import colour_axes, flat_bar, stretched, stretched_difference
from dpot_core.figures.panels import axes, axis, panels
from dpot_core.figures.style import SEQUENTIAL, TITLE_HEIGHT, new_figure, plain
from dpot_core.figures.traces import Trace, line

# Pixels of a row of maps, and under the maps, for numbers and name of the axis and for the colour bar.
_ROW, _UNDER = 190, 88
_LINE = "rgba(160,170,180,0.75)"


@dataclass(frozen=True)
class Panel:
    """One map."""

    title: str  # above the map; may have two lines
    values: Array  # probabilities or differences, one for each output (k_v,): cell or zone
    difference: bool = False  # whether values are differences, drawn on the diverging scale


def maps(city: CityMap, shown: Sequence[Panel], columns: int, title: str, top: float, bar: bool = True) -> go.Figure:
    """Maps side by side.

    Args:
        top: probability, and difference, at the end of the colour scales, which figures beside each other share.
        bar: whether this figure has the colour bar, not the other one.
    """
    rows = -(-len(shown) // columns)
    data: list[dict[str, Any]] = []
    for place, panel in enumerate(shown):
        data += [trace | axes(place) for trace in (_heat(city, panel), *_lines(city))]
    name_height = 42 if any("\n" in panel.title for panel in shown) else 24
    pictures = _ROW * rows + (rows - 1) * name_height
    layout = panels(
        [panel.title for panel in shown],
        columns,
        x={"title_text": "km east", **_AXIS},
        y={"title_text": "km north", **_AXIS},
        gap=(0.03, name_height / pictures),
    )
    for name in layout["annotations"]:
        name["text"] = name["text"].replace("\n", "<br>")
    _same_scale_everywhere(layout, city, len(shown), columns)
    return new_figure(
        title,
        TITLE_HEIGHT + name_height + pictures + _UNDER,
        data,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + name_height, "l": 8, "r": 8, "b": _UNDER},
        **colour_axes(top, bar, any(panel.difference for panel in shown)),
        **layout,
    )


def single_map(city: CityMap, values: Array, title: str, unit: str, number: str, top: float | None = None) -> go.Figure:
    """One map of any quantity (k,).

    Args:
        unit: title of the colour bar.
        number: how the hover text writes a value.
        top: where the scale ends, which then begins at 0; None for one between the least and the largest value.
    """
    heat = _heat(replace(city, raster=None), Panel("", values)) | {"z": values.reshape(city.n, -1)}
    del heat["coloraxis"]
    heat |= {"colorscale": SEQUENTIAL, "colorbar": {**flat_bar(unit), "nticks": 5}}
    if top is not None:
        heat |= {"zmin": 0.0, "zmax": top}
    heat["hovertemplate"] = f"%{{x:.1f}} km east, %{{y:.1f}} km north: {number}<extra></extra>"
    margin = {"t": TITLE_HEIGHT + 8, "l": 8, "r": 8, "b": _UNDER}
    return new_figure(title, 440, [heat], **km_axes(city, **_AXIS), showlegend=False, margin=margin)


def km_axes(city: CityMap, **look: Any) -> dict[str, Any]:
    """Layout entries of axes in kilometres, which are as long to the east as to the north."""
    x, y = axis("km east", range=(0.0, city.width), **look), axis("km north", range=(0.0, city.height), **look)
    return {"xaxis": x, "yaxis": y | {"scaleanchor": "x", "constraintoward": "top"}}


def truth_name(city: CityMap, name: str) -> str:
    """Title of a map of the truth: probabilities of cells and of zones do not belong on one scale."""
    return f"{name}, nearest zone" if city.zones else name


def place_lines(city: CityMap) -> list[dict[str, Any]]:
    """Rivers and roads of the data, so that one finds one's way."""
    return [_line(name, km, 1.2) for name, km in city.lines]


_AXIS = {"showgrid": False, "zeroline": False, "nticks": 6, "constrain": "domain", "ticks": ""}


def _same_scale_everywhere(layout: dict[str, Any], city: CityMap, count: int, columns: int) -> None:
    """A kilometre is as long to the east as to the north, and zooming moves all maps."""
    raster = city.raster
    across, up = (0.0, city.width), (0.0, city.height)
    if raster is not None:
        across, up = (float(raster.x[0]), float(raster.x[-1])), (float(raster.y[0]), float(raster.y[-1]))
    for place in range(count):
        names = axes(place)
        x, y = (layout[name[0] + "axis" + name[1:]] for name in names.values())
        x |= {"range": across} | ({"matches": "x"} if place else {})
        y |= {"range": up, "scaleanchor": names["xaxis"], "constraintoward": "top"}
        if place + columns < count:
            x["showticklabels"] = False


def _heat(city: CityMap, panel: Panel) -> dict[str, Any]:
    raster, zones = city.raster, {}
    if raster is None:
        x, y = city.points[: city.n, 0], city.points[:: city.n, 1]
        table, where = panel.values.reshape(city.n, city.n), "%{x:.1f} km east, %{y:.1f} km north"
    else:
        x, y, names = raster.x, raster.y, np.array([*map(plain, city.zones), ""], dtype=object)
        table, where = np.where(raster.zone >= 0, panel.values[raster.zone], np.nan), "%{text}"
        zones = {"text": names[raster.zone], "hoverongaps": False}
    return {
        "type": "heatmap",
        "x": x,
        "y": y,
        "z": (stretched_difference if panel.difference else stretched)(table),
        "customdata": table,
        "coloraxis": "coloraxis2" if panel.difference else "coloraxis",
        "hovertemplate": f"{where}: {'%{customdata:+.2%}' if panel.difference else '%{customdata:.2%}'}<extra></extra>",
        **zones,
    }


def _lines(city: CityMap) -> list[dict[str, Any]]:
    if city.raster is not None:
        return [_line("zones", city.raster.outlines, 0.8)]
    return place_lines(city)


def _line(name: str, km: Array, width: float) -> Trace:
    return line(km[:, 0], km[:, 1], colour=_LINE, width=width) | {"name": plain(name)}
