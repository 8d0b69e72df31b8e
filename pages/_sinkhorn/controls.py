"""The sidebar of the private transport page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.experiments import sinkhorn as experiment
from pages import _shell as shell

# These words stand in people's links: add, but do not reword.
SOURCES = {
    **datasets.SIMULATED_PAIRS,
    **{key: f"Check-ins, {row.title}" for key, row in datasets.DATASETS.items()},
    "simulated": "Check-ins, simulated city",
    "gowalla-austin": "Check-ins, Gowalla Austin",
    "csv": "My CSV file",
}
GUARANTEES = {"proven": "Proven", "paper": "Paper, not proven"}
PEOPLE = {"one": "One of the two sets", "both": "Both sets"}
CONSTANTS = {"corrected": "Corrected", "printed": "As printed"}
RECTANGLES = {"around": "Around the points", "fixed": "Fixed beforehand"}
COSTS = {"2": "Squared distance", "1": "Distance"}

SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
ETAS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
FLOORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)

ETA_HELP = (
    "Weight of the entropy, over the largest cost |c|. Smaller: a sharper plan, and potentials that one person can "
    "change more, so more noise."
)
SHARE_HELP = "The rest pays for the potentials. The plan needs both."
RECTANGLE_HELP = (
    "The grid lies on it, so it is published. Drawn around the points it tells where the outermost ones are; one that "
    "was fixed without looking at them tells nothing. Points beyond it are moved to its edge."
)
FLOOR_HELP = "Mixes so much of the uniform distribution into both sets inside the algorithm: a bias, for less noise."


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
    source = controls.choice("data", "Two data sets", SOURCES, "gaussians")
    table: shell.Upload | None = None
    columns: shell.Columns = ()
    n, box = 20_000, None
    if source == "csv":
        table = shell.upload(controls, "csv", "CSV file: group, x, y", ("csv", "txt"))
        columns = () if table is None else shell.columns_of(controls, table, datasets.sniff_pair, datasets.PAIR_ROLES)
        fixed = controls.choice("rectangle", "Public rectangle", RECTANGLES, "around", help=RECTANGLE_HELP) == "fixed"
        box = shell.rectangle(controls) if fixed else None
    else:
        n = int(controls.steps("n", "Points of each set (n)", SIZES, 20_000))
    guarantee = controls.choice("guarantee", "Noisy Sinkhorn", GUARANTEES, "proven", kind="segments")
    epsilon = controls.epsilon(1.0)
    eta = controls.steps("eta", "Entropic weight η / |c|", ETAS, 0.3, help=ETA_HELP)
    steps = controls.integer("rounds", "Rounds K", 1, 20, 3)
    share = controls.steps("share", "Share of the budget for the histograms", SHARES, 0.5, help=SHARE_HELP)
    cells = controls.integer("cells", "Cells per side of the grid", 3, 16, 8)
    with st.expander("Cost, δ, neighbours, seeds"):
        p = int(controls.choice("cost", "Cost", COSTS, "2"))
        delta = controls.steps("delta", "δ", DELTAS, 1e-5)
        people = controls.choice("people", "One person has a point in", PEOPLE, "one")
        floor = controls.steps("floor", "Uniform share inside the algorithm", FLOORS, 0.0, help=FLOOR_HELP)
        constants = controls.choice("constants", "Constants of the paper", CONSTANTS, "corrected")
        seed = controls.integer("seed", "Seed of the points", 0, 9999, 0, kind="number")
        draw = controls.integer("draw", "Seed of the noise", 0, 9999, 0, kind="number")
    data = experiment.Data(source, n, seed, cells, p, columns, box)
    config = experiment.Config(data, eta, epsilon, delta, steps, share, floor, people, guarantee, constants, draw)
    return Choice(config, table)
