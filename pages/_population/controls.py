"""The sidebar of the page US population: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.population_csv import POPULATION_ROLES
from dpot_core.experiments import population as experiment
from pages import _shell as shell
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
VIEWS = {
    "map": "Map",
    "curves": "Curves",
    "inside": "Inside",
    "sensitivity": "Is the sensitivity true?",
    "synthetic": "Synthetic",
}
REGIONS = {"us": "Contiguous United States", "box": "A box"}
WITHOUT = {"weight": "(every row is one person)", "group": "(one group)"}


@dataclass(frozen=True)
class Choice:
    """What the sidebar says: the settings, and the file if there is one."""

    config: experiment.Config
    table: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    asked = partial(ask, controls, experiment.Config)
    source = asked("source")
    table, columns, outside, box = _own(controls) if source == "csv" else (None, (), "clip", None)
    ways = {key: experiment.GROUPS[key] for key in experiment.GROUPS_OF[source]}
    groups = controls.choice(f"{source}_groups", "Groups", ways, next(iter(ways)))
    first = {name: asked(name) for name in ("epsilon", "n", "m", "adjacency", "guarantee")}
    with st.expander("Noise, solver, seed"):
        rest = {name: asked(name) for name in ("delta", "method", "chunks", "steps", "reg", "seed")}
    own = {"source": source, "groups": groups, "columns": columns, "outside": outside, "box": box}
    return Choice(experiment.Config(**own, **first, **rest), table)


def _own(controls: shell.Controls) -> tuple[shell.Upload | None, shell.Columns, str, shell.Rectangle | None]:
    """The file, its columns, and the public region that it is for."""
    table = shell.upload(controls, "csv", "CSV file: lon, lat (or x, y) and, optionally, weight, group", ("csv", "txt"))
    columns: shell.Columns = ()
    if table is not None:
        columns = shell.columns_of(controls, table, datasets.sniff_population, POPULATION_ROLES, WITHOUT)
    region = controls.choice("region", "Public region", REGIONS, "us", help="Never read off the data: it is published.")
    box: shell.Rectangle | None = None
    if region == "box":
        box = shell.rectangle(controls)
    return table, columns, ask(controls, experiment.Config, "outside"), box
