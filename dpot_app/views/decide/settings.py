from dpot_app.cities.place import USUAL_SIDE, WITHIN, kilometres_text
from dpot_app.kit.need import Need, Own
from dpot_app.kit.page import page_of
from dpot_app.kit.setting import choice, free, number, seed, settings, when, whole
from dpot_core.datasets import DATASETS, FILM_DATASETS

#: Range in which the smallest epsilon is looked for, nats.
LOWEST, HIGHEST = 0.01, 20.0

#: Width of the bracket, nats.
TOLERANCE = 1e-4

#: Values of epsilon that are tried first, where utility is known to improve with epsilon.
START = 25

#: Everything that can be needed, as the pages declare it.
NEEDS: dict[str, Need] = {
    need.key: need
    for page in ("geolocation", "movies", "ring", "mixture", "population", "sinkhorn")
    for need in page_of(page).needs
}


def data_link(need: Need) -> str:
    """Name in links of the data at hand."""
    return {"movies": "films", "population": "people"}.get(need.key, "city")


TITLES = {key: need.title for key, need in NEEDS.items()}
_POINTS = ("ring-tv", "ring")

#: (role, column) of a file.
Columns = tuple[tuple[str, str], ...]

# Cities and catalogues share the name of what is simulated.
_SOURCES = {
    **{key: data.title for key, data in (DATASETS | FILM_DATASETS).items()},
    "simulated": "Simulated",
    "csv": "My file",
}

#: What is asked for of a file of one's own only.
OWN = ("columns", "within", "cells", "least", "region", "box")

_own_city = when("need", "geolocation")


@settings
class Config:
    need: str = choice("What must be possible", "geolocation", TITLES, link="need")
    target: float = number("Target, in the unit of the need", 2.0, low=1e-6, high=1e6, step=1.25, factor=True)
    k: int = whole("Points (k)", 30, low=3, high=200, soft=(3, 100), link="k", shown=when("need", *_POINTS))
    p: int = whole(
        "Order p of the distance W_p", 2, low=1, high=8, soft=(1, 4), link="p", shown=when("need", "ring", "sphere")
    )
    d: int = whole(
        "Dimension d of the sphere", 2, low=1, high=100, soft=(1, 50), link="d", shown=when("need", "sphere")
    )
    seed: int = seed("Seed of the input at hand", 1, "seed", shown=when("need", *_POINTS))
    source: str = choice("Data at hand", "simulated", _SOURCES, widget="")
    columns: Columns = free("Columns of the file", ())
    within: float = number(
        "Keep km around the busiest spot",
        0.0,
        low=0.0,
        high=20_000.0,
        grid=WITHIN,
        link="within",
        show=kilometres_text,
        shown=lambda config: config.source == "csv" and _own_city(config),
    )
    cells: int = whole(
        "Cells per side of the grid",
        20,
        low=5,
        high=USUAL_SIDE,
        grid=range(5, USUAL_SIDE + 1),
        step=2.0,
        link="cells",
        shown=lambda config: config.source == "csv" and _own_city(config),
    )
    # One place each is what most files have.
    least: int = whole(
        "Check-ins that a person needs",
        1,
        low=1,
        high=10_000,
        soft=(1, 100),
        step=5.0,
        link="least",
        shown=lambda config: config.source == "csv" and _own_city(config),
    )
    region: str = free("Public region", "", help="Never read off the data: it is published.")
    box: tuple[float, float, float, float] | None = free(
        "Public rectangle: smallest x, smallest y, largest x, largest y", None, empty="the need's own"
    )

    @property
    def own(self) -> Own | None:
        """The file of the reader's own that is at hand, if it is one."""
        return NEEDS[self.need].own if self.source == "csv" else None


SIDEBAR = ("need", "target", "source", "columns", "within", "cells", "least", "region", "box", "d", "k", "seed", "p")
