"""Figures of the metric privacy page."""

from dpot_core.figures.metric.ask import answers_figure, errors_figure, question_map
from dpot_core.figures.metric.protect import protection_figure

__all__ = ["answers_figure", "errors_figure", "protection_figure", "question_map"]
