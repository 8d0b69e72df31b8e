"""What the geolocation page is asked for: data, grid, base measure, privacy parameter."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpot_core.datasets.city_grid import Box
from dpot_core.mechanisms import compared_in_distance

#: Mechanisms that are compared, keys of `dpot_core.MECHANISMS`.
MECHANISMS = tuple(compared_in_distance())

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40

#: At most so many people release a location, as in the paper's experiments.
MAX_PEOPLE = 500

#: Relative gap to which the minimax base measure is solved.
MINIMAX_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Place:
    """How check-ins become distributions.

    Attributes:
        n: cells per side of the grid.
        least: people with fewer check-ins are left out.
        held_out: whether half of the people are set aside, to make a prior from them.
        box: west, south, east, north of the grid, degrees; None: around the check-ins.
        within: keep only what lies within so many km of the busiest spot; 0: everything.
    """

    n: int = 20
    least: int = 10
    held_out: bool = False
    box: Box | None = None
    within: float = 0.0


@dataclass(frozen=True)
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

    source: str = "simulated"
    place: Place = field(default_factory=Place)
    base: str = "best-uniform"
    epsilon: float = 2.0
    reg: float | None = 0.01
    person: int = 1
    zones: bool = False
    columns: tuple[tuple[str, str], ...] = ()
