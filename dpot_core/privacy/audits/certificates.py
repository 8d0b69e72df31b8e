"""Exact certificates of epsilon, by rational arithmetic on the floats that a mechanism really uses."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import check_epsilon, check_finite
from dpot_core.privacy.polytopes import Polytope

#: Decimal's exp and ln are correctly rounded; 60 digits leave room to compare exactly.
_PRECISE = Context(prec=60)
_RELATIVE_ERROR = Fraction(1, 10**58)


class Certificate(float):
    """The largest log-ratio of two output probabilities, rounded up to a float (nats).

    Attributes:
        ratio: the largest ratio itself, exact; None if it is infinite.
        output: index of the output where it is attained.
    """

    ratio: Fraction | None
    output: int

    def __new__(cls, ratio: Fraction | None, output: int) -> Certificate:
        """Take the logarithm of an exact ratio, upwards."""
        instance = super().__new__(cls, math.inf if ratio is None else _log_up(ratio))
        instance.ratio, instance.output = ratio, output
        return instance

    def __reduce__(self) -> tuple[type[Certificate], tuple[Fraction | None, int]]:
        return Certificate, (self.ratio, self.output)

    def holds(self, epsilon: float) -> bool:
        """Whether ratio <= e^epsilon, decided exactly (a tie within 1e-58 counts as a failure)."""
        epsilon = check_epsilon(epsilon)
        if self.ratio is None:
            return False
        power = Fraction(_PRECISE.exp(Decimal(epsilon)))
        return self.ratio <= power * (1 - _RELATIVE_ERROR)


def certify(Q: Polytope | ArrayLike) -> Certificate:
    """The smallest epsilon that holds: max over outputs j and rows a, b of log(nu_aj / nu_bj), exactly.

    For a polytope the two rows are its upper and lower bounds, so the certificate covers every mechanism that stays in
    it. Outputs that no row ever releases are left out; an output that one row releases and another never does makes the
    ratio infinite.

    Args:
        Q: a `Polytope`, or a matrix of output distributions, one row per input, (n, k_v).

    Returns:
        The log-ratio as a float, rounded up; `.ratio` is exact and `.holds(epsilon)` compares exactly.

    Raises:
        ValueError: if the matrix is empty, not finite or negative.

    Source: wpm_2605.10015, Definition 2.1 and Lemma B.1.
    """
    if isinstance(Q, Polytope):
        lowest, highest = Q.lower, Q.upper
    else:
        rows = np.atleast_2d(check_finite(Q, "matrix"))
        if rows.ndim != 2 or rows.size == 0:
            raise ValueError(f"matrix must have shape (n, k_v), not empty; got {np.shape(Q)}")
        lowest, highest = rows.min(axis=0), rows.max(axis=0)
    released = np.flatnonzero(highest > 0)
    if released.size == 0:
        raise ValueError("matrix must not be zero everywhere")
    hidden = released[lowest[released] == 0]
    if hidden.size:
        return Certificate(None, int(hidden[0]))
    ratios = [Fraction(float(highest[j])) / Fraction(float(lowest[j])) for j in released]
    worst = max(range(len(ratios)), key=ratios.__getitem__)
    return Certificate(ratios[worst], int(released[worst]))


def _log_up(ratio: Fraction) -> float:
    """The smallest float that is certainly not below log(ratio)."""
    if ratio <= 1:
        return 0.0
    quotient = _PRECISE.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    # Division and logarithm err by 1e-59 relative to the quotient, hence by about that much in the logarithm.
    exact = Fraction(_PRECISE.ln(quotient)) + Fraction(1, 10**55)
    value = float(exact)
    return value if Fraction(value) >= exact else math.nextafter(value, math.inf)
