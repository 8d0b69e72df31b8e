"""Maps on plain kilometre axes: cells as coloured squares, side by side on one scale. No tiles, no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dpot_core.checks import Array
from dpot_core.experiments.geolocation import City
from dpot_core.figures.style import DIVERGING, SEQUENTIAL, TEMPLATE, plain

#: Probabilities at which the colour bar may have a mark, percent.
_MARKS = (0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 40, 60, 100)


@dataclass(frozen=True)
class Panel:
    """One map.

    Attributes:
        title: above the map.
        values: one for each cell (k,).
        difference: whether values are differences, drawn on the diverging scale.
    """

    title: str
    values: Array
    difference: bool = False


def maps(city: City, panels: Sequence[Panel], columns: int, title: str, row_height: int = 270) -> go.Figure:
    """Maps side by side.

    Colour is proportional to the square root of the probability, so that small masses stay visible beside large
    ones; the colour bars are marked with the probabilities themselves.

    Args:
        city: gives cells and lines.
        panels: what to draw, row by row.
        columns: maps in a row.
        title: of the figure.
        row_height: pixels.
    """
    rows = -(-len(panels) // columns)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=[plain(panel.title) for panel in panels],
        horizontal_spacing=0.02,
        vertical_spacing=26 / (rows * row_height),
    )
    densities = [panel.values.max() for panel in panels if not panel.difference]
    changes = [np.abs(panel.values).max() for panel in panels if panel.difference]
    for place, panel in enumerate(panels):
        where = {"row": place // columns + 1, "col": place % columns + 1}
        figure.add_heatmap(**_cells(city, panel), **where)
        for line in _lines(city):
            figure.add_scatter(**line, **where)
    figure.update_layout(
        template=TEMPLATE,
        height=row_height * rows + 90,
        title_text=plain(title),
        showlegend=False,
        margin={"t": 76, "r": 8},
    )
    if densities:
        figure.update_layout(coloraxis=_density_scale(max(densities), both=bool(changes)))
    if changes:
        figure.update_layout(coloraxis2=_difference_scale(max(changes), both=bool(densities)))
    figure.update_annotations(font_size=14)
    grid = city.grid
    figure.update_xaxes(range=[0, grid.width], constrain="domain", showgrid=False, zeroline=False, nticks=5)
    figure.update_yaxes(range=[0, grid.height], constrain="domain", showgrid=False, zeroline=False, nticks=5)
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    figure.update_xaxes(title_text="km east", row=rows)
    figure.update_yaxes(title_text="km north", col=1)
    return figure


def _cells(city: City, panel: Panel) -> dict[str, object]:
    n = city.grid.n
    table = panel.values.reshape(n, n)
    points = city.grid.space.points
    size = "%{customdata:+.2%}" if panel.difference else "%{customdata:.2%}"
    return {
        "x": points[:n, 0],
        "y": points[::n, 1],
        "z": np.sign(table) * np.sqrt(np.abs(table)),
        "customdata": table,
        "coloraxis": "coloraxis2" if panel.difference else "coloraxis",
        "hovertemplate": f"%{{x:.1f}} km east, %{{y:.1f}} km north: {size}<extra></extra>",
    }


def _lines(city: City) -> list[dict[str, object]]:
    """Rivers and roads of the data, so that one finds one's way."""
    lines = []
    for name, lonlat in city.check_ins.outlines:
        km = city.grid.to_km(lonlat[:, 1], lonlat[:, 0])
        lines.append(
            {
                "x": km[:, 0],
                "y": km[:, 1],
                "mode": "lines",
                "name": plain(name),
                "line": {"color": "rgba(160,170,180,0.75)", "width": 1.2},
                "hoverinfo": "skip",
            }
        )
    return lines


def _density_scale(top: float, both: bool) -> dict[str, object]:
    marks = [mark / 100 for mark in _MARKS if mark / 100 <= top][-5:]
    return {
        "colorscale": SEQUENTIAL,
        "cmin": 0.0,
        "cmax": float(np.sqrt(top)),
        "colorbar": {
            "title": {"text": "probability"},
            "tickvals": [0.0, *np.sqrt(marks)],
            "ticktext": ["0", *(f"{mark:.2g}" if mark < 0.01 else f"{mark:.0%}" for mark in marks)],
            **_bar_place(0, both),
        },
    }


def _difference_scale(top: float, both: bool) -> dict[str, object]:
    marks = [mark / 100 for mark in _MARKS if mark / 100 <= top][-2:]
    ticks = [*(-mark for mark in reversed(marks)), 0.0, *marks]
    return {
        "colorscale": DIVERGING,
        "reversescale": True,
        "cmin": -float(np.sqrt(top)),
        "cmax": float(np.sqrt(top)),
        "colorbar": {
            "title": {"text": "change"},
            "tickvals": [float(np.sign(tick) * np.sqrt(abs(tick))) for tick in ticks],
            "ticktext": [f"{tick:+.0%}" if tick else "0" for tick in ticks],
            **_bar_place(1, both),
        },
    }


def _bar_place(place: int, both: bool) -> dict[str, object]:
    half = {"len": 0.47, "y": 0.75 - 0.5 * place} if both else {"len": 0.9, "y": 0.5}
    return {"thickness": 10, "outlinewidth": 0, "tickfont": {"size": 11}, **half}
