from dpot_app.cities.city import ITERATIONS
from dpot_app.cities.place import MAX_PEOPLE, MAX_SIDE, USUAL_SIDE, CsvRoles, Place, columns, one_map, source
from dpot_app.kit.fields import BASE, LOSS_HELP, SOLVER_HELP, entropic_weight, epsilon, order
from dpot_app.kit.fields import MECHANISMS as MECHANISMS_LABEL
from dpot_app.kit.links import CannotShowError, Parameters, parameters
from dpot_app.kit.page import Expander, block
from dpot_app.kit.setting import choice, choices, free, group, settings, steps, typed
from dpot_app.kit.values import ScenarioError
from dpot_core.datasets.drawn import START, read_drawing
from dpot_core.mechanisms import LABELS

TITLE = "Geolocation"

#: Distances of the slider of what one person gets, km.
BEYOND = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0)

#: Shares of the people, in per cent, and epsilons, of a private choice of epsilon.
SHARES = (50.0, 60.0, 70.0, 75.0, 80.0, 90.0, 95.0, 100.0)
SPENT = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)

REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1)
BASES = {"best-uniform": "Best uniform", "minimax": "Minimax", "prior": "Public prior", "own": "My own"}
OUTPUTS = {"cells": "Grid cells", "zones": "My zones"}
BELIEFS = {"uniform": "Uniform", "crowd": "Like the crowd set aside"}
WHO = {"data": "Of the data", "hand": "Drawn by hand"}
BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each output. Minimax: the smallest worst case that "
    "any mechanism can have. Public prior: the crowd of half of the people, who then do not release. Using it costs "
    "their privacy unless it is public. My own: weights that you draw; they must be public."
)
OWN_HELP = (
    "Public weights, from nothing that is private. Each cell has weight 1, and more at the places that you give. Each "
    "place is three numbers: east, north (shares of the map, 0 to 1) and weight. Places stand between semicolons. A "
    "person drawn by hand can be used, too."
)
ENOUGH_HELP = "A person has enough where nine of ten releases land no farther than that from one of their places."
SPENT_HELP = (
    "A choice of ε by people's data tells something about them. It costs each of them this ε, on top of the ε of the "
    "release. A small one makes the choice coarse."
)
REG_HELP = f"{SOLVER_HELP} {ITERATIONS} iterations. Exact takes longer."
LOSS_HELP_HERE = (
    f"{LOSS_HELP} Here in kilometres. The outputs of KPM, k-RR and EM do not depend on p, but their distances do."
)
MECHANISMS_HELP = (
    "The mechanisms that are shown. The crowd and the downloads always hold all mechanisms that are compared by "
    "distance. The tab Worst case has those whose worst case is known exactly."
)


@settings
class Config:
    """All settings of the page; grid, base, lambda, iterations default to wpm_2605.10015, appendices M.1, N."""

    source: str = source()
    place: Place = group(Place)
    base: str = choice(BASE, "best-uniform", BASES, link="base", help=BASE_HELP)
    own: str = free(
        "My base measure: east north weight; …", "", shown=lambda config: config.base == "own", help=OWN_HELP
    )
    epsilon: float = epsilon(2.0)
    reg: float | None = entropic_weight(0.01, REGS, REG_HELP)
    person: int = typed(
        "Person (1 has the most check-ins)", 1, "person", low=1, high=1_000_000, soft=(1, MAX_PEOPLE), step=None
    )
    zones: bool = free("Outputs are zones of one's own", False)
    columns: CsvRoles = columns()
    drawn: str = free("Person drawn by hand: east, north (shares of the map) and weight of each place", "")
    p: float = order(1.0, high=4.0, step=1.0, help=LOSS_HELP_HERE)
    mechanisms: tuple[str, ...] = choices(
        MECHANISMS_LABEL, ("wpm", "kpm", "em"), LABELS, link="mechanisms", help=MECHANISMS_HELP
    )

    belief: str = choice(
        "Prior of the best guess",
        "uniform",
        BELIEFS,
        link="belief",
        help="The knowledge about where a person is before the release. The crowd of those set aside has to be public.",
        shown=lambda config: config.base == "prior",
    )
    beyond: float = steps("Releases farther than (km)", 2.0, BEYOND, "beyond", 1.5, low=0.0, high=1000.0)
    enough: float = steps(
        "Enough for this share of people (%)", 90.0, SHARES, "enough", 1.25, low=5.0, high=100.0, help=ENOUGH_HELP
    )
    spent: float = steps("ε spent on the choice", 0.5, SPENT, "spent", 2.0, low=0.01, high=20.0, help=SPENT_HELP)

    @property
    def uses_crowd(self) -> bool:
        """Whether the people set aside make a base measure or a prior: then their privacy is not covered."""
        return self.base == "prior" or ("kpm-prior" in self.mechanisms and self.place.held_out)

    @property
    def laid(self) -> Place:
        """The place with the map that it has."""
        return self.place.of(self.source)


#: What the sidebar asks for, in order; the page fills in who is set aside.
#: What a first visit shows: people in a real city. Settings and links that name no city mean the invented one.
FIRST = Config(place=Place(city="Lisbon, PT"))

SIDEBAR = block(
    *("source", "columns", "place.city", "place.within", "zones"),
    loss="p",
    solver="reg",
    base=("base", "own", "place.held_out"),
    mechanisms="mechanisms",
    folded=Expander("Grid, people, best guess", ("place.n", "place.least", "belief")),
)


def requirements(config: Config, side: int = MAX_SIDE, every_base: bool = False, every_order: bool = True) -> None:
    """Complain about settings that a view does not take.

    Args:
        side: the largest number of cells per side.
        every_base: whether it takes every base measure on fine grids.
        every_order: whether it takes every order of the loss on fine grids.
    """
    if config.place.n > side:
        more = f"one person and the worst case take {MAX_SIDE}"
        raise ScenarioError(f"the cells per side must be at most {side} for this view; {more}", ("place", "n"))
    if config.place.n > USUAL_SIDE and config.base != "best-uniform" and not every_base:
        what = (
            f"the cells per side must be at most {USUAL_SIDE} unless the base measure is uniform. The worst case takes "
            f"every base measure up to {MAX_SIDE}"
        )
        raise ScenarioError(what, ("place", "n"))
    if config.place.n > USUAL_SIDE and config.p != 1.0 and not (every_order or config.zones):
        what = (
            f"the order p must be 1 here for more than {USUAL_SIDE} cells per side. On such grids only W₁ of crowds is "
            "known to within a share. One person and the worst case take every p"
        )
        raise ScenarioError(what, ("p",))
    for name, drawing, asked in (
        ("drawn", config.drawn, bool(config.drawn)),
        ("own", config.own, config.base == "own"),
    ):
        try:
            read_drawing(drawing if asked else START)
        except ValueError as problem:
            raise ScenarioError(str(problem), (name,)) from None
    one_map(config.place, config.source)
    if config.base == "prior" and not config.place.held_out:
        raise ScenarioError("must be true for a prior: it is made from people who are set aside", ("place", "held_out"))


def link(tab: str, config: Config) -> Parameters:
    place = config.place
    if config.source == "csv" or config.zones:
        raise CannotShowError("files of your own in a link")
    usual = Place(n=place.n, least=place.least, held_out=config.base == "prior", city=place.city)
    if config.laid != usual.of(config.source):
        raise CannotShowError(f"the grid {place}")
    # Asked for on one tab only, and for a file of one's own only.
    one, gets = tab == "person", tab == "gets"
    hidden = {"within", "drawn", *(() if (one and not config.drawn) or gets else ("person",))}
    hidden |= set() if gets else {"beyond", "enough", "spent"}
    carried = {name: value for name, value in parameters(config).items() if name not in hidden}
    if one:
        carried["who"] = "hand" if config.drawn else "data"
        carried |= {"drawn": config.drawn} if config.drawn else {}
    if config.base == "own":
        carried["own"] = config.own
    if place.city:
        carried["city"] = place.city
    return carried | {"outputs": "cells", "view": tab}
