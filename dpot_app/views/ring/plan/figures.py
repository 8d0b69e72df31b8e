import numpy as np
from plotly.colors import sample_colorscale

from dpot_app.figures.panels import axis
from dpot_app.figures.style import GUIDE, Figure, new_figure
from dpot_app.figures.traces import Trace, heat, line
from dpot_app.views.ring.plan.results import Plan
from dpot_core.privacy.numerals import percent, percent_at_least

# By the square root of the mass, from a shade on that is seen on a dark ground: most cells have little of the largest.
_ROOTS = np.linspace(0.0, 1.0, 21)
_SHADES = [list(pair) for pair in zip(_ROOTS**2, sample_colorscale("Viridis", 0.3 + 0.7 * _ROOTS), strict=True)]


def plan_figure(plan: Plan) -> Figure:
    """Heat map: rows are input points, columns output points; no mass, no colour. A line: what stays where it is."""
    # No cell has more than its row, whatever epsilon is.
    look: Trace = {"colorscale": _SHADES, "zmin": 0, "zmax": float(plan.mu.max())}
    look |= {"colorbar": {"title": {"text": "mass"}, "thickness": 12}}
    points, ends = np.arange(plan.ring.k), [0, plan.ring.k - 1]
    # Every point has a column, so that all cells are of one size; those that are no output stay empty.
    masses = np.full((points.size, points.size), np.nan)
    masses[:, plan.targets] = np.where(plan.plan > 0, plan.plan, np.nan)
    return new_figure(
        title(plan),
        480,
        [
            heat(points, points, masses, hover="from %{y} to %{x}: %{z:.3~g}", **look),
            line(ends, ends, colour=GUIDE, dash="dot", width=1),
        ],
        xaxis=axis("to output point", range=[-0.5, points.size - 0.5], showgrid=False),
        yaxis=axis("from input point", range=[points.size - 0.5, -0.5], showgrid=False),
    )


def title(plan: Plan) -> str:
    """The share that exact WPM moves, whatever λ: the nearest output may move more mass, less far, than another."""
    moved = percent(plan.moved if plan.moved > 1e-9 else 0.0)
    rest = f"any output within its bounds moves at least {percent_at_least(plan.needed)}"
    if plan.moved - plan.needed <= 1e-9:
        rest = "no output within its bounds moves less"
    return f"Exact WPM moves {moved} of the mass; {rest}"
