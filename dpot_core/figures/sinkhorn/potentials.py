"""Potentials on the grid and against the truth, with the noise that was added."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.sinkhorn import CLAIMED, ROUTES, Result
from dpot_core.experiments.sinkhorn.advice import number, percent
from dpot_core.figures.sinkhorn.words import axis, hue, route
from dpot_core.figures.style import GUIDE, MARKERS, SEQUENTIAL, colour, new_figure, simulated


def potential_map(result: Result, name: str) -> go.Figure:
    """The potential of the first set on the grid: "true" (not released), "sinkhorn" or "histograms"; one scale for all.

    Args:
        result: the release on screen.
        name: of the potential.
    """
    ground, found = result.ground, result.grid_potentials
    side = ground.data.cells
    where = ground.space.points.reshape(side, side, 2)
    low, high = float(found["true"].min()), float(found["true"].max())
    margin = 0.25 * (high - low) or 1.0
    unit = f" ({ground.cost_unit})" if ground.cost_unit else ""
    heat = {
        "type": "heatmap",
        "x": where[0, :, 0],
        "y": where[:, 0, 1],
        "z": found[name].reshape(side, side),
        "colorscale": SEQUENTIAL,
        "zmin": low - margin,
        "zmax": high + margin,
        "colorbar": {"title": {"text": f"φ{unit}"}, "thickness": 10},
        "hovertemplate": "φ = %{z:.3g}<extra></extra>",
    }
    if name == "true":
        title = "Without noise, not private: this one is not released"
    else:
        title = f"{route(result, name)}: off by {percent(result.potential_errors[name])} of its spread"
    common = {"showgrid": False, "constrain": "domain", "nticks": 4}
    return new_figure(
        title + simulated(ground.simulated),
        330,
        [heat],
        xaxis={**common, "title": {"text": axis("x", ground)}},
        yaxis={**common, "title": {"text": axis("y", ground)}, "scaleanchor": "x", "constraintoward": "top"},
    )


def potential_noise(result: Result, dark: bool = False) -> go.Figure:
    """Each cell's potential against the one without noise; bars show the noise that was added.

    Args:
        result: the release on screen.
        dark: whether the ground is dark.
    """
    ground, found = result.ground, result.grid_potentials
    paper = result.config.guarantee in CLAIMED
    scale, largest = (ground.sample_bound, ground.sample_bound) if paper else (1.0, ground.largest)
    noise = float(result.released.trace.phi_noise[-1]) * scale
    present = ground.weights[0] > 0
    data: list[dict[str, Any]] = []
    for name in ROUTES:
        key = hue(result, name)
        shade = colour(key, dark)
        trace = {
            "type": "scatter",
            "mode": "markers",
            "x": found["true"][present],
            "y": found[name][present],
            "name": route(result, name),
            "marker": {"color": shade, "symbol": MARKERS[key], "size": 8},
            "hovertemplate": "without noise %{x:.3g}, released %{y:.3g}<extra>%{fullData.name}</extra>",
        }
        if name == "sinkhorn":
            bars = np.full(int(present.sum()), noise)
            trace["error_y"] = {"array": bars, "color": shade, "thickness": 1, "width": 0}
        data.append(trace)
    ends = [float(found["true"][present].min()), float(found["true"][present].max())]
    line = {"width": 1.5, "color": GUIDE, "dash": "dash"}
    data.append({"type": "scatter", "mode": "lines", "x": ends, "y": ends, "name": "no error", "line": line})
    unit = f" ({ground.cost_unit})" if ground.cost_unit else ""
    return new_figure(
        f"Noise on each entry: standard deviation {number(noise)}{unit}, "
        f"{number(noise / largest)} of the largest cost{simulated(ground.simulated)}",
        400,
        data,
        xaxis={"title": {"text": f"φ without noise, not private{unit}"}},
        yaxis={"title": {"text": f"φ released{unit}; bars: ± 1 s.d. of the noise"}},
    )
