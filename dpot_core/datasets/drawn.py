"""A drawing by hand, of a person or of public weights: weights on places of a map, as text for every grid."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from dpot_core.arguments import Array
from dpot_core.datasets.city_grid import CityGrid

#: Places that one drawing may have.
MAX_PLACES = 2000

#: What a drawing begins with: a person who was only ever in the middle.
START = "0.5 0.5 1"


def read_drawing(text: str) -> tuple[tuple[float, float, float], ...]:
    """(east, north, weight) of each place, as shares of the map's width and height; entries stand between semicolons.

    Raises:
        ValueError: with a sentence for the screen.

    >>> read_drawing("0.5 0.25 3; 0.1 0.9 1")
    ((0.5, 0.25, 3.0), (0.1, 0.9, 1.0))
    """
    entries = [entry.split() for entry in re.split(r"[;\n]", text) if entry.strip()]
    if not entries:
        raise ValueError("Nothing is drawn yet: give a place as “east north weight”, such as 0.5 0.5 1.")
    if len(entries) > MAX_PLACES:
        raise ValueError(f"{len(entries):,} places are drawn; at most {MAX_PLACES:,} can be used.")
    return tuple(_place(words, number) for number, words in enumerate(entries, start=1))


def checked_drawing(text: str) -> str:
    """The same text, if it can be read; see `read_drawing`."""
    read_drawing(text)
    return text


def _place(words: Sequence[str], number: int) -> tuple[float, float, float]:
    try:
        east, north, weight = (float(word) for word in words)
    except ValueError:
        raise ValueError(f"Place {number} needs three numbers: east, north, weight.") from None
    if not (0 <= east <= 1 and 0 <= north <= 1):
        raise ValueError(f"Place {number} lies off the map: east and north are shares between 0 and 1.")
    if not (0 < weight <= 1e6 and math.isfinite(weight)):
        raise ValueError(f"Place {number} needs a weight above 0, at most 1,000,000.")
    return east, north, weight


def drawn_weights(text: str, grid: CityGrid) -> Array:
    """The weight of each cell, (k,); 0 where nothing is drawn."""
    places = np.array(read_drawing(text))
    column, row = np.minimum((places[:, :2] * grid.n).astype(np.intp), grid.n - 1).T
    return np.asarray(np.bincount(row * grid.n + column, places[:, 2], len(grid)), dtype=np.float64)
