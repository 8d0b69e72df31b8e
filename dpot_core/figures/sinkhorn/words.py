"""How the private transport figures name and colour things, and write numbers."""

from __future__ import annotations

import math
from typing import Any

from dpot_core.experiments.sinkhorn import Ground

#: Name -> key of `style.COLOURS`, and the dash and marker that go with it.
COLOUR = {
    "true": "input",
    "exact": "input",
    "entropic": "non-private",
    "sinkhorn": "wpm",
    "proven": "wpm",
    "histograms": "mollifier",
    "laplace": "em",
    "paper": "krr",
    "two-stage": "kpm",
}
DASH = {"laplace": "solid", "histograms": "dash", "proven": "dot", "paper": "dashdot", "two-stage": "longdash"}
SYMBOL = {"laplace": "triangle-up", "histograms": "square", "proven": "circle", "paper": "x", "two-stage": "diamond"}


#: A logarithmic axis with one tick per power of ten.
LOG_AXIS: dict[str, Any] = {"type": "log", "exponentformat": "power", "dtick": 1}


def simulated(ground: Ground) -> str:
    """What every title says of invented points."""
    return " (simulated)" if ground.pair.simulated else ""


def cost_text(value: float, ground: Ground) -> str:
    """A cost with its unit."""
    unit = f" {ground.cost_unit}" if ground.cost_unit else ""
    return f"{value:.3g}{unit}"


def axis(name: str, ground: Ground) -> str:
    """Title of an axis of the plane."""
    return f"{name} ({ground.pair.unit})" if ground.pair.unit else name


def power_of_ten(value: float) -> str:
    """A large number: ``10^128``, with superscripts."""
    if not math.isfinite(value):
        return "more than 10³⁰⁰"
    digits = str(math.floor(math.log10(max(value, 1e-300))))
    return "10" + digits.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
