"""The sidebar of the private transport page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpot_core import datasets
from dpot_core.experiments import sinkhorn as experiment
from pages import _shell as shell
from pages._shell.asking import ask

# These words stand in people's links: add, but do not reword.
RECTANGLES = {"around": "Around the points", "fixed": "Fixed beforehand"}

RECTANGLE_HELP = (
    "The grid lies on it, so it is published. Drawn around the points it tells where the outermost ones are; one that "
    "was fixed without looking at them tells nothing. Points beyond it are moved to its edge."
)


@dataclass(frozen=True)
class Choice:
    """What the sidebar says.

    Attributes:
        config: the settings.
        table: the CSV file, if there is one.
    """

    config: experiment.Config
    table: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    asked = partial(ask, controls, experiment.Config)
    source = asked("data.source")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    n, box = experiment.Data().n, None
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: group, x, y", ("csv", "txt"))
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_pair, datasets.PAIR_ROLES)
        fixed = controls.choice("rectangle", "Public rectangle", RECTANGLES, "around", help=RECTANGLE_HELP) == "fixed"
        box = shell.rectangle(controls) if fixed else None
    else:
        n = asked("data.n")
    first = {name: asked(name) for name in ("guarantee", "epsilon", "eta", "steps", "share")}
    cells = asked("data.cells")
    with st.expander("Cost, δ, neighbours, seeds"):
        p = asked("data.p")
        rest = {name: asked(name) for name in ("delta", "people", "floor", "constants")}
        data = experiment.Data(source, n, asked("data.seed"), cells, p, columns, box)
        config = experiment.Config(data, **first, **rest, draw=asked("draw"))
    return Choice(config, table)
