"""How the private transport figures name and colour things, and write numbers."""

from __future__ import annotations

import math
from typing import Any

from dpot_core.experiments.sinkhorn import CLAIMED, ROUTES, Ground, Result
from dpot_core.figures.style import MARKERS

#: Name -> key of `style.COLOURS`, and the dash and marker that go with it.
COLOUR = {
    "exact": "input",
    "entropic": "non-private",
    "sinkhorn": "noisy-sinkhorn",
    "proven": "noisy-sinkhorn",
    "histograms": "private-histograms",
    "laplace": "direct-laplace",
    "paper": "algorithm-1",
    "two-stage": "two-stage",
}
DASH = {"laplace": "solid", "histograms": "dash", "proven": "dot", "paper": "dashdot", "two-stage": "longdash"}
SYMBOL = {name: MARKERS[key] for name, key in COLOUR.items()}


#: A logarithmic axis with one tick per power of ten.
LOG_AXIS: dict[str, Any] = {"type": "log", "exponentformat": "power", "dtick": 1}


def hue(result: Result, name: str) -> str:
    """Key of the colour and the marker of a route: noisy Sinkhorn has those of the variant on screen."""
    return COLOUR[result.config.guarantee if name == "sinkhorn" else name]


def route(result: Result, name: str) -> str:
    """Name of a route on screen, with the warning that goes with a claimed guarantee."""
    return ROUTES[name] + (", not proven" if name == "sinkhorn" and result.config.guarantee in CLAIMED else "")


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
