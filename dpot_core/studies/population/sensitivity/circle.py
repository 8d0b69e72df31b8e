"""Points on a circle: one replaced point turns the whole barycenter, however many chunks there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.studies._kit.cache import cached

#: Points of a chunk, evenly on a circle of diameter 1; even, so that every half-arc is as good as every other.
CORNERS = 16

#: Numbers of chunks that are shown.
CHUNKS = (1, 2, 5, 10, 20, 50, 100, 200)


@dataclass(frozen=True)
class Turn:
    """Two data sets that differ in one point, and their barycenters of two atoms."""

    chunks: int  # k'
    points: Array  # the chunk in which they differ, (2, CORNERS, 2); all others are even
    atoms: Array  # barycenter of all chunks, (2, 2, 2): data set, atom, coordinate
    moved: float  # how far the atom went that moved most; the diameter of the circle is 1
    assumed: float  # the paper's bound on it, 1/(k k')


@dataclass(frozen=True)
class Circle:
    turns: tuple[Turn, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"chunks": t.chunks, "moved (diameters)": t.moved, "assumed bound (diameters)": t.assumed}
            for t in self.turns
        ]
        return {"circle": pd.DataFrame(rows)}


@cached
def circle() -> Circle:
    return Circle(tuple(turn(chunks) for chunks in CHUNKS))


def turn(chunks: int) -> Turn:
    """One point of the first of k' otherwise equal chunks is replaced.

    In both data sets the northern corner of the first chunk lies a little inwards, so that the barycenter has a
    reason, however small, to lie from west to east. In the second one its eastern corner is replaced by the centre,
    which is a stronger reason to lie from south to north.
    """
    angles = 2 * np.pi * np.arange(CORNERS) / CORNERS
    even = 0.5 * np.column_stack([np.cos(angles), np.sin(angles)])
    both = np.stack([even, even])
    both[:, CORNERS // 4] *= 0.9
    both[1, 0] = 0.0
    atoms = np.stack([_barycenter(changed, even, chunks) for changed in both])
    moved = min(float(np.linalg.norm(atoms[0] - other, axis=1).max()) for other in (atoms[1], atoms[1][::-1]))
    return Turn(chunks, both, atoms, moved, 1.0 / chunks)


def _barycenter(changed: Array, even: Array, chunks: int) -> Array:
    """Exact barycenter of two atoms, by trying every direction in which halves can lie.

    For given plans the best atoms nu_j are the averages over chunks of the means b_j that a plan sends to them, and
    the cost is E|x|^2 - (|nu_1|^2 + |nu_2|^2) / 2: the longest atoms win. For two atoms the optimal plan of a
    chunk sends its half that lies farthest in the direction nu_1 - nu_2 to nu_1.
    """
    best, value = even[:2], -1.0
    for angle in np.pi * (np.arange(4 * CORNERS) + 0.5) / (2 * CORNERS):
        direction = np.array([np.cos(angle), np.sin(angle)])
        halves = [_halves(chunk, direction) for chunk in (changed, even)]
        atoms = (halves[0] + (chunks - 1) * halves[1]) / chunks
        if (length := float((atoms**2).sum())) > value + 1e-12:
            best, value = atoms, length
    return best


def _halves(chunk: Array, direction: Array) -> Array:
    order = np.argsort(-(chunk @ direction), kind="stable")
    half = len(chunk) // 2
    return np.stack([chunk[order[:half]].mean(axis=0), chunk[order[half:]].mean(axis=0)])
