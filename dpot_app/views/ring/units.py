"""Units of the ring's figures: how they write distances, how wide bars are."""

from dpot_app.views.ring.settings import Ring
from dpot_core.privacy.numerals import number, rounded_up, subscript


def order(p: float) -> str:
    """The name of the Wasserstein distance of order p: ``W₂``."""
    return f"W{subscript(p)}"


def steps(distance: float) -> str:
    """A distance along the ring: ``1.93 steps``."""
    text = number(distance)
    return f"{text} step" if text == "1" else f"{text} steps"


def at_most(distance: float) -> str:
    """An upper bound on a distance, rounded up so that it stays one: ``5.44 steps`` for 5.431."""
    return steps(rounded_up(distance))


def bar_width(ring: Ring) -> float:
    """Width of an output's bar, in steps: wider where outputs lie apart, but never as wide as their distance."""
    return 0.37 + 0.35 * ring.closest


def unrolled(ring: Ring) -> list[float]:
    """The range of an axis along the unrolled ring that has room for the bars of all points and of all outputs."""
    beside = max(0.7, bar_width(ring) / 2 + 0.1)
    return [-beside, max(ring.k - 0.3, float(ring.targets[-1]) + beside)]
