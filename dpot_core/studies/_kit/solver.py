"""The entropic weight of Algorithm 1, which several studies have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpot_core.studies._kit.setting import number


def entropic_weight(default: float | None, grid: Sequence[float], help: str, **known: Any) -> Any:
    """The field of the weight; None, which stands at 0 of the grid, is the exact projection."""
    usual = {"low": 1e-4, "high": 1.0, "step": 2.0, "factor": True, "empty": "exact", "link": "lambda"}
    return number("Entropic weight λ", default, grid=grid, help=help, **{**usual, **known})
