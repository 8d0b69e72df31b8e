"""The sidebar of the geolocation page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.experiments import geolocation as experiment
from pages import _shell as shell

REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1)
WITHIN = (0.0, 5.0, 10.0, 20.0, 50.0, 100.0)
# These words stand in people's links: add, but do not reword.
SOURCES = {**{key: row.title for key, row in datasets.DATASETS.items()}, "csv": "My CSV file"}
BASES = {"best-uniform": "Best uniform", "minimax": "Minimax", "prior": "Public prior"}
WITHOUT = {"count": "(every row is one visit)"}
CSV, GEOJSON = ("csv", "txt"), ("geojson", "json")
OUTPUTS = {"cells": "Grid cells", "zones": "My zones"}

BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each output. Minimax: the smallest worst case that "
    "any mechanism can have. Public prior: the crowd of half of the people, who then do not release; using it "
    "costs their privacy unless it is public."
)
REG_HELP = (
    f"Weight of the entropy in Algorithm 1 ({experiment.ITERATIONS} iterations). It counts for distances divided by "
    "the largest one: λ means nothing without that scale. Exact takes longer."
)


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
    source = controls.choice("data", "Data", SOURCES, "simulated")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    within = 0.0
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: user, lat, lon and, optionally, count", CSV)
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_columns, ROLES, WITHOUT)
        within = controls.steps("within", "Keep km around the busiest spot", WITHIN, 0.0, show=_within)
    epsilon = controls.epsilon(2.0)
    base = controls.choice("base", "Base measure of WPM", BASES, "best-uniform", help=BASE_HELP)
    n = controls.integer("n", "Cells per side of the grid", 5, 40, 20)
    outputs = controls.choice("outputs", "Released locations", OUTPUTS, "cells", kind="segments")
    zones = shell.upload(controls, "geojson", "GeoJSON file with polygons", GEOJSON) if outputs == "zones" else None
    with st.expander("People, solver"):
        least = controls.integer("least", "Check-ins that a person needs", 1, 100, 10)
        reg = controls.steps("lambda", "Entropic weight λ", REGS, 0.01, show=_reg, help=REG_HELP)
    place = experiment.Place(n, least, base == "prior", experiment.BOXES.get(source), within)
    config = experiment.Config(source, place, base, epsilon, reg or None, zones=outputs == "zones", columns=columns)
    return Choice(config, table, zones)


def _reg(value: float) -> str:
    return "exact" if value == 0.0 else f"{value:g}"


def _within(value: float) -> str:
    return "all" if value == 0.0 else f"{value:g}"
