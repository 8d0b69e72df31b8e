"""How far a transport plan moves the mass: on average, and the part of it that goes farthest."""

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array

#: The part of the mass that goes farthest, of which pages speak.
FARTHEST = 0.1


@dataclass(frozen=True)
class Moved:
    """How far a plan moves the mass that is optimal at one order of the loss."""

    p: float
    mean: float  # over all mass
    tenth: float  # over the `FARTHEST` of it that is moved farthest


def moved(p: float, plan: Array, distances: Array) -> Moved:
    """Both means of a plan's moves, in units of the distances.

    Args:
        p: the order of the loss.
        plan: mass from each place to each other one, of any shape.
        distances: how far that is, of the same shape.
    """
    order = np.argsort(-distances, axis=None, kind="stable")
    far, mass = distances.ravel()[order], plan.ravel()[order] / plan.sum()
    # Mass from the far end on, the last of it cut where the tenth is full.
    first = np.diff(np.minimum(mass.cumsum(), FARTHEST), prepend=0.0)
    return Moved(p, float(mass @ far), float(first @ far) / FARTHEST)


def other_order(p: float) -> float:
    """The order that a page compares p with: 1, where W_p is the mean distance; 2 for 1 itself."""
    return 2.0 if p == 1.0 else 1.0
