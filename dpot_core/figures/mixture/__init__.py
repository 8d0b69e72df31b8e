"""Figures of the mixture page."""

from dpot_core.figures.mixture.line import line_figure
from dpot_core.figures.mixture.plane import difference_figure, plane_figure
from dpot_core.figures.mixture.sphere import against_epsilon_figure, caps_figure, picture_figure
from dpot_core.figures.mixture.worst_case import many_figure, worst_case_figure

__all__ = [
    "against_epsilon_figure",
    "caps_figure",
    "difference_figure",
    "line_figure",
    "many_figure",
    "picture_figure",
    "plane_figure",
    "worst_case_figure",
]
