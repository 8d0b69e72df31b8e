"""Exponential mechanism with utility minus the expected distance to the input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_distributions, check_epsilon
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import GridCost
from dpot_core.transport.grid_kernels import expected_costs

#: Distances that are looked at together.
_BLOCK = 2**22


@dataclass(frozen=True, eq=False)
class ExponentialPublicBounds:
    """Sensitivity of the utility and a lower bound of every probability, which no data enter.

    Attributes:
        epsilon: privacy parameter in nats.
        sensitivity: S = max_j (max_i d_ij - min_i d_ij) over all inputs, in units of the metric.
        lower: at most P(j | mu) for every input mu, and more than e^(-epsilon) times it, (k_v,).
    """

    epsilon: float
    sensitivity: float
    lower: Array

    @property
    def polytope(self) -> Polytope:
        """The LDP polytope that holds all outputs, with base measure e^(epsilon/2) times the lower bound."""
        return Polytope(np.exp(self.epsilon / 2) * self.lower, self.epsilon)

    def probabilities(self, expected: Array) -> Array:
        """P(j | mu) before rounding is repaired, (n, k_v), from the expected distances of the inputs (n, k_v)."""
        return _softmax(_exponents(expected, self.sensitivity, self.epsilon))


def public_bounds(distances: Array | GridCost, epsilon: float) -> ExponentialPublicBounds:
    """The bounds over all inputs: exact from a matrix, `corner_lower_bound` on a grid without one.

    log P(j | mu) is concave in mu, so that over all inputs it is smallest at a point input.

    Args:
        distances: d_ij of all inputs, (k, k_v), or a `GridCost` with p = 1.
        epsilon: privacy parameter in nats.
    """
    if isinstance(distances, GridCost):
        if distances.p != 1.0:
            raise ValueError(f"distances on a grid must have p = 1; got p = {distances.p:g}")
        ny, nx = distances.offsets.shape
        return corner_lower_bound(distances.rows([0, nx - 1, (ny - 1) * nx, ny * nx - 1]).max(axis=0), epsilon)
    sensitivity = float(np.ptp(distances, axis=0).max())
    blocks = np.array_split(distances, max(1, -(-distances.size // _BLOCK)))
    least = [_softmax(_exponents(block, sensitivity, epsilon)).min(axis=0) for block in blocks if len(block)]
    return ExponentialPublicBounds(epsilon, sensitivity, np.min(least, axis=0))


def corner_lower_bound(farthest: Array, epsilon: float) -> ExponentialPublicBounds:
    """Bounds in k steps, for outputs of which each is an input point too; see `exponential`.

    Args:
        farthest: R_j, the distance of output j from the input point that is farthest from it, (k_v,).
        epsilon: privacy parameter in nats.
    """
    sensitivity = float(farthest.max())
    base = _softmax(_exponents(0.5 * farthest[None, :], sensitivity, epsilon))[0]
    return ExponentialPublicBounds(epsilon, sensitivity, np.exp(-epsilon / 2) * base)


def exponential(mu: ArrayLike, distances: ArrayLike | GridCost, epsilon: float) -> Array:
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
        distances: d_ij of all inputs, (k, k_v), in units of the metric (not raised to p), or a `GridCost` with p = 1.
        epsilon: privacy parameter in nats.

    Returns:
        Output distributions, (k_v,) or (n, k_v).

    Source: McSherry and Talwar 2007; utility as in wpm_2605.10015, section 5.2.
    """
    epsilon = check_epsilon(epsilon)
    known = distances if isinstance(distances, GridCost) else check_cost(distances)
    rows, single = check_distributions(mu, "mu", known.shape[0])
    bounds = public_bounds(known, epsilon)
    expected = expected_costs(rows, known) if isinstance(known, GridCost) else rows @ known
    # A far output may leave float64 for some inputs and not for others; with this base it is then never released.
    released = bounds.polytope.repair(bounds.probabilities(expected))
    return released[0] if single else released


def _exponents(distances: Array, sensitivity: float, epsilon: float) -> Array:
    # Where S is 0 the utility is the same for all inputs, and so is the output.
    return np.asarray(-0.5 * epsilon * (distances / (sensitivity or np.inf)))


def _softmax(exponents: Array) -> Array:
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
