"""Exponential mechanism with utility minus the expected distance to the input."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.checks import Array, check_cost, check_distributions, check_epsilon
from dpot_core.polytopes import Polytope


def exponential(mu: ArrayLike, distances: ArrayLike, epsilon: float) -> Array:
    """P(j) proportional to exp(epsilon u_j / (2 S)), u_j = -E_{i ~ mu} d(i, j).

    S = max_j (max_i d_ij - min_i d_ij) is the exact sensitivity of u over all pairs of input distributions, so any two
    outputs differ by e^epsilon at most. Rounding cannot break this: the outputs are repaired into the LDP polytope
    that holds all of them, with base e^(epsilon/2) min_mu P(j | mu).

    Args:
        mu: inputs, (k,) or (n, k).
        distances: d_ij, (k, k_v), in units of the metric (not raised to p).
        epsilon: privacy parameter in nats.

    Returns:
        Output distributions, (k_v,) or (n, k_v).

    Source: McSherry and Talwar 2007; utility as in wpm_2605.10015, section 5.2.
    """
    matrix = check_cost(distances)
    epsilon = check_epsilon(epsilon)
    rows, single = check_distributions(mu, "mu", matrix.shape[0])
    sensitivity = float(np.ptp(matrix, axis=0).max())
    # Where S is 0 the utility is the same for all inputs, and so is the output.
    exponents = -0.5 * epsilon * (matrix / (sensitivity or np.inf))
    # log P(j | mu) is concave in mu, so over all inputs it is smallest at a point input. A far output may leave float64
    # for some inputs and not for others; with this base it is then never released at all.
    least = _softmax(exponents).min(axis=0)
    released = Polytope(np.exp(epsilon / 2) * least, epsilon).repair(_softmax(rows @ exponents))
    return released[0] if single else released


def _softmax(exponents: Array) -> Array:
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
