"""Particles: places drawn from a distribution on cells, by the same uniforms at every setting, so that they walk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.privacy.streams import stream

#: Known, so that the same particles fall everywhere: for demonstrations only.
SEED = 0


def uniforms(name: str, count: int, dimensions: int) -> Array:
    """Numbers in [0, 1) of a demonstration, (count, dimensions); they depend on no setting, epsilon least of all."""
    return stream(SEED, name).random((count, dimensions))


@dataclass(frozen=True, eq=False)
class Columns:
    """Points in the plane, column by column from the west, each from the south: made once for many distributions.

    Attributes:
        points: in their own order, (k, 2).
        order: numbers of the points, column by column, (k,).
        starts: where each column begins in `order`, and where the last one ends, (columns + 1,).
    """

    points: Array
    order: NDArray[np.intp]
    starts: NDArray[np.intp]


def columns(points: Array) -> Columns:
    """The columns of points (k, 2); those whose x differ by rounding are in one."""
    east = np.round(points[:, 0], 9)
    order = np.lexsort((points[:, 1], east))
    new = np.flatnonzero(np.diff(east[order])) + 1
    return Columns(points, order, np.concatenate([[0], new, [len(points)]]))


def fallen(
    nu: Array, among: Columns, uniform: Array, cell: tuple[float, float]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Draw one output for each row of uniforms, and a place inside its cell.

    The inverse of the distribution function along x, then that along y in the column that was hit (the transform of
    Rosenblatt, Annals of Mathematical Statistics 23, 1952, equation 1). What a uniform has left inside its step is
    uniform again and says where in the cell the particle lies: with the same uniforms particles walk, and do not jump,
    while nu changes, within a column.

    Args:
        nu: masses of the outputs: one distribution (k,), or one of each particle (n, k); they need not add up to 1.
        among: points of the outputs.
        uniform: numbers in [0, 1), (n, 2).
        cell: width and height over which a particle is spread around its point, in the points' unit.

    Returns:
        The output of each particle (n,), exactly distributed as nu; and its place, (n, 2).

    Raises:
        ValueError: if some distribution has no mass.

    >>> points, uniform = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.2, 0.5], [0.3, 0.5]])
    >>> fallen(np.array([1.0, 3.0]), columns(points), uniform, (1.0, 1.0))[0].tolist()
    [0, 1]
    """
    masses = np.atleast_2d(nu)[:, among.order]
    if not (masses.sum(axis=1) > 0).all():
        raise ValueError("nu must have some mass; got none")
    hit, left = _inverse(np.add.reduceat(masses, among.starts[:-1], axis=1), uniform[:, 0])
    row, below = _inverse(masses, uniform[:, 1], among.starts[hit], among.starts[hit + 1])
    outputs = among.order[row]
    return outputs, among.points[outputs] + (np.column_stack([left, below]) - 0.5) * cell


def _inverse(
    masses: Array, uniform: Array, start: NDArray[np.intp] | int = 0, end: NDArray[np.intp] | int | None = None
) -> tuple[NDArray[np.intp], Array]:
    """The step of each distribution function (1 or n, m) at which it passes a uniform (n,), and how far inside it.

    Only steps from ``start`` to before ``end`` (n,) count, all without them; some of them has mass.
    """
    ends = masses.shape[1] if end is None else end
    reached, row = np.cumsum(masses, axis=1), np.arange(len(uniform)) * (len(masses) > 1)
    before = np.where(np.equal(start, 0), 0.0, reached[row, np.subtract(start, 1)])
    aim = before + uniform * (reached[row, np.subtract(ends, 1)] - before)
    passed = [np.searchsorted(reached[0], aim, "right")] if len(masses) == 1 else (reached <= aim[:, None]).sum(axis=1)
    # What rounding puts at the very end still lies in a step that has mass.
    with_mass = np.maximum.accumulate(np.where(masses > 0, np.arange(masses.shape[1]), 0), axis=1)
    step = np.minimum(np.ravel(passed), with_mass[row, np.subtract(ends, 1)])
    mass = masses[row, step]
    return step, np.clip((aim - reached[row, step] + mass) / mass, 0.0, 1.0)
