"""The sidebar of the geolocation page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.experiments import geolocation as experiment
from pages import _shell as shell
from pages._shell.asking import ask

WITHOUT = {"count": "(every row is one visit)"}
CSV, GEOJSON = ("csv", "txt"), ("geojson", "json")
# These words stand in people's links: add, but do not reword.
OUTPUTS = {"cells": "Grid cells", "zones": "My zones"}


@dataclass(frozen=True)
class Choice:
    """What the sidebar says.

    Attributes:
        config: the settings.
        table: the CSV file, if there is one.
        zones: the GeoJSON file, if outputs are zones and there is one.
    """

    config: experiment.Config
    table: shell.Upload | None
    zones: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    source = ask(controls, experiment.Config, "source")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    within = 0.0
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: user, lat, lon and, optionally, count", CSV)
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_columns, ROLES, WITHOUT)
        within = ask(controls, experiment.Place, "within")
    epsilon = ask(controls, experiment.Config, "epsilon")
    base = ask(controls, experiment.Config, "base")
    n = ask(controls, experiment.Place, "n")
    outputs = controls.choice("outputs", "Released locations", OUTPUTS, "cells", kind="segments")
    zones = shell.upload(controls, "geojson", "GeoJSON file with polygons", GEOJSON) if outputs == "zones" else None
    with st.expander("People, solver"):
        least = ask(controls, experiment.Place, "least")
        reg = ask(controls, experiment.Config, "reg")
    place = experiment.Place(n, least, base == "prior", experiment.BOXES.get(source), within)
    config = experiment.Config(source, place, base, epsilon, reg, zones=outputs == "zones", columns=columns)
    return Choice(config, table, zones)
