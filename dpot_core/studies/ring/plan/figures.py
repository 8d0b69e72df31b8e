"""The transport plan as a picture of mass by origin and destination."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpot_core.figures.style import SEQUENTIAL, new_figure
from dpot_core.studies.ring.plan.results import Plan


def plan_figure(plan: Plan) -> go.Figure:
    """Heat map: rows are input points, columns output points; no mass, no colour."""
    heat = {
        "type": "heatmap",
        "x": plan.targets,
        "y": np.arange(plan.ring.k),
        "z": np.where(plan.plan > 0, plan.plan, np.nan),
        "colorscale": SEQUENTIAL,
        "zmin": 0,
        "colorbar": {"title": {"text": "mass"}, "thickness": 12},
        "hovertemplate": "from %{y} to %{x}: %{z:.3g}<extra></extra>",
    }
    return new_figure(
        f"{100 * plan.moved:.3g} % of the mass has to move to satisfy the guarantee",
        480,
        [heat],
        xaxis={"title": {"text": "to output point"}, "showgrid": False},
        yaxis={"title": {"text": "from input point"}, "autorange": "reversed", "showgrid": False},
    )
