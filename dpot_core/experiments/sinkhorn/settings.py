"""What the private transport page is asked for: two sets of points, a grid, a cost, and a budget."""

from __future__ import annotations

from dpot_core.datasets import DATASETS, SIMULATED_PAIRS
from dpot_core.studies._kit.privacy import epsilon
from dpot_core.studies._kit.setting import choice, free, group, number, settings, whole

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

# These words stand in people's links: add, but do not reword.
CITIES = {"simulated": "Check-ins, simulated city", "gowalla-austin": "Check-ins, Gowalla Austin"}
SOURCES = {
    **SIMULATED_PAIRS,
    **{key: CITIES.get(key, f"Check-ins, {data.title}") for key, data in DATASETS.items()},
    "csv": "My CSV file",
}
POWERS = {2: "Squared distance", 1: "Distance"}
PEOPLE = {"one": "One of the two sets", "both": "Both sets"}
GUARANTEES = {"proven": "Proven", "paper": "Paper, not proven"}
CONSTANTS = {"corrected": "Corrected", "printed": "As printed"}

SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
ETAS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0)
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
FLOORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)

ETA_HELP = (
    "Weight of the entropy, over the largest cost |c|. Smaller: a sharper plan, and potentials that one person can "
    "change more, so more noise."
)
FLOOR_HELP = "Mixes so much of the uniform distribution into both sets inside the algorithm: a bias, for less noise."


@settings
class Data:
    """Two sets of points on a public grid.

    Attributes:
        source: a key of `dpot_core.datasets.SIMULATED_PAIRS` or of `dpot_core.datasets.DATASETS`, or "csv".
        n: points of each set; "csv" keeps all.
        seed: of the points.
        cells: of the grid, per side.
        p: the cost is the distance to this power.
        columns: for "csv": (role, column) of the file.
        box: for "csv": public rectangle, smallest x, smallest y, largest x, largest y; None: around the points.
    """

    source: str = choice("Two data sets", "gaussians", SOURCES, link="data")
    n: int = whole(
        "Points of each set (n)",
        20_000,
        low=2,
        high=100_000_000,
        step=2.0,
        factor=True,
        grid=SIZES,
        widget="steps",
        link="n",
    )
    seed: int = whole("Seed of the points", 0, low=0, high=2**32, soft=(0, 9999), widget="field", link="seed")
    cells: int = whole(
        "Cells per side of the grid", 8, low=2, high=16, soft=(3, 16), step=2, widget="slider", link="cells"
    )
    p: int = whole(
        "Cost, a power of the distance",
        2,
        low=1,
        high=4,
        grid=tuple(POWERS),
        show=POWERS.__getitem__,
        widget="list",
        link="cost",
    )
    columns: tuple[tuple[str, str], ...] = free("Columns of the file", ())
    box: tuple[float, float, float, float] | None = free(
        "Public rectangle: smallest x, smallest y, largest x, largest y", None, empty="around the points"
    )


@settings
class Config:
    """All settings of the page.

    Attributes:
        data: the points.
        eta: entropic weight over the largest cost.
        epsilon: privacy parameter of everything that is released, nats.
        delta: additive slack.
        steps: rounds K of noisy Sinkhorn.
        share: of the budget for private histograms; the rest is for the potentials.
        floor: share of the uniform distribution that is mixed in inside the half steps.
        people: "one" if one person has a point in one of the two sets, "both" if in both.
        guarantee: which variant of noisy Sinkhorn is shown: "proven" or "paper".
        constants: of the paper's Theorem 2: "printed" or "corrected".
        draw: seed of the noise.
    """

    data: Data = group(Data)
    eta: float = number(
        "Entropic weight η / |c|",
        0.3,
        low=1e-3,
        high=10.0,
        step=1.5,
        factor=True,
        grid=ETAS,
        widget="steps",
        link="eta",
        help=ETA_HELP,
    )
    epsilon: float = epsilon(1.0)
    delta: float = number(
        "Slack δ", 1e-5, low=1e-15, high=0.1, step=10.0, factor=True, grid=DELTAS, widget="steps", link="delta"
    )
    steps: int = whole("Rounds K", 3, low=1, high=200, soft=(1, 20), widget="slider", link="rounds")
    share: float = number(
        "Share of the budget for the histograms",
        0.5,
        low=0.0,
        high=1.0,
        step=0.1,
        grid=SHARES,
        widget="steps",
        link="share",
        help="The rest pays for the potentials. The plan needs both.",
    )
    floor: float = number(
        "Uniform share inside the algorithm",
        0.0,
        low=0.0,
        high=0.9,
        step=0.05,
        grid=FLOORS,
        widget="steps",
        link="floor",
        help=FLOOR_HELP,
    )
    people: str = choice("One person has a point in", "one", PEOPLE, link="people")
    guarantee: str = choice("Noisy Sinkhorn", "proven", GUARANTEES, widget="segments", link="guarantee")
    constants: str = choice("Constants of the paper's Theorem 2", "corrected", CONSTANTS, link="constants")
    draw: int = whole("Seed of the noise", 0, low=0, high=2**32, soft=(0, 9999), widget="field", link="draw")


@settings
class TheoremConfig:
    """Settings of the look at what the paper's theorem assumes.

    Attributes:
        base: the settings of the page.
        place: where one point walks to, in [0, 1].
    """

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
