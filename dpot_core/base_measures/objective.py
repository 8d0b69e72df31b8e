"""The worst-case cost as a function of the base measure, with its subgradients and cuts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport.capped_simplex import minimise_linear

_Labels = np.ndarray[tuple[int], np.dtype[np.intp]]
#: Called with (round, value, lower bound); an exception from it abandons the work.
GapProgress = Callable[[int, float, float], None]


class Objective:
    """f(m) = max_i phi_i(m), the p-th power of the worst-case distance of WPM with base m; convex in m.

    phi_i(m) = tau_i + sum_j (alpha (C_ij - tau_i)_+ - beta (tau_i - C_ij)_+) m_j, and for any m' the cut
    phi_i(m') >= tau_i(m) + g_i(m).m' holds, g_i(m) being the bracket.

    Where only base measures that are constant on classes of outputs are of interest (`symmetry`), cuts have one
    coefficient per class: the sum over its members, times the mass of one of them.

    Source: wpm_2605.10015, Theorem 3.5 and appendix G.
    """

    def __init__(self, cost: Array, epsilon: float, classes: _Labels | None = None) -> None:
        """Sort every row of the cost (k, k_v) once, for all base measures to come; classes: of the outputs, (k_v,)."""
        self.cost = cost
        self.alpha, self.beta = float(np.exp(-epsilon / 2)), float(np.exp(epsilon / 2))
        self.classes = np.arange(cost.shape[1]) if classes is None else classes
        self.sizes = np.bincount(self.classes).astype(np.float64)
        self.order = np.argsort(cost, axis=1)
        self._by_class = None if classes is None else np.argsort(classes, kind="stable")

    def values(self, base: Array) -> tuple[Array, Array]:
        """(phi_i, tau_i) for all inputs i, each (k,)."""
        return minimise_linear(self.cost, self.order, self.alpha * base, self.beta * base)

    def gradients(self, inputs: np.ndarray[tuple[int], np.dtype[np.intp]], tau: Array) -> Array:
        """g_i for the given inputs, summed over each class of outputs, (len(inputs), number of classes)."""
        excess = self.cost[inputs] - tau[inputs, None]
        each = np.asarray(self.alpha * np.maximum(excess, 0.0) - self.beta * np.maximum(-excess, 0.0))
        if self._by_class is None:
            return each
        starts = (np.cumsum(self.sizes) - self.sizes).astype(np.intp)
        return np.asarray(np.add.reduceat(each[:, self._by_class], starts, axis=1))

    def bound(self, weights: Array, taus: Array, gradients: Array) -> float:
        """A lower bound on min f from any mixture of cuts: the least value of sum_c w_c (tau_c + g_c.m).

        All outputs of a class have the same coefficient.
        """
        weights = weights / weights.sum()
        slopes = weights @ gradients / self.sizes
        return float(weights @ taus) + least_slope(slopes, self.sizes, self.alpha, self.beta)


def least_slope(slopes: Array, sizes: Array, alpha: float, beta: float) -> float:
    """The least sum_j s_j m_j over all base measures m, s_j being the same for all outputs of a class.

    Only masses m_j <= 1 / beta need be looked at: an upper bound beta m_j above 1 is no bound, and lowering m_j to
    1 / beta lowers alpha m_j. With n = beta m the minimum over {0 <= n_j <= 1, 1 <= sum n <= beta / alpha} fills the
    smallest coefficients first, as long as they are negative.

    Args:
        slopes: s of each class, (c,).
        sizes: how many outputs each class has, (c,).
        alpha: e^(-epsilon/2).
        beta: e^(epsilon/2).
    """
    order = np.argsort(slopes)
    slopes, sizes = slopes[order] / beta, sizes[order]
    amount = min(max(float(sizes[slopes < 0].sum()), 1.0), beta / alpha)
    return float(slopes @ np.clip(amount - (np.cumsum(sizes) - sizes), 0.0, sizes))
