"""Maps on plain kilometre axes: cells as coloured squares, side by side on one scale. No tiles, no network."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_app.cities.city_map import CityMap
from dpot_app.figures.map_scales import colour_axes, flat_bar, stretched, stretched_difference
from dpot_app.figures.map_writing import IN_DARK, IN_LIGHT, place_names, scale_bar
from dpot_app.figures.panels import axes, axis, panels
from dpot_app.figures.style import SEQUENTIAL, TITLE_HEIGHT, new_figure, plain
from dpot_app.figures.traces import Trace, line, marks
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import number

# Pixels of a row of maps, and under the maps, for numbers and name of the axis and for the colour bar.
_ROW, _UNDER = 190, 88
_LINE = "rgba(160,170,180,0.75)"


@dataclass(frozen=True)
class Panel:
    title: str  # above the map; may have two lines
    values: Array  # probabilities or differences, one for each output (k_v,): cell or zone
    difference: bool = False  # whether values are differences, drawn on the diverging scale
    bar: bool = True  # whether a large map has its colour bar, which maps beside each other need not
    thin: bool = False  # whether of a fine grid a large map has at most `_SMALL` cells a side


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
    name_height = _name_height(*shown)
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


def _name_height(*shown: Panel) -> int:
    """Pixels above maps for their names, of one or two lines."""
    return 42 if any("\n" in panel.title for panel in shown) else 24


def large_map(
    city: CityMap,
    panel: Panel,
    title: str,
    top: float,
    over: Sequence[Trace] = (),
    text: Array | None = None,
    cut: bool = False,
) -> go.Figure:
    """One map over the whole width, without axes: with names, a scale bar, north, and where in the country it lies.

    Args:
        top: as in `maps`.
        over: what is drawn on it.
        text: more words for the mouse, a line for each cell, (k,).
        cut: whether some probabilities are larger than ``top``.
    """
    heat = _thinned(_heat(city, panel)) if panel.thin else _heat(city, panel)
    if text is not None and city.raster is None:
        heat["text"] = text.reshape(city.n, city.n)
        heat["hovertemplate"] = heat["hovertemplate"].replace("<extra>", "<br>%{text}<extra>")
    layout = panels([panel.title], 1, x=_BARE, y=_BARE)
    _same_scale_everywhere(layout, city, 1, 1)
    (west, east), (south, north) = (layout[name]["range"] for name in ("xaxis", "yaxis"))
    written = ink(panel.difference)
    data = [heat, *_lines(city), *place_names(city.base.names, 0.0, city.width, written), *over]
    data += [*scale_bar((west, south), east - west, written), *_locator(city, (west, east, south, north), written)]
    name_height, ratio = 22, (north - south) / (east - west)
    under = 46 if panel.bar else 4
    return new_figure(
        title,
        # As tall as a map of this width is.
        TITLE_HEIGHT + name_height + round(_LARGE * ratio) + under,
        data,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + name_height, "l": 0, "r": 0, "b": under},
        # Narrower screens have smaller maps: height over width of the map, and pixels above and below it.
        meta={"fit": [ratio, name_height + under]},
        **colour_axes(top, panel.bar and not panel.difference, panel.difference, cut),
        **layout,
    )


def small_map(city: CityMap, values: Array, name: str, title: str, top: float) -> go.Figure:
    """A thumbnail: one map with its name and nothing else, of at most `_SMALL` cells a side.

    Args:
        name: may have two lines, as a long one has to on a phone.
        title: for files of its own; on a page the name has to do.
        top: as in `maps`.
    """
    panel = Panel(name, values)
    heat = _heat(city, panel) | {"hoverinfo": "skip"}
    del heat["hovertemplate"], heat["customdata"]
    heat.pop("text", None)
    heat = _thinned(heat)
    layout = panels([name], 1, x=_BARE, y=_BARE)
    layout["annotations"][0]["text"] = layout["annotations"][0]["text"].replace("\n", "<br>")
    name_height = _name_height(panel)
    _same_scale_everywhere(layout, city, 1, 1)
    (west, east), (south, north) = (layout[axis]["range"] for axis in ("xaxis", "yaxis"))
    look = {
        "showlegend": False,
        "margin": {"t": TITLE_HEIGHT + name_height, "l": 0, "r": 0, "b": 4},
        "meta": {"fit": [(north - south) / (east - west), name_height + 4]},
        **colour_axes(top, False, False),
    }
    return new_figure(title, TITLE_HEIGHT + name_height + 170, [heat], **look, **layout)


def _thinned(heat: Trace) -> Trace:
    """At most `_SMALL` cells of a heat map on each side."""
    every = -(-max(heat["z"].shape) // _SMALL)
    tables = {name: heat[name][::every, ::every] for name in ("z", "customdata", "text") if name in heat}
    return heat | tables | {"x": heat["x"][::every], "y": heat["y"][::every]}


def circle(east: float, north: float, radius: float, name: str, *, dash: str, colour: str) -> list[Trace]:
    """A circle whose centre is a point of the map, km, with its name at its top."""
    x, y = circle_points(east, north, radius).T
    return [line(x, y, colour=colour, dash=dash, width=2) | {"name": name}]


def circle_points(east: float, north: float, radius: float) -> Array:
    """Points around a point, in its units, (73, 2); the first is the last."""
    turn = np.linspace(0.0, 2 * np.pi, 73)
    return np.column_stack([east + radius * np.sin(turn), north + radius * np.cos(turn)])


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


def cells_text(city: CityMap) -> str:
    """For the title of a map: how large its cells are; nothing where outputs are zones."""
    wide, high = city.cell_metres
    return "" if city.zones else f": cells of {number(wide)} m × {number(high)} m"


def truth_name(city: CityMap, name: str) -> str:
    """Title of a map of the truth: probabilities of cells and of zones do not belong on one scale."""
    return f"{name}, nearest zone" if city.zones else name


def place_lines(city: CityMap) -> list[dict[str, Any]]:
    """Rivers and roads of the data, and borders or coasts, so that one finds one's way."""
    border = "coast" if city.base.locator is None else "state border"
    known = {"county line": (city.base.counties, 0.7), border: (city.base.borders, 1.5)}
    borders = [_line(name, km, width) for name, (km, width) in known.items() if len(km)]
    return [*(_line(name, km, 1.2) for name, km in city.lines), *borders]


def lines_text(city: CityMap, places: bool = False) -> str:
    """The meaning of the grey lines of maps, for their caption; "" where there are none.

    ``places``: whether a map has its rivers and roads where outputs are zones, too.
    """
    names = [str(one["name"]).lower() for one in (place_lines if places else _lines)(city)]
    return f" Grey lines on maps: {', '.join(names)}{' (simulated)' * bool(city.lines)}." if names else ""


# Pixels of a large map on a wide screen, and cells of a thumbnail.
_LARGE, _SMALL = 640, 64
# Cells from which on a map is sent in single precision.
_MANY = 10_000
_BARE = {"visible": False, "constrain": "domain"}


def ink(difference: bool) -> str:
    """The colour of what is written on a map."""
    return IN_LIGHT if difference else IN_DARK


def _locator(city: CityMap, ends: tuple[float, float, float, float], ground: str) -> list[Trace]:
    """The country in the upper right corner, with a dot where the map lies in it."""
    if city.base.locator is None:
        return []
    outline, (lon, lat) = city.base.locator
    west, east, _, north = ends
    low, high = np.nanmin(outline, axis=0), np.nanmax(outline, axis=0)
    wide = 0.2 * (east - west)
    # A degree of longitude is shorter than one of latitude, here by the cosine of the middle's.
    scale = np.array([1.0, 1.0 / np.cos(np.radians((low[1] + high[1]) / 2))]) * wide / (high[0] - low[0])
    corner = np.array([east - 1.15 * wide, north - 0.15 * wide - (high[1] - low[1]) * scale[1]])
    drawn, (x, y) = corner + (outline - low) * scale, corner + (np.array([lon, lat]) - low) * scale
    country = line(drawn[:, 0], drawn[:, 1], colour=ground, width=1)
    return [country, marks([x], [y], color="#E69F00", size=7)]


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
    if table.size > _MANY:
        table = table.astype(np.float32)  # seven digits, half of the bytes
    return {
        "type": "heatmap",
        "x": x,
        "y": y,
        "z": (stretched_difference if panel.difference else stretched)(table),
        "customdata": table,
        "coloraxis": "coloraxis2" if panel.difference else "coloraxis",
        "hovertemplate": f"{where}: %{{customdata:{'+' if panel.difference else ''}.3~p}}<extra></extra>",
        **zones,
    }


def _lines(city: CityMap) -> list[dict[str, Any]]:
    if city.raster is not None:
        return [_line("zones", city.raster.outlines, 0.8)]
    return place_lines(city)


def _line(name: str, km: Array, width: float) -> Trace:
    return line(km[:, 0], km[:, 1], colour=_LINE, width=width) | {"name": plain(name)}
