"""Looks of the mixture page's figures: names, colours and dashes of mechanisms, how numbers are written."""

import math
from collections.abc import Mapping
from typing import Any

from dpot_app.figures.findings import best_two, labels_of, reads_alike
from dpot_app.figures.style import MARKERS, colour
from dpot_app.figures.traces import Trace, marks
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.mixture.settings import NAMES
from dpot_core.privacy.numerals import number

#: The thing whose colour and marker a mechanism has: the mixture mechanism is randomized response on a continuum.
THINGS = {
    "kpm": "kpm",
    "mollifier": "mollifier",
    "blend": "krr",
    "kpm-prior": "kpm-prior",
    "wpm": "wpm",
    "mbde": "mbde",
}
DASHES = {
    "kpm": "solid",
    "mollifier": "dash",
    "blend": "dashdot",
    "kpm-prior": "longdash",
    "wpm": "dot",
    "mbde": "longdashdot",
}


def cost_text(epsilon: float, costs: Mapping[str, float]) -> str:
    """Which mechanism costs an input least, and beside it KPM or its strongest rival, by KL."""
    best, other = best_two(costs, "kpm")
    first, *others = labels_of((best, other), costs, NAMES)
    least = number(costs[best])
    if other is not None and reads_alike((best, other), costs, number):
        return f"At ε = {epsilon:g} {first} and {others[0]} cost this input a KL of {least} nats"
    beside = "" if other is None else f", {others[0]} {number(costs[other])}"
    return f"At ε = {epsilon:g} {first} costs this input a KL of {least} nats{beside}"


def epsilon_range(epsilon: float) -> list[float]:
    """The range of a logarithmic axis with the whole slider of epsilon and one value, which may lie beyond it."""
    low, high = min(EPSILONS[0], epsilon), max(EPSILONS[-1], epsilon)
    return [math.log10(low) - 0.06, math.log10(high) + 0.06]


def points(x: Any, y: Any, name: str, thing: str, panel: int, **look: Any) -> Trace:
    """Values against epsilon in a panel; named in the first panel's legend."""
    style = {"color": colour(thing), "symbol": MARKERS[thing], **look}
    shown = marks(x, y, name, hover="ε = %{x:.3~g}: %{y:.3~g}", panel=panel, **style)
    # Whole on the axis too.
    return shown | {"showlegend": panel == 0, "cliponaxis": False}
