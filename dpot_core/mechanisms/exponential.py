"""Exponential mechanism with utility minus the expected distance to the input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.checks import Array, check_cost, check_distributions, check_epsilon
from dpot_core.polytopes import Polytope
from dpot_core.spaces import GridCost
from dpot_core.transport.grid_kernels import expected_costs


@dataclass(frozen=True, eq=False)
class AllInputs:
    """What the mechanism has to know of all inputs, whoever takes part.

    Attributes:
        sensitivity: S, in units of the metric.
        least: min over all inputs of P(j), (k_v,), attained at a point input.
    """

    sensitivity: float
    least: Array


def sensitivity_of(distances: Array) -> float:
    """S = max_j (max_i d_ij - min_i d_ij), in units of the metric, for the distances (k, k_v) of all inputs."""
    return float(np.ptp(distances, axis=0).max())


def least_of(blocks: Iterable[Array], sensitivity: float, epsilon: float) -> Array:
    """min over point inputs of P(j), (k_v,), from blocks of rows of the distances: not all need be there at once."""
    least = [_softmax(_exponents(block, sensitivity, epsilon)).min(axis=0) for block in blocks]
    return np.asarray(np.array(least).min(axis=0))


def least_beside(farthest: Array, epsilon: float) -> AllInputs:
    """A lower bound of that least in k steps, for outputs of which each is an input point too; see `exponential`.

    Args:
        farthest: R_j, the distance of output j from the input point that is farthest from it, (k_v,).
        epsilon: privacy parameter in nats.
    """
    sensitivity = float(farthest.max())
    base = _softmax(_exponents(0.5 * farthest[None, :], sensitivity, epsilon))[0]
    return AllInputs(sensitivity, np.exp(-epsilon / 2) * base)


def exponential(
    mu: ArrayLike, distances: ArrayLike | GridCost, epsilon: float, everybody: AllInputs | None = None
) -> Array:
    """P(j) proportional to exp(epsilon u_j / (2 S)), u_j = -E_{i ~ mu} d(i, j).

    S = max_j (max_i d_ij - min_i d_ij) is the exact sensitivity of u over all pairs of input distributions, so any two
    outputs differ by e^epsilon at most. Rounding cannot break this: the outputs are repaired into the LDP polytope
    that holds all of them, with base e^(epsilon/2) min_mu P(j | mu).

    On a grid without a matrix the base is another one that holds all outputs and takes k steps: P_0(j) proportional to
    exp(-epsilon R_j / (4 S)), R_j = max_i d_ij, the distance from the farthest corner. As 0 <= E d_ij <= R_j <= S, the
    exponents of any P(j | mu) are within epsilon/4 of those of P_0, and so are the logarithms of the two sums; so
    P(j | mu) / P_0(j) lies between e^(-epsilon/2) and e^(epsilon/2).

    Args:
        mu: inputs, (k,) or (n, k).
        distances: d_ij, (k, k_v), in units of the metric (not raised to p), or a `GridCost` with p = 1.
        epsilon: privacy parameter in nats.
        everybody: where `distances` has the rows of some inputs only: what is to be known of all of them, made for
            this epsilon. None where all rows are there.

    Returns:
        Output distributions, (k_v,) or (n, k_v).

    Source: McSherry and Talwar 2007; utility as in wpm_2605.10015, section 5.2.
    """
    epsilon = check_epsilon(epsilon)
    if isinstance(distances, GridCost):
        return _on_grid(mu, distances, epsilon)
    matrix = check_cost(distances)
    rows, single = check_distributions(mu, "mu", matrix.shape[0])
    # log P(j | mu) is concave in mu, so over all inputs it is smallest at a point input. A far output may leave float64
    # for some inputs and not for others; with this base it is then never released at all.
    if everybody is None:
        sensitivity = sensitivity_of(matrix)
        everybody = AllInputs(sensitivity, least_of([matrix], sensitivity, epsilon))
    polytope = Polytope(np.exp(epsilon / 2) * everybody.least, epsilon)
    released = polytope.repair(_softmax(_exponents(rows @ matrix, everybody.sensitivity, epsilon)))
    return released[0] if single else released


def _exponents(distances: Array, sensitivity: float, epsilon: float) -> Array:
    # Where S is 0 the utility is the same for all inputs, and so is the output.
    return np.asarray(-0.5 * epsilon * (distances / (sensitivity or np.inf)))


def _on_grid(mu: ArrayLike, distances: GridCost, epsilon: float) -> Array:
    if distances.p != 1.0:
        raise ValueError(f"distances on a grid must have p = 1; got p = {distances.p:g}")
    rows, single = check_distributions(mu, "mu", distances.shape[0])
    ny, nx = distances.offsets.shape
    corners = distances.rows([0, nx - 1, (ny - 1) * nx, ny * nx - 1])
    farthest = corners.max(axis=0)
    scale = -0.5 * epsilon / (float(farthest.max()) or np.inf)
    base = _softmax(0.5 * scale * farthest[None, :])[0]
    released = Polytope(base, epsilon).repair(_softmax(scale * expected_costs(rows, distances)))
    return released[0] if single else released


def _softmax(exponents: Array) -> Array:
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
