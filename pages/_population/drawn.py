"""What a view shows, to be promised and taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpot_core.experiments import population as experiment
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios.kinds import HasTables


@dataclass(frozen=True)
class SyntheticDrawn:
    """Settings, tables, figures and the promise of the synthetic view.

    Attributes:
        kind: key of what can be run, for the board.
        results: what running it gives; empty where the reader has abandoned a part.
        config: the settings.
        tables: by name.
        figures: makes each figure, by name.
        guarantee: what is promised.
    """

    kind: str
    results: tuple[HasTables, ...]
    config: experiment.SyntheticConfig
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    guarantee: Guarantee


@dataclass(frozen=True)
class Drawn:
    """Settings, tables and figures of a view, and the releases whose promises it makes.

    Attributes:
        kind: key of what can be run, for the board.
        results: what running it gives; empty where the reader has abandoned a part.
        config: the settings.
        tables: by name.
        figures: makes each figure, by name.
        releases: one of each mechanism that the view shows.
        others: further promises: name, towards the population, towards the people drawn.
        group: number of the group, from 0, of the view that shows one only.
        python: what the view computes beyond the map, appended to the map's Python.
    """

    kind: str
    results: tuple[HasTables, ...]
    config: experiment.Config
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    releases: tuple[experiment.Release, ...]
    others: tuple[tuple[str, Guarantee, Guarantee], ...] = ()
    python: str = ""
    group: int = 0

    @property
    def settings(self) -> experiment.Config | experiment.InsideConfig:
        """What the board keeps."""
        return experiment.InsideConfig(self.config, self.group) if self.kind == "population.inside" else self.config

    @property
    def promise(self) -> Guarantee:
        """What the board keeps: of the perturbation as set, or of the only release."""
        names = experiment.GUARANTEES[self.config.guarantee].lower()
        return next((one for name, one, _ in self.promises if name.endswith(names)), self.promises[-1][1])

    @property
    def promises(self) -> tuple[tuple[str, Guarantee, Guarantee], ...]:
        """All promises: name, towards the population, towards the people drawn."""
        own = ((experiment.MECHANISMS[one.mechanism], one.guarantee, one.sample_guarantee) for one in self.releases)
        return (*own, *self.others)
