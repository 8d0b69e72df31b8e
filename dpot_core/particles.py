"""Particles: places drawn from a distribution on cells, by the same uniforms at every setting, so that they walk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array
from dpot_core.streams import stream

#: Known, so that the same particles fall everywhere: for demonstrations only.
SEED = 0


def uniforms(name: str, count: int, dimensions: int) -> Array:
    """Numbers in [0, 1) of a demonstration, (count, dimensions); they depend on no setting, epsilon least of all."""
    return stream(SEED, name).random((count, dimensions))


def fallen(
    nu: Array, points: Array, uniform: Array, cell: tuple[float, float]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Draw one output for each row of uniforms, and a place inside its cell.

    The inverse of the distribution function along x, then that along y in the column that was hit (the transform of
    Rosenblatt, Annals of Mathematical Statistics 23, 1952, equation 1). What a uniform has left inside its step is
    uniform again and says where in the cell the particle lies: with the same uniforms particles walk, and do not jump,
    while nu changes, within a column.

    Args:
        nu: masses of the outputs: one distribution (k,), or one of each particle (n, k); they need not add up to 1.
        points: of the outputs, (k, 2).
        uniform: numbers in [0, 1), (n, 2).
        cell: width and height over which a particle is spread around its point, in the points' unit.

    Returns:
        The output of each particle (n,), exactly distributed as nu; and its place, (n, 2).

    Raises:
        ValueError: if some distribution has no mass.

    >>> points, uniform = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.2, 0.5], [0.3, 0.5]])
    >>> fallen(np.array([1.0, 3.0]), points, uniform, (1.0, 1.0))[0].tolist()
    [0, 1]
    """
    count, masses = len(uniform), np.atleast_2d(nu)
    if not (masses.sum(axis=1) > 0).all():
        raise ValueError("nu must have some mass; got none")
    east, column = np.unique(np.round(points[:, 0], 9), return_inverse=True)
    member = [np.flatnonzero(column == place) for place in range(len(east))]
    member = [cells[np.argsort(points[cells, 1], kind="stable")] for cells in member]
    hit, left = _inverse(np.stack([masses[:, cells].sum(axis=1) for cells in member], axis=1), uniform[:, 0])
    outputs, below = np.zeros(count, dtype=np.intp), np.zeros(count)
    for place in np.unique(hit):
        own = np.flatnonzero(hit == place)
        rows = masses[own] if len(masses) > 1 else masses
        row, below[own] = _inverse(rows[:, member[place]], uniform[own, 1])
        outputs[own] = member[place][row]
    return outputs, points[outputs] + (np.column_stack([left, below]) - 0.5) * cell


def _inverse(masses: Array, uniform: Array) -> tuple[NDArray[np.intp], Array]:
    """The step of each distribution function (1 or n, m) at which it passes a uniform (n,), and how far inside it."""
    reached = np.cumsum(masses, axis=1)
    aim = uniform * reached[:, -1]
    # What rounding puts at the very end still lies in a step that has mass.
    last = masses.shape[1] - 1 - np.argmax(masses[:, ::-1] > 0, axis=1)
    step = np.minimum((reached <= aim[:, None]).sum(axis=1), last)
    row = np.arange(len(aim)) if len(masses) > 1 else np.zeros(len(aim), dtype=np.intp)
    mass = masses[row, step]
    return step, np.clip((aim - reached[row, step] + mass) / mass, 0.0, 1.0)
