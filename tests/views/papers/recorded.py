"""Recorded numbers by row and name."""

from __future__ import annotations

from dpot_app.views.papers.index import ROWS, stored


def value(key: str, name: str) -> float:
    """What is recorded under this name for a row."""
    return stored(ROWS[key])[name].value
