"""Points seen from afar: nested boxes, each with one of its points to stand for all, from few boxes to every point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.smoothed_dual import Rows

#: The coarsest level has at least so many boxes, if there are as many points: a plan between them takes milliseconds.
_COARSEST = 600
#: From one level to the next there are at least so many times as many boxes: halved twice, as a rule.
_GROWTH = 3.5


@dataclass(frozen=True)
class Level:
    """One level: points are served by the one that stands for their box.

    Attributes:
        home: index of the point that stands for each point's box, (k,); on the finest level each is its own.
        nodes: the points that stand for a box, ascending, (n,).
    """

    home: Rows
    nodes: Rows


def levels(points: Array, weights: Array) -> list[Level]:
    """Levels from the coarsest to the finest, of boxes that are halved across their longest side.

    They are halved by rank, so that clusters of points are divided however small they are; the boxes of a grid are
    rectangles of cells.

    Args:
        points: distinct points, (k, d).
        weights: positive; the point nearest to a box's centre of weight stands for it, (k,).
    """
    k = len(points)
    found: list[Level] = []
    ranks = [np.unique(column, return_inverse=True)[1] for column in points.T]
    most = [int(rank.max()) + 1 for rank in ranks]
    sides, parts = np.ptp(points, axis=0), np.ones(len(most))
    box, count = np.zeros(k, dtype=np.intp), 1
    while count < 0.4 * k:
        longest = int(np.argmax(sides))
        parts[longest] *= 2
        sides[longest] = sides[longest] / 2 if parts[longest] < most[longest] else 0.0
        half = (ranks[longest] * parts[longest] // most[longest]).astype(np.intp) % 2
        _, box = np.unique(2 * box + half, return_inverse=True)
        count = int(box.max()) + 1
        if _COARSEST <= count < 0.4 * k and (not found or count >= _GROWTH * found[-1].nodes.size):
            found.append(_level(points, weights, box, count))
    return [*found, Level(np.arange(k), np.arange(k))]


def _level(points: Array, weights: Array, box: Rows, count: int) -> Level:
    share = weights / np.bincount(box, weights, count)[box]
    centres = np.stack([np.bincount(box, share * column, count) for column in points.T], axis=1)
    order = np.lexsort((((points - centres[box]) ** 2).sum(axis=1), box))
    first = order[np.searchsorted(box[order], np.arange(count))]
    return Level(first[box], np.sort(first))
