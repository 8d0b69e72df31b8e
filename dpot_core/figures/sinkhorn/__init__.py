"""Figures of the private transport page."""

from dpot_core.figures.sinkhorn.assumptions import counterexample_figure
from dpot_core.figures.sinkhorn.convergence import convergence_figure
from dpot_core.figures.sinkhorn.costs import cost_figure
from dpot_core.figures.sinkhorn.plans import plan_figure
from dpot_core.figures.sinkhorn.potentials import potential_map, potential_noise

__all__ = [
    "convergence_figure",
    "cost_figure",
    "counterexample_figure",
    "plan_figure",
    "potential_map",
    "potential_noise",
]
