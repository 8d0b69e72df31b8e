"""From data and settings to what the views need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpot_core.cities.city import City, make_city
from dpot_core.cities.loading import CHECK_INS, load_check_ins
from dpot_core.datasets import CheckIns
from dpot_core.disclosures import Disclosure
from dpot_core.experiments import metric as experiment
from dpot_core.guarantees import Guarantee
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell
from pages._metric.controls import Choice
from pages._shell.city_files import BRING_CHECK_INS

#: For caches: a city is known by what it was made from.
KEYS: dict[str | type[Any], Callable[[Any], Any]] = {City: lambda city: city.key}


@dataclass(frozen=True)
class Scene:
    """What all views need.

    Attributes:
        city: people, their histograms over the grid, the map.
        config: the settings that all views share.
    """

    city: City
    config: experiment.Config

    @property
    def largest(self) -> float:
        """The largest distance: diagonal of the map's box, km."""
        return experiment.diameter(self.city)

    @property
    def alpha(self) -> float:
        """Nats per largest distance."""
        return experiment.rate(self.config, self.largest)


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away.

    Attributes:
        config: the view's settings.
        tables: every number drawn, by name.
        figures: makes each figure, by name.
        snippet: makes the Python that computes the same.
        guarantee: what one release at these settings promises.
        disclosure: what is released in the numbers.
        results: of the experiments, for the board.
    """

    config: object
    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Callable[[], go.Figure]]
    snippet: Callable[[], str]
    guarantee: Guarantee
    disclosure: Disclosure
    results: tuple[HasTables, ...]


def make_scene(data: CheckIns, choice: Choice) -> Scene | None:
    """The city, or None while it cannot be had (the screen says why)."""
    try:
        with st.spinner("Laying the grid …"):
            return Scene(make_city(data, choice.config.place, clamp=True), choice.config)
    except ValueError as problem:
        st.error(f"These data and settings do not fit together: {shell.as_text(str(problem))}.")
        return None


def check_ins(
    controls: shell.Controls, source: str, table: shell.Upload | None, columns: shell.Columns
) -> CheckIns | None:
    """The check-ins, or None while they are missing or cannot be used (the screen says why)."""
    if source == "csv" and table is None:
        st.info(BRING_CHECK_INS)
        return None
    files = {} if table is None else {CHECK_INS: table.content}
    return shell.loaded(controls, lambda: load_check_ins(source, files, columns))
