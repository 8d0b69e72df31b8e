"""How private transport names and colours things, and writes numbers."""

import math
from typing import Any

from dpot_app.figures.style import MARKERS, colour
from dpot_app.views.sinkhorn.point_grid import PointGrid
from dpot_app.views.sinkhorn.settings import CLAIMED, ROUTES, Config
from dpot_core.privacy import numerals

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


#: The tab of what is said against the paper's theorem.
THEOREM = "What the paper's theorem assumes"

#: The two data sets: blue discs and vermilion squares of Okabe and Ito (no mechanism of these colours is on this page).
SETS = ((colour("wpm"), "circle"), (colour("kpm"), "square"))


def look(name: str, dash: str = "") -> dict[str, Any]:
    """Line with marks of a thing, as attributes of `line`."""
    thing = COLOUR[name]
    return {"colour": colour(thing), "dash": dash or DASH[name], "symbol": MARKERS[thing], "size": 8}


def hue(config: Config, name: str) -> str:
    """Key of the colour and the marker of a route: noisy Sinkhorn has those of the variant on screen."""
    return COLOUR[config.guarantee if name == "sinkhorn" else name]


def route(config: Config, name: str) -> str:
    """Name of a route on screen, with the warning that goes with a claimed guarantee."""
    return ROUTES[name] + (", not proven" if name == "sinkhorn" and config.guarantee in CLAIMED else "")


def in_brackets(unit: str) -> str:
    """A unit behind the name of an axis or of a number; nothing where there is none."""
    return f" ({unit})" if unit else ""


def cost_text(value: float, grid: PointGrid) -> str:
    return f"{numerals.number(value)} {grid.cost_unit}".rstrip()


def power_of_ten(value: float) -> str:
    """A large number: ``10^128``, with superscripts."""
    if not math.isfinite(value):
        return "more than 10³⁰⁰"
    return numerals.power_of_ten(math.floor(math.log10(max(value, 1e-300))))


def percent(value: float) -> str:
    """A share, which may be huge.

    >>> percent(0.0222), percent(0.00341), percent(12.0), percent(1e9)
    ('2.22%', '0.341%', '1,200%', 'more than 1,000,000%')
    """
    return "more than 1,000,000%" if value >= 1e4 else numerals.percent(value)


def number(value: float) -> str:
    """A number for a sentence.

    >>> number(0.01234), number(12345.0), number(1e30), number(0.0000761), number(0.0)
    ('0.0123', '12,300', 'more than a million', '7.61e-05', '0')
    """
    if value >= 1e6:
        return "more than a million"
    return numerals.number(value)
