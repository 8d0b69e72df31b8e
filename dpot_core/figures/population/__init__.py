"""Figures of the page US population."""

from dpot_core.figures.population.curves import cost_figure, distance_figure
from dpot_core.figures.population.inside import budget_figure, level_figure, level_words, points_figure
from dpot_core.figures.population.maps import release_map
from dpot_core.figures.population.sensitivity import (
    circle_figure,
    circle_moves_figure,
    movement_figure,
    replaced_map,
)
from dpot_core.figures.population.synthetic import DIGIT_PARTS, digit_figure, synthetic_figure
from dpot_core.figures.population.tables import cost_rows

__all__ = [
    "DIGIT_PARTS",
    "budget_figure",
    "circle_figure",
    "circle_moves_figure",
    "cost_figure",
    "cost_rows",
    "digit_figure",
    "distance_figure",
    "level_figure",
    "level_words",
    "movement_figure",
    "points_figure",
    "release_map",
    "replaced_map",
    "synthetic_figure",
]
