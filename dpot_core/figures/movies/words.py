"""How the movies figures write probabilities and where data come from."""

from __future__ import annotations


def percent(probability: float) -> str:
    """A probability: ``26%``, ``6.1%``, ``0.42%``."""
    hundred = 100 * probability
    return f"{hundred:.0f}%" if hundred >= 9.95 else f"{hundred:.1f}%" if hundred >= 0.995 else f"{hundred:.2g}%"
