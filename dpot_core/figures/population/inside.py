"""The private measure level by level: counts of cells, and what each level spends."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import COUNTS, Inside
from dpot_core.figures.panels import axes, panels
from dpot_core.figures.population.maps import ground_traces, map_axes
from dpot_core.figures.population.words import simulated
from dpot_core.figures.style import GUIDE, SEQUENTIAL, TITLE_HEIGHT, colour, new_figure


def level_figure(result: Inside, level: int) -> go.Figure:
    """True, noisy and consistent counts of the cells of one level, side by side on one scale.

    Args:
        result: what to draw.
        level: number of the level; the deepest that is drawn where there are fewer.
    """
    shown = result.maps[min(level, len(result.maps) - 1)]
    tables = shown.counts
    top = float(max(1.0, np.nanmax([np.nanmax(table) for table in tables.values()])))
    data: list[dict[str, Any]] = []
    outline = ground_traces(result.ground)[1]
    for panel, (name, table) in enumerate(tables.items()):
        # Where noise is large beside the counts, the logarithm keeps both visible; below 1 it is cut.
        heat = {
            "type": "heatmap",
            "x": shown.x,
            "y": shown.y,
            "z": np.log10(np.maximum(table, 0.0) + 1.0),
            "customdata": table,
            "coloraxis": "coloraxis",
            "hoverongaps": False,
            "hovertemplate": "%{customdata:,.0f} people<extra>" + COUNTS[name] + "</extra>",
        }
        data += [heat | axes(panel), outline | axes(panel)]
        if table.size <= 64:
            data.append(_numbers(shown.x, shown.y, table) | axes(panel))
    frame = map_axes(result.ground, [])
    x, y = ({**axis, "title_text": axis.pop("title")["text"]} for axis in (frame["xaxis"], frame["yaxis"]))
    layout = panels(list(COUNTS.values()), 3, x=x, y=y, gap=(0.03, 0.1))
    for panel in range(3):
        names = axes(panel)
        layout["yaxis" + names["yaxis"][1:]] |= {"scaleanchor": names["xaxis"]}
        if panel:
            layout["xaxis" + names["xaxis"][1:]] |= {"matches": "x"}
    ticks = [value for value in (0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6) if value <= top] + [top]
    bar = {
        "orientation": "h",
        "y": -0.4,
        "thickness": 12,
        "len": 0.6,
        "title": {"text": "people in a cell", "side": "bottom"},
    }
    bar |= {"tickvals": [float(np.log10(v + 1)) for v in ticks[:-1]], "ticktext": [f"{v:,.0f}" for v in ticks[:-1]]}
    scale = {"colorscale": SEQUENTIAL, "cmin": 0.0, "cmax": float(np.log10(top + 1.0)), "colorbar": bar}
    row = result.levels.iloc[shown.level]
    title = (
        f"Level {shown.level} of {result.depth}: noise of about ±{row['noise scale (people)']:.0f} people in each cell"
        if row["noise scale (people)"] > 0
        else f"Level {shown.level} of {result.depth}: the number of people is public, so nothing is added"
    )
    return new_figure(
        title + simulated(result.ground),
        TITLE_HEIGHT + 350,
        data,
        showlegend=False,
        coloraxis=scale,
        margin={"t": TITLE_HEIGHT + 26, "l": 8, "r": 8, "b": 112},
        **layout,
    )


def budget_figure(result: Inside, level: int, dark: bool = False) -> go.Figure:
    """What each level spends of epsilon."""
    hue = colour("coreset", dark)
    budget = result.levels["budget epsilon"].to_numpy()
    bars = {
        "type": "bar",
        "x": result.levels["level"].to_numpy(),
        "y": budget,
        "marker": {"color": [hue if number == level else GUIDE for number in result.levels["level"]]},
        "customdata": result.levels[["noise scale (people)", "cells looked at"]].to_numpy(),
        "hovertemplate": "level %{x}: ε = %{y:.3f}, noise scale %{customdata[0]:.2f} people, "
        "%{customdata[1]:,.0f} cells<extra></extra>",
    }
    return new_figure(
        f"The levels spend ε = {budget.sum():.4g} together, most of it on small cells",
        TITLE_HEIGHT + 240,
        [bars],
        xaxis={"title": {"text": "level (number of halvings)"}, "dtick": 2},
        yaxis={"title": {"text": "ε of the level"}},
        showlegend=False,
    )


def points_figure(result: Inside, dark: bool = False) -> go.Figure:
    """The private points, at most 5,000 of them."""
    points = result.points[:5000]
    marks = {
        "type": "scattergl",
        "mode": "markers",
        "x": points[:, 0],
        "y": points[:, 1],
        "marker": {"size": 3, "opacity": 0.5, "color": colour("coreset", dark)},
        "hoverinfo": "skip",
    }
    bound = "" if result.error_bound is None else f", W₁ error at most {result.error_bound:.2g} on average"
    return new_figure(
        f"The private copy: {len(points):,} of {len(result.points):,} points{bound}" + simulated(result.ground),
        TITLE_HEIGHT + 240,
        [ground_traces(result.ground)[1], marks],
        showlegend=False,
        **map_axes(result.ground, []),
    )


def _numbers(x: Any, y: Any, table: Any) -> dict[str, Any]:
    across, up = np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
    seen = np.isfinite(table)
    place = {"type": "scatter", "mode": "text", "x": across[seen], "y": up[seen], "hoverinfo": "skip"}
    font = {"size": 11 if table.size <= 16 else 9, "color": "#FFFFFF"}
    return {**place, "text": [f"{value:,.0f}" for value in table[seen]], "textfont": font}
