"""Which of many like cases run by day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def every_by_day(step: int, cases: Sequence[Any]) -> list[ParameterSet]:
    """Parameters of a test: the first and each `step`-th after it by day, all of them by night."""
    sets = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*one, marks=[pytest.mark.nightly] * (at % step != 0)) for at, one in enumerate(sets)]
