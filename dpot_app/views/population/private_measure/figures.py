import math
from typing import Any

import numpy as np

from dpot_app.figures.panels import axis
from dpot_app.figures.style import GUIDE, SEQUENTIAL, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import Trace, bars, heat
from dpot_app.views.population.map.figures import backdrop_traces, count_ticks, map_axes, points
from dpot_app.views.population.people import Backdrop, scale_ratio
from dpot_app.views.population.private_measure.results import COUNTS, ERRORS, Inside, LevelMap
from dpot_app.views.population.units import unit
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import at_most, count, number

#: A scale of counts ends at the fullest cell, but not below so many people: there noise is all that is seen.
_LEAST_TOP = 10.0
#: Pixels of a map of cells, wide and high; and how wide a digit is for its size.
_INSIDE, _DIGIT = (290.0, 145.0), 0.56
#: Private points that are drawn.
_MOST_POINTS = 3000


def level_figure(result: Inside, level: int, count: str) -> Figure:
    """Counts of the cells of one level; the three kinds of counts share their scale, which no epsilon changes."""
    cells = result.maps[min(level, len(result.maps) - 1)]
    table = cells.counts[count]
    top = max(_LEAST_TOP, cells.fullest)
    words = {"text": "people in a cell", "side": "bottom"}
    bar: dict[str, Any] = {"orientation": "h", "y": -0.34, "yanchor": "top", "thickness": 10, "title": words}
    bar |= count_ticks(top)
    look: Trace = {"colorscale": SEQUENTIAL, "zmin": 0.0, "zmax": math.log10(top + 1.0), "colorbar": bar}
    look |= {"customdata": table, "hoverongaps": False, "hover": "%{customdata:,.0f} people"}
    # The logarithm keeps small and large counts visible; negative ones are drawn as 0.
    logs = np.log10(np.maximum(table, 0.0) + 1.0)
    borders = backdrop_traces(result.backdrop)[1]
    data = [heat(cells.x, cells.y, logs, **look), borders]
    size = _size(cells, result.backdrop) if table.size <= 64 else None
    if size:
        borders["opacity"] = 0.4  # so that they cross no count
        data.append(_numbers(cells.x, cells.y, table, top, size))
    title = COUNTS[count]
    if count in ERRORS and (off := float(result.levels[ERRORS[count]].iloc[cells.level])) > 0:
        title += f", off by {number(off)} people on average"
    axes = map_axes(result.backdrop)
    for side in axes.values():
        # Words beside all three would take their room.
        side.pop("title")
        side["ticksuffix"] = "°" if result.backdrop.geographic else ""
    return new_figure(
        title + simulated(result.backdrop.simulated),
        TITLE_HEIGHT + 270,
        data,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 4, "l": 8, "r": 8, "b": 84},
        **axes,
    )


def _size(cells: LevelMap, behind: Backdrop) -> int | None:
    """The size at which the counts of all three pictures fit into their cells: beside each other or not at all."""
    west, south, east, north = behind.outline.bounds
    wide, high = _INSIDE
    pixels = min(wide / (east - west), high / ((north - south) * scale_ratio(behind.outline)))
    longest = max(len(text) for counts in cells.counts.values() for text in _written(counts))
    room = float(np.diff(cells.x).min()) * pixels
    sizes = (12, 10) if (len(cells.x) - 1) * (len(cells.y) - 1) <= 16 else (10,)
    return next((size for size in sizes if longest * _DIGIT * size <= room), None)


def _written(table: Array) -> list[str]:
    counts = table.ravel()
    return [count(round(value)).replace("-", "−") if np.isfinite(value) else "" for value in counts]  # nor "-0"


def _numbers(x: Array, y: Array, table: Array, top: float, size: int) -> Trace:
    across, up = (part.ravel() for part in np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2))
    counts = table.ravel()
    # The upper part of the scale is light.
    light = np.log10(np.maximum(np.nan_to_num(counts), 0.0) + 1.0) > 0.55 * np.log10(top + 1.0)
    font = {"size": size, "color": ["#111111" if high else "#FFFFFF" for high in light]}
    place = {"type": "scatter", "mode": "text", "x": across, "y": up, "hoverinfo": "skip"}
    return {**place, "text": _written(table), "textfont": font}


def budget_figure(result: Inside, level: int) -> Figure:
    levels = result.levels
    budget = levels["budget epsilon"].to_numpy()
    shown = min(level, result.depth)
    shades = [colour("coreset") if number == shown else GUIDE for number in levels["level"]]
    hover = "level %{x}: ε = %{y:.3~g}, noise scale %{customdata[0]:.3~g} people, %{customdata[1]:,.0f} cells"
    more = levels[["noise scale (people)", "cells looked at"]].to_numpy()
    return new_figure(
        f"The levels spend ε = {at_most(budget.sum())} together, more on smaller cells (blue: level {shown})",
        TITLE_HEIGHT + 240,
        [bars(levels["level"].to_numpy(), budget, colour=shades, hover=hover, customdata=more)],
        xaxis=axis("level (number of halvings)", dtick=2, range=[-0.7, result.deepest + 0.7]),
        yaxis=axis("ε of the level (nats)", range=[0.0, 1.06 * result.most]),
        showlegend=False,
    )


def points_figure(result: Inside) -> Figure:
    """The private points, or so many of them as are drawn."""
    shown = result.points[:_MOST_POINTS]
    copy = points(shown, "", size=3, opacity=0.5, color=colour("coreset")) | {"type": "scattergl"}
    title = f"The private copy: {len(shown):,} of {len(result.points):,} points"
    if result.error_bound is not None:
        title += f", expected W₁ error at most {at_most(result.error_bound)} {unit(result.backdrop.geographic)}"
    return new_figure(
        title + simulated(result.backdrop.simulated),
        TITLE_HEIGHT + 240,
        [backdrop_traces(result.backdrop)[1], copy],
        showlegend=False,
        **map_axes(result.backdrop),
    )
