"""What the mixture page's figures share: names, colours and dashes of mechanisms, how numbers are written."""

from __future__ import annotations

from typing import NamedTuple

from dpot_core.studies.mixture.settings import NAMES


class Look(NamedTuple):
    """Name on screen, thing (its colour and marker) and dash of a mechanism."""

    label: str
    thing: str
    dash: str


# The mixture mechanism is randomized response on a continuum.
LOOKS = {
    "kpm": Look(NAMES["kpm"], "kpm", "solid"),
    "mollifier": Look(NAMES["mollifier"], "mollifier", "dash"),
    "blend": Look(NAMES["blend"], "krr", "dashdot"),
    "wpm": Look(NAMES["wpm"], "wpm", "dot"),
    "mbde": Look(NAMES["mbde"], "mbde", "longdashdot"),
}


def number(value: float) -> str:
    """A divergence in words: ``0.0318``; what is zero up to rounding is 0."""
    return "0" if abs(value) < 1e-12 else f"{value:.3g}"
