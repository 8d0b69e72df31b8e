"""Figures of the movies page."""

from dpot_core.figures.movies.adversary import largest_figure, ratio_figure
from dpot_core.figures.movies.curves import everyone_figure, liked_curve_figure
from dpot_core.figures.movies.film_map import SHOWN, film_map
from dpot_core.figures.movies.tables import list_rows, summary

__all__ = [
    "SHOWN",
    "everyone_figure",
    "film_map",
    "largest_figure",
    "liked_curve_figure",
    "list_rows",
    "ratio_figure",
    "summary",
]
