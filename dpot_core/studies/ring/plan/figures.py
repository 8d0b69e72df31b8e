import numpy as np

from dpot_core.figures.panels import axis
from dpot_core.figures.style import SEQUENTIAL, Figure, new_figure
from dpot_core.figures.traces import Trace, heat
from dpot_core.numerals import percent, percent_at_least
from dpot_core.studies.ring.plan.results import Plan


def plan_figure(plan: Plan) -> Figure:
    """Heat map: rows are input points, columns output points; no mass, no colour."""
    # No cell has more than its row, whatever epsilon is.
    look: Trace = {"colorscale": SEQUENTIAL, "zmin": 0, "zmax": float(plan.mu.max())}
    look |= {"colorbar": {"title": {"text": "mass"}, "thickness": 12}}
    masses = np.where(plan.plan > 0, plan.plan, np.nan)
    return new_figure(
        title(plan),
        480,
        [heat(plan.targets, np.arange(plan.ring.k), masses, hover="from %{y} to %{x}: %{z:.3~g}", **look)],
        xaxis=axis("to output point", showgrid=False),
        yaxis=axis("from input point", autorange="reversed", showgrid=False),
    )


def title(plan: Plan) -> str:
    """What exact WPM moves, whatever λ is: the nearest output may move more mass, less far, than another one."""
    moved = percent(plan.moved if plan.moved > 1e-9 else 0.0)
    if plan.moved - plan.needed <= 1e-9:
        return f"Exact WPM moves {moved} of the mass; no output within the bounds moves less"
    return f"Exact WPM moves {moved} of the mass; at least {percent_at_least(plan.needed)} has to move"
