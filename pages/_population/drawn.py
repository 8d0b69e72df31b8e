"""What a view shows, to be promised and taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpot_core.experiments import population as experiment
from dpot_core.guarantees import Guarantee


@dataclass(frozen=True)
class SyntheticDrawn:
    """Settings, tables, figures and the promise of the synthetic view."""

    config: experiment.SyntheticConfig
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    guarantee: Guarantee


@dataclass(frozen=True)
class Drawn:
    """Settings, tables and figures of a view, and the releases whose promises it makes.

    Attributes:
        config: the settings.
        tables: by name.
        figures: makes each figure, by name.
        releases: one of each mechanism that the view shows.
        others: further promises: name, towards the population, towards the people drawn.
        python: what the view computes beyond the map, appended to the map's Python.
    """

    config: experiment.Config
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    releases: tuple[experiment.Release, ...]
    others: tuple[tuple[str, Guarantee, Guarantee], ...] = ()
    python: str = ""

    @property
    def promises(self) -> tuple[tuple[str, Guarantee, Guarantee], ...]:
        """All promises: name, towards the population, towards the people drawn."""
        own = ((experiment.MECHANISMS[one.mechanism], one.guarantee, one.sample_guarantee) for one in self.releases)
        return (*own, *self.others)
