"""The random projection of dp_barycenters: drawn without looking at any person, and published."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array, check_count
from dpot_core.mechanisms.central.regions import Region


@dataclass(frozen=True)
class Projection:
    """``x -> (x - c) Pi`` from d to d' dimensions.

    A point's image follows from this point alone, to the last bit: it is added up coordinate by coordinate. A matrix
    product may round a row in another way when there is one row more, and under "add-remove" another person, at the
    border of two cells, would then change cells with the person who comes or goes.

    Attributes:
        matrix: Pi, (d, d').
        centre: c, a public point, (d,): coordinates relative to it keep their digits wherever the region lies.
    """

    matrix: Array
    centre: Array

    def __call__(self, points: Array) -> Array:
        """Images (n, d') of points (n, d)."""
        image = np.zeros((len(points), self.matrix.shape[1]))
        for row, column in zip(self.matrix, (points - self.centre).T, strict=True):
            image += column[:, None] * row
        return image


def gaussian_matrix(d: int, target: int, rng: np.random.Generator) -> Array:
    """Pi, (d, d'): independent Gaussian entries of variance 1/d', so that squared lengths are kept in expectation.

    Args:
        d: dimension of the points.
        target: d', dimension of the projection.
        rng: source of randomness, which no data have influenced.

    Source:
        dp_barycenters, Theorem C.6.
    """
    return np.asarray(rng.standard_normal((d, target)) / math.sqrt(target))


def drawn_matrix(region: Region, target: int | None, rng: np.random.Generator) -> Array | None:
    """Pi to d' dimensions, or None without a projection: for d' = d too, where there is nothing to leave out.

    Raises:
        ValueError: if d' is not from 1 to d.
    """
    d = region.lower.size
    if target is None or check_count(target, "projection", 1, d) == d:
        return None
    return gaussian_matrix(d, target, rng)


def projection_of(matrix: Array | None, region: Region) -> Projection | None:
    """The projection about a region's centre, or None where there is no matrix."""
    return None if matrix is None else Projection(matrix, region.centre)
