"""The sidebar of the metric privacy page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.experiments import geolocation
from dpot_core.experiments import metric as experiment
from pages import _shell as shell

# These words stand in people's links: add, but do not reword.
SOURCES = {**{key: row.title for key, row in datasets.DATASETS.items()}, "csv": "My CSV file"}
COUNTS = {"1": "One", "2": "Two", "3": "Three"}
WITHOUT = {"count": "(every row is one visit)"}
DELTAS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-3)
WITHIN = (0.0, 5.0, 10.0, 20.0, 50.0, 100.0)
NAMES = ("First", "Second", "Third")
DEFAULTS = ((1 / 30, 5.0), (1.0, 0.5), (0.001, 50.0))

EPSILON_HELP = (
    "How much each change below may cost: it makes no output more than e^ε times as likely. Larger changes cost more, "
    "smaller ones less, in proportion to fraction times distance."
)
WITHIN_HELP = (
    "What lies farther away counts at the nearest point of the map's edge: leaving it out would let one visit that "
    "crosses the edge change the weight of all others. The spot is taken from the data; the promise does not cover it."
)
DELTA_HELP = "Used by Gaussian noise and by shuffling; everything else has δ = 0."


@dataclass(frozen=True)
class Choice:
    """What the sidebar says.

    Attributes:
        config: the settings that all views share.
        table: the CSV file, if there is one.
    """

    config: experiment.Config
    table: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    epsilon = controls.epsilon(1.0, help=EPSILON_HELP)
    count = int(controls.choice("count", "Kinds of changes that are protected", COUNTS, "2", kind="segments"))
    changes = tuple(_change(controls, number) for number in range(count))
    source = controls.choice("data", "Data", SOURCES, "simulated")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    within = 0.0
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: user, lat, lon and, optionally, count", ("csv", "txt"))
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_columns, ROLES, WITHOUT)
        within = controls.steps(
            "within", "Map: km around the busiest spot", WITHIN, 0.0, show=_within, help=WITHIN_HELP
        )
    with st.expander("People, grid, δ"):
        least = controls.integer("least", "Check-ins that a person needs", 1, 100, 10)
        n = controls.integer("n", "Cells per side of the grid", 5, 40, 20)
        delta = controls.steps("delta", "Slack δ", DELTAS, 1e-6, help=DELTA_HELP)
    place = geolocation.Place(n, least, box=geolocation.BOXES.get(source), within=within)
    return Choice(experiment.Config(source, place, columns, changes, epsilon, delta), table)


def _within(value: float) -> str:
    return "all" if value == 0.0 else f"{value:g}"


def _change(controls: shell.Controls, number: int) -> tuple[float, float]:
    share, km = DEFAULTS[number]
    tau = controls.steps(
        f"share{number + 1}",
        f"{NAMES[number]}: so much of one person's visits …",
        tuple(experiment.SHARES),
        share,
        show=experiment.SHARES.__getitem__,
        formerly=experiment.FORMERLY,
    )
    return tau, controls.steps(f"km{number + 1}", "… moved within so many km", experiment.KILOMETRES, km)
