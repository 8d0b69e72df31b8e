from __future__ import annotations

from typing import Any

import numpy as np

from dpot_core.checks import Array
from dpot_core.figures.panels import axis
from dpot_core.figures.style import GUIDE, MARKERS, SEQUENTIAL, Figure, colour, new_figure, see_through, simulated
from dpot_core.figures.traces import Trace, heat, line, marks
from dpot_core.studies.sinkhorn.point_grid import PointGrid
from dpot_core.studies.sinkhorn.release.results import Result
from dpot_core.studies.sinkhorn.settings import CLAIMED, ROUTES
from dpot_core.studies.sinkhorn.units import cost_text, hue, in_brackets, number, percent, route

#: Rows with less of the mass than this get no arrow.
_LEAST = 0.002
#: Least mass and width of arrows.
_WIDTHS = ((0.0, 1.0), (0.01, 2.0), (0.03, 3.5))
_PLANE = {"showgrid": False, "constrain": "domain", "nticks": 4}


def plan_figure(result: Result, name: str) -> Figure:
    """One plan: "exact" and "entropic", which nobody may see, "sinkhorn" and "histograms", which are released."""
    grid, config = result.grid, result.config
    if name in ROUTES:
        plan, title = result.plans[name], f"{route(config, name)}: {percent(result.elsewhere[name])} elsewhere"
    else:
        plan = grid.exact_plan if name == "exact" else result.entropic
        label = "Exact" if name == "exact" else f"Entropic, η = {config.eta:g} |c|"
        title = f"{label}, not private: cost {cost_text(result.plan_costs[name], grid)}"
    width, height = grid.pair.extent
    shades = [[0, see_through(GUIDE, 0.0)], [1, see_through(GUIDE, 0.75)]]
    look = {"colorscale": shades, "zmin": 0, "showscale": False}
    second = _heat(grid, plan.sum(axis=0), "second set: %{z:.2%} of the mass", **look)
    return new_figure(
        title + simulated(grid.pair.simulated),
        300,
        [second, *_arrows(grid, plan, colour(hue(config, name)))],
        showlegend=False,
        xaxis={**_axis("x", grid), "zeroline": False, "constraintoward": "center", "range": [0, width]},
        yaxis={**_axis("y", grid), "zeroline": False, "range": [0, height]},
    )


def _arrows(grid: PointGrid, plan: Array, hue: str) -> list[Trace]:
    points, rows = grid.space.points, plan.sum(axis=1)
    cells = np.flatnonzero(rows > _LEAST)
    targets = plan[cells] @ points / rows[cells, None]
    classes = np.digitize(rows[cells], [least for least, _ in _WIDTHS[1:]])
    traces = []
    for level, (_, width) in enumerate(_WIDTHS):
        chosen = classes == level
        count = int(chosen.sum())
        # Start, end, and a gap.
        path = np.full((count, 3, 2), np.nan)
        path[:, 0], path[:, 1] = points[cells[chosen]], targets[chosen]
        x, y = path.reshape(-1, 2).T
        heads = {"symbol": "arrow", "angleref": "previous", "size": np.tile([0, 7 + 2 * level, 0], count)}
        marker = {**heads, "color": hue, "line": {"width": 0}}
        text = np.repeat([f"{mass:.2%} of the mass" for mass in rows[cells[chosen]]], 3)
        look: dict[str, Any] = {"mode": "lines+markers", "marker": marker, "text": text, "hover": "%{text}"}
        traces.append(line(x, y, colour=hue, width=width, **look))
    return traces


def potential_map(result: Result, name: str) -> Figure:
    """The potential of the first set on the grid: "true" (not released), "sinkhorn" or "histograms"; one scale."""
    grid, potentials = result.grid, result.grid_potentials
    low, high = float(potentials["true"].min()), float(potentials["true"].max())
    margin = 0.25 * (high - low) or 1.0
    bar = {"title": {"text": f"φ{in_brackets(grid.cost_unit)}"}, "thickness": 10}
    scale = {"colorscale": SEQUENTIAL, "zmin": low - margin, "zmax": high + margin, "colorbar": bar}
    if name == "true":
        title = "Without noise, not private: this one is not released"
    else:
        title = f"{route(result.config, name)}: off by {percent(result.potential_errors[name])} of its spread"
    return new_figure(
        title + simulated(grid.pair.simulated),
        330,
        [_heat(grid, potentials[name], "φ = %{z:.3g}", **scale)],
        xaxis=_axis("x", grid),
        yaxis=_axis("y", grid),
    )


def _heat(grid: PointGrid, values: Array, hover: str, **look: Any) -> Trace:
    side = grid.data.cells
    where = grid.space.points.reshape(side, side, 2)
    return heat(where[0, :, 0], where[:, 0, 1], values.reshape(side, side), hover=hover, **look)


def _axis(name: str, grid: PointGrid) -> dict[str, Any]:
    """An axis of the plane; both have one scale."""
    together = {"scaleanchor": "x", "constraintoward": "top"} if name == "y" else {}
    return axis(f"{name}{in_brackets(grid.pair.unit)}", **_PLANE, **together)


def potential_noise(result: Result) -> Figure:
    """Each cell's potential against the one without noise; bars show the noise that was added."""
    grid, config, potentials = result.grid, result.config, result.grid_potentials
    claimed = config.guarantee in CLAIMED
    scale, largest = (grid.sample_bound, grid.sample_bound) if claimed else (1.0, grid.largest)
    noise = float(result.released.trace.phi_noise[-1]) * scale
    present = grid.weights[0] > 0
    true = potentials["true"][present]
    data: list[Trace] = []
    for name in ROUTES:
        thing = hue(config, name)
        look: dict[str, Any] = {"color": colour(thing), "symbol": MARKERS[thing], "size": 8}
        hover = "without noise %{x:.3g}, released %{y:.3g}"
        trace = marks(true, potentials[name][present], route(config, name), hover=hover, **look)
        if name == "sinkhorn":
            bars = np.full(int(present.sum()), noise)
            trace["error_y"] = {"array": bars, "color": colour(thing), "thickness": 1, "width": 0}
        data.append(trace)
    ends = [float(true.min()), float(true.max())]
    unit = in_brackets(grid.cost_unit)
    return new_figure(
        f"Noise on each entry: standard deviation {number(noise)}{unit}, "
        f"{number(noise / largest)} of the largest cost{simulated(grid.pair.simulated)}",
        400,
        [*data, line(ends, ends, "no error", colour=GUIDE, dash="dash", width=1.5)],
        xaxis=axis(f"φ without noise, not private{unit}"),
        yaxis=axis(f"φ released{unit}; bars: ± 1 s.d. of the noise"),
    )
