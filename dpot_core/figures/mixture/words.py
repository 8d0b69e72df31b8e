"""What the mixture page's figures share: names, line styles, axes."""

from __future__ import annotations

from dpot_core.experiments.mixture import NAMES

#: Name on screen, colour and dash of each mechanism. The mixture mechanism is randomized response on a continuum.
LOOKS: dict[str, tuple[str, str, str]] = {
    "kpm": (NAMES["kpm"], "kpm", "solid"),
    "mollifier": (NAMES["mollifier"], "mollifier", "dash"),
    "blend": (NAMES["blend"], "krr", "dashdot"),
    "wpm": (NAMES["wpm"], "wpm", "dot"),
    "mbde": (NAMES["mbde"], "mbde", "longdashdot"),
}


def number(value: float) -> str:
    """A divergence in words: ``0.0318``; what is zero up to rounding is 0."""
    return "0" if abs(value) < 1e-12 else f"{value:.3g}"
