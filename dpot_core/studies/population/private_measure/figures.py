"""The private measure level by level: counts of cells, and what each level spends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.population import COUNTS, Inside
from dpot_core.figures.population.maps import ground_traces, map_axes
from dpot_core.figures.population.words import unit
from dpot_core.figures.style import GUIDE, SEQUENTIAL, TITLE_HEIGHT, colour, new_figure, simulated


def level_figure(result: Inside, level: int, count: str) -> go.Figure:
    """Counts of the cells of one level; the three kinds of counts share their scale.

    Args:
        result: what to draw.
        level: number of the level; the deepest that is drawn where there are fewer.
        count: a key of `COUNTS`.
    """
    shown = result.maps[min(level, len(result.maps) - 1)]
    table = shown.counts[count]
    top = float(max(1.0, *(np.nanmax(one) for one in shown.counts.values())))
    ticks = [value for value in (0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000) if value <= top]
    words = {"text": "people in a cell", "side": "bottom"}
    bar: dict[str, Any] = {"orientation": "h", "y": -0.34, "yanchor": "top", "thickness": 10, "title": words}
    bar |= {"tickvals": [math.log10(value + 1) for value in ticks], "ticktext": [f"{value:,}" for value in ticks]}
    heat = {
        "type": "heatmap",
        "x": shown.x,
        "y": shown.y,
        # The logarithm keeps small and large counts visible; negative ones are drawn as 0.
        "z": np.log10(np.maximum(table, 0.0) + 1.0),
        "customdata": table,
        "colorscale": SEQUENTIAL,
        "zmin": 0.0,
        "zmax": math.log10(top + 1.0),
        "colorbar": bar,
        "hoverongaps": False,
        "hovertemplate": "%{customdata:,.0f} people<extra></extra>",
    }
    data = [heat, ground_traces(result.ground)[1]]
    if table.size <= 64:
        data.append(_numbers(shown.x, shown.y, table, top))
    frame = map_axes(result.ground, [])
    for axis in frame.values():
        axis.pop("title")
    return new_figure(
        COUNTS[count] + simulated(result.ground.simulated),
        TITLE_HEIGHT + 270,
        data,
        showlegend=False,
        margin={"t": TITLE_HEIGHT + 4, "l": 8, "r": 8, "b": 84},
        **frame,
    )


def level_words(result: Inside, level: int) -> str:
    """What happens on a level, in words."""
    row = result.levels.iloc[min(level, result.depth)]
    head = f"Level {row['level']:.0f} of {result.depth}: "
    if row["noise scale (people)"] > 0:
        return head + f"noise of about ±{row['noise scale (people)']:.0f} people in each cell"
    return head + "the number of people is public, so nothing is added"


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
    bound = ""
    if result.error_bound is not None:
        bound = f", W₁ error at most {result.error_bound:.2g} {unit(result.ground.geographic)} on average"
    return new_figure(
        f"The private copy: {len(points):,} of {len(result.points):,} points{bound}"
        + simulated(result.ground.simulated),
        TITLE_HEIGHT + 240,
        [ground_traces(result.ground)[1], marks],
        showlegend=False,
        **map_axes(result.ground, []),
    )


def _numbers(x: Any, y: Any, table: Any, top: float) -> dict[str, Any]:
    across, up = np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
    seen = np.isfinite(table)
    place = {"type": "scatter", "mode": "text", "x": across[seen], "y": up[seen], "hoverinfo": "skip"}
    # The upper part of the scale is light.
    light = np.log10(np.maximum(table[seen], 0.0) + 1.0) > 0.55 * np.log10(top + 1.0)
    font = {"size": 12 if table.size <= 16 else 10, "color": ["#111111" if high else "#FFFFFF" for high in light]}
    return {**place, "text": [f"{value:,.0f}" for value in table[seen]], "textfont": font}
