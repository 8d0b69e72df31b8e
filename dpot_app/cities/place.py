"""How check-ins become distributions over a city: the settings that all pages with a city share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpot_app.kit.setting import choice, free, number, number_text, settings, whole
from dpot_app.kit.values import ScenarioError
from dpot_core.datasets import BOXES, DATASETS
from dpot_core.datasets.city_grid import Box
from dpot_core.datasets.world import city_of

#: Cells per side that every view with a city takes, that a crowd takes, and that one person takes.
USUAL_SIDE, CROWD_SIDE, MAX_SIDE = 40, 128, 256
SIDES = (*range(5, USUAL_SIDE + 1), 48, 64, 80, 96, CROWD_SIDE, 160, 192, 224, MAX_SIDE)

#: At most so many people release a location, as in the paper's experiments.
MAX_PEOPLE = 500

WITHIN = (0.0, 5.0, 10.0, 20.0, 50.0, 100.0)
CITY_HELP = (
    "Where the simulated people live: any city of 50,000 people or more, by its English name (Munich, Lagos, Osaka). "
    "Its people are invented, its map is not. Empty: an invented city."
)
SOURCES = {key: data.title for key, data in DATASETS.items()} | {"csv": "My file"}

#: For "csv": (role, column) of the file, roles as in `read_checkins_csv`.
CsvRoles = tuple[tuple[str, str], ...]


def source() -> Any:
    """The field of the data: a key of `dpot_core.datasets.DATASETS`, or "csv"."""
    return choice("Data", "simulated", SOURCES, link="data")


def columns() -> Any:
    """The field of a file's columns."""
    return free("Columns of the file", ())


def kilometres_text(km: float) -> str:
    """How far from the busiest spot check-ins count, as the slider and links have it."""
    return "all" if km == 0.0 else number_text(km)


@settings
class Place:
    """Grid and people."""

    n: int = whole("Cells per side of the grid", 20, low=SIDES[0], high=MAX_SIDE, grid=SIDES, step=2.0, link="n")
    least: int = whole("Check-ins that a person needs", 10, low=1, high=10_000, soft=(1, 100), step=5.0, link="least")
    held_out: bool = free("Half of the people are set aside for a prior", False)
    box: Box | None = free(
        "Box of the grid: west, south, east, north (degrees)",
        None,
        empty="the public map of the data set; around the check-ins where it has none",
    )
    within: float = number(
        "Keep km around the busiest spot", 0.0, low=0.0, high=20_000.0, grid=WITHIN, link="within", show=kilometres_text
    )
    city: str = free("City", "", help=CITY_HELP)
    around: bool = free("The grid is drawn around the check-ins, which tells where the outermost are", False)

    def of(self, source: str) -> Place:
        """The place with the map that was fixed before a data set was looked at, unless another one is asked for."""
        if self.box or self.around:
            return self
        return replace(self, box=city_of(self.city).box if self.city else BOXES.get(source))


def one_map(place: Place, source: str, *outer: str) -> None:
    """Complain about a place that asks for two maps, or for a city that there is none of.

    Args:
        place: the place.
        source: of the people, a key of `DATASETS` or "csv".
        outer: the groups that it stands in.
    """
    if place.city:
        if source != "simulated":
            raise ScenarioError("must be empty unless the people are simulated", (*outer, "place", "city"))
        try:
            city_of(place.city)
        except ValueError as problem:
            raise ScenarioError(str(problem), (*outer, "place", "city")) from None
    if place.around and place.box is not None:
        raise ScenarioError("must be null where the grid is drawn around the check-ins", (*outer, "place", "box"))
