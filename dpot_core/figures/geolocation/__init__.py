"""Figures of the geolocation page."""

from dpot_core.figures.geolocation.crowd import crowd_curve_figure, crowd_estimate_maps, crowd_maps, crowd_truth_maps
from dpot_core.figures.geolocation.one_person import output_maps, truth_maps
from dpot_core.figures.geolocation.worst_case import worst_case_figure, worst_cells_figure

__all__ = [
    "crowd_curve_figure",
    "crowd_estimate_maps",
    "crowd_maps",
    "crowd_truth_maps",
    "output_maps",
    "truth_maps",
    "worst_case_figure",
    "worst_cells_figure",
]
