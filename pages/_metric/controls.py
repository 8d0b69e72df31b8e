"""The sidebar of the metric privacy page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from dpot_core import datasets
from dpot_core.cities.place import Place
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.experiments import metric as experiment
from dpot_core.studies._kit.setting import declared
from pages import _shell as shell
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
COUNTS = {"1": "One", "2": "Two", "3": "Three"}
WITHOUT = {"count": "(every row is one visit)"}
NAMES = ("First", "Second", "Third")
DEFAULTS = ((1 / 30, 5.0), (1.0, 0.5), (0.001, 50.0))

#: Here visits that lie farther away are moved, not left out.
WITHIN = replace(
    declared(Place)["within"],
    label="Map: km around the busiest spot",
    help="What lies farther away counts at the nearest point of the map's edge: leaving it out would let one visit "
    "that crosses the edge change the weight of all others. The spot is taken from the data; the promise does not "
    "cover it.",
)


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
    epsilon = ask(controls, experiment.Config, "epsilon")
    count = int(controls.choice("count", "Kinds of changes that are protected", COUNTS, "2", kind="segments"))
    changes = tuple(_change(controls, number) for number in range(count))
    source = ask(controls, experiment.Config, "source")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    within = 0.0
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: user, lat, lon and, optionally, count", ("csv", "txt"))
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_columns, ROLES, WITHOUT)
        within = ask(controls, Place, "within", WITHIN)
    with st.expander("People, grid, δ"):
        least = ask(controls, Place, "least")
        n = ask(controls, Place, "n")
        delta = ask(controls, experiment.Config, "delta")
    place = Place(n, least, box=datasets.BOXES.get(source), within=within)
    return Choice(experiment.Config(source, place, columns, changes, epsilon, delta), table)


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
