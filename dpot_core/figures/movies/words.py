"""How the movies figures write probabilities and where data come from."""

from __future__ import annotations

import math


def percent(probability: float) -> str:
    """A probability: ``26%``, ``6.1%``, ``0.42%``."""
    hundred = 100 * probability
    return f"{hundred:.0f}%" if hundred >= 9.95 else f"{hundred:.1f}%" if hundred >= 0.995 else f"{hundred:.2g}%"


def simulated(is_simulated: bool) -> str:
    """What every title says of invented people and films."""
    return " (simulated)" if is_simulated else ""


def at_most(factor: float) -> str:
    """A bound on a factor with three digits, rounded up so that it stays one.

    >>> at_most(4.4817), at_most(7.0)
    ('4.49', '7')
    """
    unit = 10.0 ** (math.floor(math.log10(factor)) - 2)
    return f"{math.ceil(round(factor / unit, 6)) * unit:.6g}"
