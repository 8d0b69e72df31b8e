"""Figures of the page US population."""

from dpot_core.figures.population.maps import release_map
from dpot_core.figures.population.tables import cost_rows

__all__ = ["cost_rows", "release_map"]
