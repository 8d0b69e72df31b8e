"""How the ring's figures write distances."""

from __future__ import annotations

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def order(p: int) -> str:
    """The name of the Wasserstein distance of order p: ``W₂``."""
    return "W" + str(p).translate(_SUBSCRIPTS)


def steps(distance: float) -> str:
    """A distance along the ring: ``1.93 steps``."""
    return f"{distance:.3g} steps"
