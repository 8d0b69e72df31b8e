"""Figures of the ring page."""

from dpot_core.figures.ring.base_measure import base_figure
from dpot_core.figures.ring.convergence import convergence_figure
from dpot_core.figures.ring.miniature import miniature_figure
from dpot_core.figures.ring.outputs import outputs_figure
from dpot_core.figures.ring.plan import plan_figure
from dpot_core.figures.ring.worst_case import divergences_figure, worst_case_figure

__all__ = [
    "base_figure",
    "convergence_figure",
    "divergences_figure",
    "miniature_figure",
    "outputs_figure",
    "plan_figure",
    "worst_case_figure",
]
