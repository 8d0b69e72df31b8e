"""Figures of the page US population."""

from dpot_core.figures.population.curves import curve_figure
from dpot_core.figures.population.inside import budget_figure, level_figure, points_figure
from dpot_core.figures.population.maps import release_map
from dpot_core.figures.population.sensitivity import circle_figure, movement_figure, replaced_map
from dpot_core.figures.population.tables import cost_rows

__all__ = [
    "budget_figure",
    "circle_figure",
    "cost_rows",
    "curve_figure",
    "level_figure",
    "movement_figure",
    "points_figure",
    "release_map",
    "replaced_map",
]
