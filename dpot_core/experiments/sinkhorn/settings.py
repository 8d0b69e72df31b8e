"""What the private transport page is asked for: two sets of points, a grid, a cost, and a budget."""

from __future__ import annotations

from dataclasses import dataclass, field

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

GUARANTEES = ("proven", "paper")


@dataclass(frozen=True)
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

    source: str = "gaussians"
    n: int = 20_000
    seed: int = 0
    cells: int = 8
    p: int = 2
    columns: tuple[tuple[str, str], ...] = ()
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
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

    data: Data = field(default_factory=Data)
    eta: float = 0.3
    epsilon: float = 1.0
    delta: float = 1e-5
    steps: int = 3
    share: float = 0.5
    floor: float = 0.0
    people: str = "one"
    guarantee: str = "proven"
    constants: str = "corrected"
    draw: int = 0


@dataclass(frozen=True)
class TheoremConfig:
    """Settings of the look at what the paper's theorem assumes.

    Attributes:
        base: the settings of the page.
        place: where one point walks to, in [0, 1].
    """

    base: Config = field(default_factory=Config)
    place: float = 1.0
