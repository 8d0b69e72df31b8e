"""The sidebar of the page US population: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.population_csv import POPULATION_ROLES
from dpot_core.experiments import population as experiment
from pages import _shell as shell

SIZES = (500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5)
ATOMS = (1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
CHUNKS = (0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
DELTAS = (1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03)
# These words stand in people's links: add, but do not reword.
VIEWS = {
    "map": "Map",
    "curves": "Curves",
    "inside": "Inside",
    "sensitivity": "Is the sensitivity true?",
    "synthetic": "Synthetic",
}
SOURCES = {**{key: row.title for key, row in datasets.POPULATIONS.items()}, "csv": "My CSV file"}
GROUPS = {
    "places": {"everybody": "Everybody", "regions": "Four Census regions"},
    "tracts": {"everybody": "Everybody", "regions": "Four Census regions", "race": "Adults by race"},
    "csv": {"file": "As in the file", "everybody": "Everybody"},
}
REGIONS = {"us": "Contiguous United States", "box": "A box"}
OUTSIDE = {"clip": "Move to the nearest point of it", "reject": "Leave out"}
WITHOUT = {"weight": "(every row is one person)", "group": "(one group)"}

HELP_DELTA = (
    "Slack of the perturbation, towards the whole population; towards the people drawn it is larger by the inverse of "
    "their share. The coreset needs none."
)
HELP_CHUNKS = (
    "For the paper's perturbation and for means over chunks: each group is split into k' parts at random. More parts, "
    "less noise, but each part knows less. Automatic: parts of four people for each atom."
)
HELP_METHOD = (
    "Sums over cells: how many people each atom's cell holds and where they are on average, with noise. Means over "
    "chunks: the paper's chunks, each with its plan to the fixed atoms."
)
HELP_REG = (
    "Weight of the entropy for the non-private barycenter only, as in the paper, for costs scaled to a largest of 1. "
    "Exact: transport is solved exactly. The private ones are always exact."
)
HELP_GUARANTEE = (
    "Proven: noisy steps whose sensitivity is bounded whatever the data are. As in the paper: one noise on the final "
    "atoms, for a sensitivity that does not hold in general (see the view about it)."
)
HELP_OUTSIDE = (
    "Those left out are not in the data set, and no promise is made to them; the number of people left is public where "
    "one person is replaced."
)


@dataclass(frozen=True)
class Choice:
    """What the sidebar says: the settings, and the file if there is one."""

    config: experiment.Config
    table: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    source = controls.choice("data", "Data", SOURCES, "places")
    table, columns, outside, box = _own(controls) if source == "csv" else (None, (), "clip", None)
    groups = controls.choice(f"{source}_groups", "Groups", GROUPS[source], next(iter(GROUPS[source])))
    epsilon = controls.epsilon(1.0)
    n = int(controls.steps("n", "People drawn from each group, n", SIZES, 1e4, show=count_text))
    m = int(controls.steps("m", "Atoms of the barycenter, m", ATOMS, 12.0))
    adjacency = controls.choice("adjacency", "Neighbours", experiment.ADJACENCIES, "replace")
    guarantee = controls.choice(
        "guarantee", "Guarantee of the perturbation", experiment.GUARANTEES, "proven", help=HELP_GUARANTEE
    )
    with st.expander("Noise, solver, seed"):
        delta = controls.steps("delta", "δ of the perturbation", DELTAS, 1e-9, help=HELP_DELTA)
        method = controls.choice("method", "A proven step releases", experiment.METHODS, "cells", help=HELP_METHOD)
        chunks = int(controls.steps("chunks", "Chunks k' of a group", CHUNKS, 0.0, show=chunks_text, help=HELP_CHUNKS))
        steps = controls.integer("steps", "Noisy steps (proven)", 1, 10, 2)
        reg = controls.steps("lambda", "Entropic weight λ", REGS, 0.0, show=reg_text, help=HELP_REG)
        seed = controls.integer("seed", "Seed", 1, 9999, 1, kind="number")
    config = experiment.Config(
        source=source,
        groups=groups,
        n=n,
        m=m,
        chunks=chunks,
        epsilon=epsilon,
        delta=delta,
        adjacency=adjacency,
        guarantee=guarantee,
        method=method,
        steps=steps,
        reg=reg,
        seed=seed,
        columns=columns,
        outside=outside,
        box=box,
    )
    return Choice(config, table)


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
    outside = controls.choice("outside", "Points outside the region", OUTSIDE, "clip", help=HELP_OUTSIDE)
    return table, columns, outside, box


def count_text(value: float) -> str:
    """A number of people as it stands on its slider."""
    return f"{value:,.0f}"


def chunks_text(value: float) -> str:
    """A number of chunks as it stands on its slider."""
    return "automatic" if value == 0 else f"{value:g}"


def reg_text(value: float) -> str:
    """An entropic weight as it stands on its slider."""
    return "exact" if value == 0.0 else f"{value:g}"
