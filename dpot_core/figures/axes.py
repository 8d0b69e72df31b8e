"""Axes as plain dictionaries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Axis = dict[str, Any]

#: A tick at every power of ten.
POWERS: Axis = {"dtick": 1, "exponentformat": "power"}


def axis(title: str, **more: Any) -> Axis:
    return {"title": {"text": title}, **more}


def log_axis(title: str, low: float, high: float, **more: Any) -> Axis:
    """A logarithmic axis between two values."""
    return axis(title, **{"type": "log", "range": [math.log10(low), math.log10(high)], **more})


def ticks(labels: Mapping[Any, str]) -> Axis:
    """Ticks at these values."""
    return {"tickvals": list(labels), "ticktext": list(labels.values())}
