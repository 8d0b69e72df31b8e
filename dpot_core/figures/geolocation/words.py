"""How the geolocation figures write distances."""

from __future__ import annotations


def km(distance: float) -> str:
    """A distance: ``1.9 km``, ``0.24 km``."""
    return f"{distance:.2f} km" if distance < 0.995 else f"{distance:.1f} km"
