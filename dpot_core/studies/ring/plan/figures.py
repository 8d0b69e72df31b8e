import numpy as np

from dpot_core.figures.panels import axis
from dpot_core.figures.style import SEQUENTIAL, Figure, new_figure
from dpot_core.figures.traces import Trace, heat
from dpot_core.numerals import percent
from dpot_core.studies.ring.plan.results import Plan


def plan_figure(plan: Plan) -> Figure:
    """Heat map: rows are input points, columns output points; no mass, no colour."""
    # No cell has more than its row, whatever epsilon is.
    look: Trace = {"colorscale": SEQUENTIAL, "zmin": 0, "zmax": float(plan.mu.max())}
    look |= {"colorbar": {"title": {"text": "mass"}, "thickness": 12}}
    masses = np.where(plan.plan > 0, plan.plan, np.nan)
    return new_figure(
        f"{percent(plan.moved)} of the mass has to move to satisfy the guarantee",
        480,
        [heat(plan.targets, np.arange(plan.ring.k), masses, hover="from %{y} to %{x}: %{z:.3~g}", **look)],
        xaxis=axis("to output point", showgrid=False),
        yaxis=axis("from input point", autorange="reversed", showgrid=False),
    )
