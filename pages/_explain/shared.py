"""What the views of the page have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpot_core.studies._kit.setting import declared, default_of
from pages import _shell as shell


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away."""

    config: object
    tables: Mapping[str, pd.DataFrame | Callable[[], pd.DataFrame]]
    figures: Mapping[str, Callable[[], go.Figure]]
    snippet: Callable[[], str]


def prior(controls: shell.Controls, name: str, of: type[Any]) -> float:
    """What somebody believed before, asked for in per cent; a probability."""
    words, help_ = "What somebody believed before (%)", declared(of)["prior"].help
    return controls.integer(name, words, 1, 99, round(100 * default_of(of, "prior")), help=help_) / 100
