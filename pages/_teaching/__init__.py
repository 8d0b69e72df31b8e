"""Lessons: the formulas of each page with their places in the papers, and two exercises with answers."""

from dpot_core.studies._kit.lesson import Exercise, Formula, Lesson
from pages._teaching.table import LESSONS

__all__ = ["LESSONS", "Exercise", "Formula", "Lesson"]
