from typing import Any

from dpot_app.kit.fields import epsilon, slack
from dpot_app.kit.links import CannotShowError, Parameters, parameters
from dpot_app.kit.page import Expander
from dpot_app.kit.reading import ALSO_READ
from dpot_app.kit.setting import choice, evenly, free, group, number, seed, settings, steps, when, whole
from dpot_app.kit.values import ScenarioError
from dpot_core.datasets import DATASETS, SIMULATED_PAIRS, check_rectangle

#: Ways to a plan and potentials, with their names on screen.
ROUTES = {"sinkhorn": "Noisy Sinkhorn", "histograms": "Histograms first"}

#: Ways to the cost alone: names on screen.
COSTS = {
    "laplace": "Direct Laplace",
    "histograms": "Histograms first",
    "proven": "Noisy Sinkhorn, proven",
    "paper": "Noisy Sinkhorn, paper",
    "two-stage": "Two-stage DP-OT, paper",
}

#: Methods whose guarantee is claimed, not proven.
CLAIMED = ("paper", "two-stage")

#: Algorithm 1 needs a potential for every point: it gets the first so many of each set.
PAPER_POINTS = 200

#: Rounds of Sinkhorn's algorithm where no noise is added.
ROUNDS = 200

#: Values of epsilon of the curves, and draws of the noise at each.
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
DRAWS = 20

CITIES = {"simulated": "Check-ins, simulated city", "gowalla-austin": "Check-ins, Gowalla Austin"}
SOURCES = {
    **SIMULATED_PAIRS,
    **{key: CITIES.get(key, f"Check-ins, {data.title}") for key, data in DATASETS.items()},
    "csv": "My file",
}
BRING = (
    "Bring a CSV file in the controls: one row for each point, with the columns group, x and y. It holds two groups. "
    f"{ALSO_READ} The file stays in the memory of the app. It is not written to disk, and not part of the link."
)
POWERS = {2: "Squared distance", 1: "Distance"}
PEOPLE = {"one": "One of the two sets", "both": "Both sets"}
GUARANTEES = {"proven": "Proven", "paper": "Paper, not proven"}
CONSTANTS = {"corrected": "Corrected", "printed": "As printed"}

SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
ETAS = (0.01, 0.015, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
FLOORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)

ETA_HELP = (
    "Weight of the entropy over the largest cost |c|: how much the plan is blurred. A smaller η gives a sharper plan. "
    "One person can then change the potentials more, so they need more noise."
)
SHARE_HELP = "The rest pays for the potentials: what one more unit of mass in a cell would cost. The plan needs both."
FLOOR_HELP = (
    "This share of the uniform distribution is mixed into both sets inside the algorithm. It adds a bias and lowers "
    "the noise."
)

_own = when("source", "csv")


@settings
class Data:
    """Two sets of points on a public grid; a file of one's own ("csv") keeps all its points."""

    source: str = choice("Two data sets", "gaussians", SOURCES, link="data")
    n: int = steps(
        "Points of each set (n)",
        20_000,
        SIZES,
        "n",
        2.0,
        low=2,
        high=10**8,
        shown=lambda data: not _own(data),
        show="{:,.0f}".format,
    )
    seed: int = seed("Seed of the points", 0, "seed")
    cells: int = whole(
        "Cells per side of the grid", 8, low=2, high=16, soft=(3, 16), step=2, widget="slider", link="cells"
    )
    p: int = evenly(
        "Cost, a power of the distance", 2, [*POWERS], "cost", 1, low=1, high=4, show=POWERS.__getitem__, widget="list"
    )
    # (role, column) of each.
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", (), shown=_own)
    box: tuple[float, float, float, float] | None = free(
        "Public rectangle: smallest x, smallest y, largest x, largest y", None, empty="around the points", shown=_own
    )


@settings
class Config:
    """All settings of the page; epsilon and delta are for everything that is released."""

    data: Data = group(Data)
    eta: float = steps("Entropic weight η / |c|", 0.3, ETAS, "eta", 1.5, low=1e-3, high=10.0, help=ETA_HELP)
    epsilon: float = epsilon(1.0)
    delta: float = slack("Slack δ", 1e-5, DELTAS)
    steps: int = whole("Rounds K", 3, low=1, high=200, soft=(1, 20), widget="slider", link="rounds")
    share: float = evenly(
        "Share of the budget for the histograms", 0.5, SHARES, "share", 0.1, low=0.0, high=1.0, help=SHARE_HELP
    )
    floor: float = evenly(
        "Uniform share inside the algorithm", 0.0, FLOORS, "floor", 0.05, low=0.0, high=0.9, help=FLOOR_HELP
    )
    people: str = choice("One person has a point in", "one", PEOPLE, link="people")
    guarantee: str = choice("Noisy Sinkhorn", "proven", GUARANTEES, widget="segments", link="guarantee")
    constants: str = choice("Constants of the paper's Theorem 2", "corrected", CONSTANTS, link="constants")
    draw: int = seed("Seed of the noise", 0, "draw")


#: What the page begins with. The defaults above stay, since links and files that lack a setting mean them; but at them
#: regularisation leaves nothing of the plan for privacy to spoil. What regularisation and privacy add to the cost of
#: noisy Sinkhorn's plan of two Gaussians, as shares of what there is to lose (the cost of the independent plan less
#: the exact one's), medians of ten draws, and in brackets how far the potential is off, in its spreads:
#:
#:   settings                                η / |c|   at ε = .5        1                2                10
#:   n = 20,000, 8 x 8 cells, K = 3          .3        .95 −.04 (.57)   .95 −.01 (.29)   .95 −.01 (.19)   .95 .00 (.04)
#:   n = 20,000, 8 x 8 cells, K = 3          .02       .44 .51 (14)     .44 .51 (15)     .44 .52 (15)     .44 .58 (14)
#:   n = 50,000, 6 x 6 cells, K = 8, 5% mix  .3        .93 −.01 (.17)   .93 .00 (.10)    .93 .00 (.06)    .93 .00 (.03)
#:   n = 50,000, 6 x 6 cells, K = 8, 5% mix  .05       .61 .15 (.50)    .61 .11 (.23)    .61 .06 (.11)    .61 .05 (.04)
#:   n = 50,000, 6 x 6 cells, K = 8, 5% mix  .02       .26 .41 (.21)    .26 .24 (.11)    .26 .16 (.08)    .26 .13 (.05)
#:   n = 50,000, 6 x 6 cells, K = 8, 5% mix  .015      .16 .47 (.19)    .16 .24 (.10)    .16 .20 (.08)    .16 .17 (.07)
#:   n = 50,000, 6 x 6 cells, K = 8, 5% mix  .01       .05 .59 (.21)    .05 .41 (.16)    .05 .35 (.15)    .05 .39 (.14)
#:
#: Without the uniform share a small η has so much noise that the potentials say nothing, at every n the page has. What
#: is left to privacy at ε = 10 is its bias: of that share, and of few rounds. The largest distances of check-ins are so
#: long that noise does more there: .11 and .58 in the simulated city at ε = 1.
FIRST = Config(data=Data(n=50_000, cells=6), eta=0.015, steps=8, floor=0.05)


@settings
class TheoremConfig:
    base: Config = group(Config)
    place: float = number(
        "Where one point moves to (it starts near 0)",
        1.0,
        low=0.0,
        high=1.0,
        step=0.1,
        every=0.05,
        widget="slider",
        link="place",
    )


SIDEBAR = (
    *("data.source", "data.columns", "data.box", "data.n", "guarantee", "epsilon", "eta", "steps", "share"),
    "data.cells",
    Expander("Cost, δ, neighbours, seeds", ("data.p", "delta", "people", "floor", "constants", "data.seed", "draw")),
)


def base_of(config: Any) -> Config:
    base: Config = config.base if isinstance(config, TheoremConfig) else config
    return base


def requirements(config: Any) -> None:
    data = base_of(config).data
    path = ("data", "box") if isinstance(config, Config) else ("base", "data", "box")
    if data.box is None:
        return
    if data.source != "csv":
        raise ScenarioError("must be null unless the source is csv", path)
    try:
        check_rectangle(data.box)
    except ValueError as problem:
        raise ScenarioError(str(problem).removeprefix("box "), path) from problem


def link(config: Any) -> Parameters:
    data = base_of(config).data
    if data.source == "csv" or data.columns:
        raise CannotShowError("files of your own in a link")
    return parameters(config)
