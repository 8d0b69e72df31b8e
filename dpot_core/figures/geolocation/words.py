"""How the geolocation figures write distances and where data come from."""

from __future__ import annotations

import math


def km(distance: float) -> str:
    """A distance: ``1.9 km``, ``0.24 km``."""
    return f"{distance:.2f} km" if distance < 0.995 else f"{distance:.1f} km"


def km_at_most(bound: float) -> str:
    """A bound, rounded up so that it stays one.

    >>> km_at_most(12.01), km_at_most(0.241), km_at_most(12.0)
    ('12.1 km', '0.25 km', '12.0 km')
    """
    digits = 2 if bound < 0.99 else 1
    return f"{math.ceil(round(bound * 10**digits, 9)) / 10**digits:.{digits}f} km"
