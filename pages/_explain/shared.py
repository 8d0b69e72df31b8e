"""What the views of the page have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from pages import _shell as shell


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away."""

    config: object
    tables: Mapping[str, pd.DataFrame | Callable[[], pd.DataFrame]]
    figures: Mapping[str, Callable[[], go.Figure]]
    snippet: Callable[[], str]


def prior(controls: shell.Controls, name: str, default: int) -> float:
    """What somebody believed before, as a probability."""
    words = "What somebody believed before (%)"
    help_ = "How sure somebody was of something about you, before seeing the release: of 100 people like you, how many?"
    return controls.integer(name, words, 1, 99, default, help=help_) / 100
