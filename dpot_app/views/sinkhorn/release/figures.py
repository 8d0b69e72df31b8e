from typing import Any

import numpy as np

from dpot_app.figures.panels import axis, ticks
from dpot_app.figures.style import (
    GUIDE,
    MARKERS,
    SEQUENTIAL,
    TITLE_HEIGHT,
    Figure,
    colour,
    new_figure,
    plain,
    see_through,
    simulated,
)
from dpot_app.figures.traces import Trace, heat, line, marks
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.release.results import Result
from dpot_app.views.sinkhorn.settings import CLAIMED, ROUTES
from dpot_app.views.sinkhorn.units import COLOUR, SETS, cost_text, hue, in_brackets, number, percent, route
from dpot_core.arguments import Array

#: Rows with less of the mass than this get no arrow.
_LEAST = 0.002
#: Least mass and width of arrows.
_WIDTHS = ((0.0, 1.0), (0.01, 2.0), (0.03, 3.5))
_PLANE = {"showgrid": False, "constrain": "domain", "nticks": 4}


def plan_figure(result: Result, name: str) -> Figure:
    """One plan: "exact" and "entropic", which stay private, "sinkhorn" and "histograms", which are released."""
    grid, config = result.grid, result.config
    if name in ROUTES:
        plan, title = (
            result.plans[name],
            f"{route(config, name)}: {percent(result.elsewhere[name])} differs from entropic",
        )
    else:
        plan = result.plan(name)
        label = "Exact" if name == "exact" else f"Entropic, η = {config.eta:g} |c|"
        title = f"{label}, not private: cost {cost_text(result.plan_costs[name], grid)}"
    width, height = grid.pair.extent
    shades = [[0, see_through(GUIDE, 0.0)], [1, see_through(GUIDE, 0.75)]]
    # One scale for all plans, at every epsilon.
    look = {"colorscale": shades, "zmin": 0, "zmax": float(grid.weights[1].max()), "showscale": False}
    second = _heat(grid, plan.sum(axis=0), "second set: %{z:.3~p} of the mass", **look)
    return new_figure(
        title + simulated(grid.pair.simulated),
        300,
        [second, *_arrows(grid, plan, colour(hue(config, name)))],
        showlegend=False,
        xaxis={**_axis("x", grid), "zeroline": False, "constraintoward": "center", "range": [0, width]},
        yaxis={**_axis("y", grid), "zeroline": False, "range": [0, height]},
    )


def walk_figure(result: Result, name: str) -> Figure:
    """The two data sets of a plan as particles in two colours, and lines along which the browser lets them walk."""
    grid = result.grid
    where = f"; {percent(result.elsewhere[name])} differs from the entropic plan" if name in ROUTES else ""
    cost = f"cost {cost_text(result.plan_costs[name], grid)}{where}"
    starts, ends = result.particles(name)
    ways = np.stack([starts, ends, np.full_like(starts, np.nan)], axis=1).reshape(-1, 2)
    (first, round_), (second, square) = SETS
    words, calm = ["Move the mass", "Stop"], ["Move the mass", "Move it back"]
    meta = {"particles": "walk", "words": words, "still": calm, "colours": [first, second]}
    walking = marks(*starts.T, color=first, symbol=round_, size=6) | {"type": "scattergl", "customdata": ends}
    wide, high = grid.pair.extent
    room = 0.1 * high
    # Pixels of height over those of width, beside the 60 and 65 that numbers and names of the axes take.
    ratio = (high + 2 * room) / (1.04 * wide)
    axes = [_axis(letter, grid) | {"zeroline": False, "showgrid": False, "nticks": 3} for letter in "xy"]
    return new_figure(
        f"{_plan_name(result, name)}: {cost}{simulated(grid.pair.simulated)}",
        TITLE_HEIGHT + 500,
        [
            line(*ways.T, colour=see_through(GUIDE, 0.3), width=0.8),
            marks(*ends.T, color=second, symbol=square, size=5) | {"type": "scattergl"},
            walking | {"meta": meta},
            # Beside neither cloud: one name below them, one above.
            _set_name(grid, 0, float(starts[:, 0].mean()), -room / 2),
            # To the left of the button.
            _set_name(grid, 1, min(float(ends[:, 0].mean()), 0.6 * wide), high + room / 2),
        ],
        showlegend=False,
        xaxis=axes[0] | {"range": [-0.02 * wide, 1.02 * wide]},
        yaxis=axes[1] | {"range": [-room, high + room]},
        meta={"fit": [ratio, 65 - 60 * ratio]},
    )


def _set_name(grid: PointGrid, which: int, x: float, y: float) -> Trace:
    """The name of a data set beside a mark in its colour."""
    (shade, symbol), side = SETS[which], "right" if x < 0.35 * grid.pair.extent[0] else "left"
    mark = marks([x], [y], mode="markers+text", color=shade, symbol=symbol, size=9)
    text = {"text": [plain(grid.pair.names[which])], "textposition": f"middle {side}", "textfont": {"size": 13}}
    return mark | text | {"cliponaxis": False}


def _plan_name(result: Result, name: str) -> str:
    if name in ROUTES:
        return f"Plan by {route(result.config, name)}"
    return (
        "Exact plan, not private" if name == "exact" else f"Entropic plan, η = {result.config.eta:g} |c|, not private"
    )


def shares_figure(result: Result) -> Figure:
    """The cost of the private plans in parts: the exact cost, what regularisation adds to it, and what privacy does."""
    grid, costs = result.grid, result.plan_costs
    names, bars = [*ROUTES], []
    end = 1.3 * max(result.independent, costs["entropic"])
    starts = {"exact": 0.0, "regularisation": costs["exact"], "privacy": costs["entropic"]}
    # Thinner and thinner, so that colour alone does not tell them apart.
    looks = {"exact": ("exact", 26), "regularisation": ("entropic", 18), "privacy": ("", 10)}
    for part, (thing, width) in looks.items():
        for row, name in enumerate(names):
            length = costs["exact"] if part == "exact" else result.shares(name)[part == "privacy"]
            along = np.linspace(starts[part], min(max(starts[part] + length, 0.0), end), 9)
            shade = colour(COLOUR[thing] if thing else hue(result.config, name))
            bar = line(along, np.full(9, row), PARTS[part], colour=shade, width=width, hover="%{customdata}")
            said = f"{number(length)} {grid.cost_unit}".rstrip()
            bars.append(bar | {"customdata": [said] * 9, "legendgroup": part, "showlegend": row == 0})
    added, private = result.shares("sinkhorn")
    more, least = (f"{'+' if value >= 0 else '−'}{cost_text(abs(value), grid)}" for value in (added, private))
    exact = cost_text(costs["exact"], grid)
    return new_figure(
        f"Cost of Noisy Sinkhorn's plan: {exact} exact, {more} by regularisation, {least} by privacy; "
        + f"{percent(result.elsewhere['sinkhorn'])} differs from the entropic plan"
        + simulated(grid.pair.simulated),
        230,
        bars,
        xaxis=axis(f"cost{in_brackets(grid.cost_unit)}", range=[0, end]),
        yaxis={"range": [len(names) - 0.4, -0.6], "showgrid": False, "zeroline": False}
        | ticks({row: route(result.config, name) for row, name in enumerate(names)}),
    )


#: The parts of a private plan's cost, in words.
PARTS = {"exact": "exact", "regularisation": "regularisation adds", "privacy": "privacy changes"}


def _arrows(grid: PointGrid, plan: Array, hue: str) -> list[Trace]:
    """An arrow for every cell with some mass; the others have gaps, so that each cell's keeps its place in the list."""
    points, rows = grid.space.points, plan.sum(axis=1)
    there = rows > _LEAST
    with np.errstate(invalid="ignore", divide="ignore"):
        targets = plan @ points / rows[:, None]
    classes = np.digitize(rows, [least for least, _ in _WIDTHS[1:]])
    traces = []
    for level, (_, width) in enumerate(_WIDTHS):
        chosen = there & (classes == level)
        # Start, end, and a gap.
        path = np.full((len(rows), 3, 2), np.nan)
        path[chosen, 0], path[chosen, 1] = points[chosen], targets[chosen]
        x, y = path.reshape(-1, 2).T
        heads = {"symbol": "arrow", "angleref": "previous", "size": np.tile([0, 7 + 2 * level, 0], len(rows))}
        marker = {**heads, "color": hue, "line": {"width": 0}}
        look: dict[str, Any] = {"mode": "lines+markers", "marker": marker, "customdata": np.repeat(rows, 3)}
        traces.append(line(x, y, colour=hue, width=width, hover="%{customdata:.3~p} of the mass", **look))
    return traces


def potential_map(result: Result, name: str) -> Figure:
    """The potential of the first set on the grid: "true" (not released), "sinkhorn" or "histograms"; one scale."""
    grid, potentials = result.grid, result.grid_potentials
    low, high = _ends(potentials["true"], 0.25)
    bar = {"title": {"text": f"φ{in_brackets(grid.cost_unit)}"}, "thickness": 10}
    scale = {"colorscale": SEQUENTIAL, "zmin": low, "zmax": high, "colorbar": bar}
    if name == "true":
        title = "Without noise, not private: this one is not released"
    else:
        title = f"{route(result.config, name)}: off by {percent(result.potential_errors[name])} of its spread"
    return new_figure(
        title + simulated(grid.pair.simulated),
        330,
        [_heat(grid, potentials[name], "φ = %{z:.3~g}", **scale)],
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
    low, high = _ends(true, 0.5)
    data: list[Trace] = []
    for name in ROUTES:
        thing = hue(config, name)
        look: dict[str, Any] = {"color": colour(thing), "symbol": MARKERS[thing], "size": 8}
        hover = "without noise %{x:.3~g}, released %{customdata:.3~g}"
        released = potentials[name][present]
        shown = np.clip(released, low, high)
        if name == "sinkhorn":
            ends = np.clip([shown - noise, shown + noise], low, high)
            data.append(_bars(true, ends, colour(thing)))
        data.append(marks(true, shown, route(config, name), hover=hover, **look) | {"customdata": released})
    diagonal = [float(true.min()), float(true.max())]
    unit = in_brackets(grid.cost_unit)
    return new_figure(
        f"Noise on each potential φ: standard deviation {cost_text(noise, grid)}, "
        f"{number(noise / largest)} times the largest cost{simulated(grid.pair.simulated)}",
        400,
        [*data, line(diagonal, diagonal, "no error", colour=GUIDE, dash="dash", width=1.5)],
        xaxis=axis(f"φ without noise, not private{unit}", range=list(_ends(true, 0.05))),
        yaxis=axis(f"φ released{unit}; bars: ± 1 s.d. of the noise", range=list(_ends(true, 0.55))),
    )


def _ends(values: Array, margin: float) -> tuple[float, float]:
    """Where a scale begins and ends: around what has no noise, so that it is the same at every epsilon."""
    low, high = float(values.min()), float(values.max())
    room = margin * (high - low) or 1.0
    return low - room, high + room


def _bars(x: Array, ends: Array, colour: str) -> Trace:
    """Upright lines between two ends (2, k), one at each x, with gaps between them."""
    gap = np.full(len(x), np.nan)
    return line(np.stack([x, x, gap], axis=1).ravel(), np.stack([*ends, gap], axis=1).ravel(), colour=colour, width=1)
