"""Figures of the page about what epsilon means."""

from dpot_core.figures.meaning.people import beliefs_figure, deniability_figure
from dpot_core.figures.meaning.releases import distance_figure, releases_figure, rounds_figure
from dpot_core.figures.meaning.words import odds, of_people, share

__all__ = [
    "beliefs_figure",
    "deniability_figure",
    "distance_figure",
    "odds",
    "of_people",
    "releases_figure",
    "rounds_figure",
    "share",
]
