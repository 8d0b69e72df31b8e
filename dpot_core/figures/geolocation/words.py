"""How the geolocation figures write distances and where data come from."""

from __future__ import annotations

from dpot_core.experiments.geolocation import Ground


def km(distance: float) -> str:
    """A distance: ``1.9 km``, ``0.24 km``."""
    return f"{distance:.2f} km" if distance < 0.995 else f"{distance:.1f} km"


def simulated(ground: Ground) -> str:
    """What every title says of invented people."""
    return " (simulated)" if ground.simulated else ""


#: The axis of the privacy parameter.
EPSILON_AXIS = {
    "type": "log",
    "title": {"text": "privacy parameter ε"},
    "tickvals": [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    "ticktext": ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"],
}
