"""Lessons: the formulas of each page with their places in the papers, and two exercises with answers."""

from pages._teaching.lessons import Exercise, Formula, Lesson
from pages._teaching.table import LESSONS

__all__ = ["LESSONS", "Exercise", "Formula", "Lesson"]
