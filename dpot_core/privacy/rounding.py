"""Floats that are not below exact numbers: rounding never spends privacy."""

from __future__ import annotations

import math
from fractions import Fraction


def rounded_up(exact: Fraction) -> float:
    """The smallest float that is not below an exact number."""
    nearest = float(exact)
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)


def added(one: float, other: float) -> float:
    """The smallest float that is not below the sum.

    >>> 0.1 + 0.7, added(0.1, 0.7)
    (0.7999999999999999, 0.8)
    """
    return rounded_up(Fraction(one) + Fraction(other))
