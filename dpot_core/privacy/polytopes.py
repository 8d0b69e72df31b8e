"""The LDP polytope: the set of output distributions that a mechanism may use, and exact membership in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, Rows, Vector, check_epsilon, check_finite, check_weights
from dpot_core.transport import capped_simplex

#: Bounds are moved inward by this factor, more than exp, product and rounding can err together (about 2 ulp), so that
#: the float ratio upper/lower never exceeds the exact e^epsilon.
_INWARD = 2.0**-50

#: A base measure that misses the feasible interval of masses by less than this (relative) is scaled into it.
_MASS_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Polytope:
    """The LDP polytope Q(m, epsilon) = {nu : sum nu = 1, e^(-epsilon/2) m_j <= nu_j <= e^(epsilon/2) m_j}.

    A mechanism is epsilon-LDP exactly when all its outputs lie in one such polytope, so privacy never depends on how
    well a projection was solved. Non-empty if and only if e^(-epsilon/2) <= sum(m) <= e^(epsilon/2).

    Args:
        base: base measure m, shape (k_v,), non-negative, of any feasible mass. A mass within 1e-9 (relative) of the
            interval is scaled into it: any base is private, so this costs nothing.
        epsilon: privacy parameter in nats, in [1e-9, 700].

    Attributes:
        lower, upper: the bounds, shape (k_v,), rounded inward: upper_j / lower_j <= e^epsilon exactly.

    Raises:
        ValueError: if the base is not a non-negative vector or the polytope is empty (the message gives sum(base) and
            the feasible interval).

    Source: wpm_2605.10015, Definition 2.2 and Lemma B.1.
    """

    base: Array
    epsilon: float
    lower: Array
    upper: Array

    def __init__(self, base: ArrayLike, epsilon: float) -> None:
        epsilon = check_epsilon(epsilon)
        m = check_weights(base, "base").copy()
        alpha, beta = np.exp(-epsilon / 2), np.exp(epsilon / 2)
        with np.errstate(over="ignore"):  # an infinite mass is refused like any other that is too large
            mass = float(m.sum())
        low, high = float(alpha), float(beta)
        if not low * (1 - _MASS_TOLERANCE) <= mass <= high * (1 + _MASS_TOLERANCE):
            raise ValueError(
                f"the LDP polytope is empty: sum(base) = {mass:.6g}, but it must lie in "
                f"[e^(-epsilon/2), e^(epsilon/2)] = [{low:.6g}, {high:.6g}] for epsilon = {epsilon:g}"
            )
        lower, upper = _bounds(m, alpha, beta)
        for _ in range(3):
            # At the ends of the interval inward rounding could leave no distribution: scale the base by a few ulp.
            if lower.sum() > 1.0:
                m = m * ((1.0 - 4 * _INWARD) / lower.sum())
            elif upper.sum() < 1.0:
                m = m * ((1.0 + 4 * _INWARD) / upper.sum())
            else:
                break
            lower, upper = _bounds(m, alpha, beta)
        for array in (m, lower, upper):
            array.setflags(write=False)
        for name, value in (("base", m), ("epsilon", epsilon), ("lower", lower), ("upper", upper)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return self.base.size

    @overload
    def contains(self, nu: Vector) -> bool: ...
    @overload
    def contains(self, nu: Rows) -> NDArray[np.bool_]: ...
    @overload
    def contains(self, nu: ArrayLike) -> bool | NDArray[np.bool_]: ...
    def contains(self, nu: ArrayLike) -> bool | NDArray[np.bool_]:
        """Whether nu lies in the polytope, compared float by float; the sum must be 1 within one ulp per entry.

        Args:
            nu: (k_v,) or (n, k_v).

        Returns:
            bool for one distribution, array of bool (n,) for several.
        """
        rows, single = self._rows(nu)
        inside = ((rows >= self.lower) & (rows <= self.upper)).all(axis=1)
        total = np.abs(rows.sum(axis=1) - 1.0) <= rows.shape[1] * np.finfo(np.float64).eps
        return bool((inside & total)[0]) if single else inside & total

    def project_kl(self, s: ArrayLike) -> Array:
        """argmin over nu in Q of KL(nu || s) = clip(e^theta s, lower, upper), with theta making the sum 1.

        The same point minimises KL(s || nu). Where s is 0 and the bounds ask for more, mass follows the base measure.

        Args:
            s: non-negative vectors, (k_v,) or (n, k_v); the scale does not matter.

        Source: wpm_2605.10015, Lemma 4.2.
        """
        rows, single = self._rows(s)
        with np.errstate(divide="ignore"):
            projected, _ = capped_simplex.project_kl(np.log(rows), self.lower, self.upper)
        projected = capped_simplex.repair(projected, self.lower, self.upper)
        return projected[0] if single else projected

    def repair(self, nu: ArrayLike) -> Array:
        """A point of Q next to a nearly feasible nu, inside in floating point; (k_v,) or (n, k_v).

        Clips to the bounds, then spreads the missing mass over the room that is left.
        """
        rows, single = self._rows(nu)
        repaired = capped_simplex.repair(rows, self.lower, self.upper)
        return repaired[0] if single else repaired

    def _rows(self, values: ArrayLike) -> tuple[Array, bool]:
        array = check_finite(values, "distribution")
        rows = np.atleast_2d(array)
        if rows.ndim != 2 or rows.shape[1] != len(self) or rows.shape[0] == 0:
            raise ValueError(f"expected shape ({len(self)},) or (n, {len(self)}); got {array.shape}")
        return rows, array.ndim == 1


def inward_bounds(base: Array, alpha: float, beta: float) -> tuple[Array, Array]:
    """Bounds alpha m and beta m, rounded inward so that their float ratio is at most beta / alpha; 0 only where m is.

    Args:
        base: m, any shape, non-negative.
        alpha: float next to e^(-epsilon/2).
        beta: float next to e^(epsilon/2).
    """
    positive = base > 0
    lower = np.where(positive, np.nextafter(base * alpha * (1 + _INWARD), np.inf), 0.0)
    upper = np.where(positive, np.nextafter(base * beta * (1 - _INWARD), 0.0), 0.0)
    # Among the smallest floats rounding inward leaves no room: both bounds become one number (ratio 1).
    crossed = lower > upper
    return np.where(crossed, base, lower), np.where(crossed, base, upper)


def _bounds(base: Array, alpha: float, beta: float) -> tuple[Array, Array]:
    """The bounds of probabilities: never above 1."""
    lower, upper = inward_bounds(base, alpha, beta)
    return np.minimum(lower, 1.0), np.minimum(upper, 1.0)


def check_polytope(Q: object) -> Polytope:
    """Return Q, or raise `ValueError` where it is something else, such as a channel matrix."""
    if not isinstance(Q, Polytope):
        raise ValueError(f"Q must be a Polytope(base, epsilon); got {type(Q).__name__}")
    return Q
