"""What the geolocation page is asked for: data, grid, base measure, privacy parameter."""

from __future__ import annotations

from dpot_core.datasets import DATASETS
from dpot_core.datasets.city_grid import Box
from dpot_core.mechanisms import compared_in_distance
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import choice, free, group, number, number_text, settings, whole

#: Mechanisms that are compared, keys of `dpot_core.MECHANISMS`.
MECHANISMS = tuple(compared_in_distance())

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40

#: At most so many people release a location, as in the paper's experiments.
MAX_PEOPLE = 500

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-3

REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1)
WITHIN = (0.0, 5.0, 10.0, 20.0, 50.0, 100.0)
# These words stand in people's links: add, but do not reword.
SOURCES = {key: data.title for key, data in DATASETS.items()} | {"csv": "My CSV file"}
BASES = {"best-uniform": "Best uniform", "minimax": "Minimax", "prior": "Public prior"}
BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each output. Minimax: the smallest worst case that "
    "any mechanism can have. Public prior: the crowd of half of the people, who then do not release; using it "
    "costs their privacy unless it is public."
)
REG_HELP = (
    f"Weight of the entropy in Algorithm 1 ({ITERATIONS} iterations). It counts for distances divided by the largest "
    "one: λ means nothing without that scale. Exact takes longer."
)


def kilometres_text(km: float) -> str:
    """How far from the busiest spot check-ins count, as the slider and links have it."""
    return "all" if km == 0.0 else number_text(km)


@settings
class Place:
    """How check-ins become distributions.

    Attributes:
        n: cells per side of the grid.
        least: people with fewer check-ins are left out.
        held_out: whether half of the people are set aside, to make a prior from them.
        box: west, south, east, north of the grid, degrees; None: around the check-ins.
        within: keep only what lies within so many km of the busiest spot; 0: everything.
    """

    n: int = whole("Cells per side of the grid", 20, low=2, high=40, soft=(5, 40), step=2.0, widget="slider", link="n")
    least: int = whole(
        "Check-ins that a person needs",
        10,
        low=1,
        high=10_000,
        soft=(1, 100),
        step=5.0,
        widget="slider",
        link="least",
    )
    held_out: bool = free("Half of the people are set aside for a prior", False)
    box: Box | None = free("Box of the grid: west, south, east, north (degrees)", None, empty="around the check-ins")
    within: float = number(
        "Keep km around the busiest spot",
        0.0,
        low=0.0,
        high=20_000.0,
        grid=WITHIN,
        widget="steps",
        link="within",
        show=kilometres_text,
    )


@settings
class Config:
    """All settings of the page; grid, base, lambda and iterations default to those of wpm_2605.10015, section 5.3.

    Attributes:
        source: a key of `dpot_core.datasets.DATASETS`, or "csv".
        place: grid and people.
        base: base measure of WPM: "best-uniform", "minimax" or "prior" (the crowd of the people set aside).
        epsilon: privacy parameter in nats.
        reg: entropic weight lambda of WPM for costs scaled to a largest distance of 1; None for exact.
        person: whose distribution is shown: 1 has the most check-ins.
        zones: whether outputs are zones that were uploaded, not the cells of the grid.
        columns: for "csv": (role, column) of the file, roles as in `read_checkins_csv`.
    """

    source: str = choice("Data", "simulated", SOURCES, link="data")
    place: Place = group(Place)
    base: str = choice("Base measure of WPM", "best-uniform", BASES, link="base", help=BASE_HELP)
    epsilon: float = epsilon(2.0)
    reg: float | None = number(
        "Entropic weight λ",
        0.01,
        low=1e-4,
        high=1.0,
        step=2.0,
        factor=True,
        empty="exact",
        grid=REGS,
        widget="steps",
        link="lambda",
        help=REG_HELP,
    )
    person: int = whole(
        "Person (1 has the most check-ins)",
        1,
        low=1,
        high=1_000_000,
        soft=(1, MAX_PEOPLE),
        step=None,
        widget="field",
        link="person",
    )
    zones: bool = free("Outputs are zones of one's own", False)
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", ())
