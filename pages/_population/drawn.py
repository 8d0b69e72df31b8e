"""What a view shows, to be promised and taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpot_core.disclosures import Disclosure
from dpot_core.experiments import population as experiment
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios.kinds import HasTables


@dataclass(frozen=True)
class Shown:
    """What every view has to be taken away.

    Attributes:
        kind: key of what can be run, for the board.
        results: what running it gives; empty where the reader has abandoned a part.
        config: the settings.
        tables: by name.
        figures: makes each figure, by name.
    """

    kind: str
    results: tuple[HasTables, ...]
    config: experiment.Config | experiment.SyntheticConfig
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]


@dataclass(frozen=True)
class SyntheticDrawn(Shown):
    """The synthetic view.

    Attributes:
        guarantee: what one release at these settings would promise.
    """

    config: experiment.SyntheticConfig
    guarantee: Guarantee


@dataclass(frozen=True)
class Drawn(Shown):
    """A view of people, and the releases whose promises it makes.

    Attributes:
        releases: one of each mechanism that the view shows.
        others: further promises: name, towards the population, towards the people drawn.
        python: what the view computes beyond the map, appended to the map's Python.
        group: number of the group, from 0, of the view that shows one only.
    """

    config: experiment.Config
    releases: tuple[experiment.Release, ...]
    others: tuple[tuple[str, Guarantee, Guarantee], ...] = ()
    python: str = ""
    group: int = 0

    @property
    def settings(self) -> experiment.Config | experiment.InsideConfig:
        """What the board keeps."""
        return experiment.InsideConfig(self.config, self.group) if self.kind == "population.inside" else self.config

    @property
    def disclosure(self) -> Disclosure:
        """What is released in the numbers."""
        view = self.kind.removeprefix("population.")
        return experiment.disclosure(view, [(name, promise) for name, promise, _ in self.promises], self.config.seed)

    @property
    def promises(self) -> tuple[tuple[str, Guarantee, Guarantee], ...]:
        """All promises: name, towards the population, towards the people drawn."""
        own = ((experiment.MECHANISMS[one.mechanism], one.guarantee, one.sample_guarantee) for one in self.releases)
        return (*own, *self.others)
