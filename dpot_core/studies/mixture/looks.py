"""What the mixture page's figures share: names, colours and dashes of mechanisms, how numbers are written."""

import math
from typing import Any

from dpot_core.figures.style import MARKERS, colour
from dpot_core.figures.traces import Trace, marks
from dpot_core.studies._kit.fields import EPSILONS

#: The thing whose colour and marker a mechanism has: the mixture mechanism is randomized response on a continuum.
THINGS = {"kpm": "kpm", "mollifier": "mollifier", "blend": "krr", "wpm": "wpm", "mbde": "mbde"}
DASHES = {"kpm": "solid", "mollifier": "dash", "blend": "dashdot", "wpm": "dot", "mbde": "longdashdot"}


def epsilon_range(epsilon: float) -> list[float]:
    """The range of a logarithmic axis with the whole slider of epsilon and one value, which may lie beyond it."""
    low, high = min(EPSILONS[0], epsilon), max(EPSILONS[-1], epsilon)
    return [math.log10(low) - 0.06, math.log10(high) + 0.06]


def points(x: Any, y: Any, name: str, thing: str, panel: int, **look: Any) -> Trace:
    """Values against epsilon in a panel; named in the first panel's legend."""
    style = {"color": colour(thing), "symbol": MARKERS[thing], **look}
    return marks(x, y, name, hover="ε = %{x:.3~g}: %{y:.3~g}", panel=panel, **style) | {"showlegend": panel == 0}
