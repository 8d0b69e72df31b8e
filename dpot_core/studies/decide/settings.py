"""What the page asks: which utility is needed, how much of it, and in which setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpot_core.datasets import DATASETS, FILM_DATASETS, Dataset
from dpot_core.guarantees import Guarantee
from dpot_core.studies._kit.setting import choice, number, settings, whole

#: Range in which the smallest epsilon is looked for, nats.
LOWEST, HIGHEST = 0.01, 20.0

#: Width of the bracket, nats.
TOLERANCE = 1e-4

#: Values of epsilon that are tried where nothing is known about the curve: the pages' sliders have them too.
GRID = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)

TITLE = "Find my ε"

#: Everything that can be needed. These words stand in people's links: add, but do not reword.
TITLES = {
    "geolocation": "Kilometres in a city",
    "movies": "Liked recommendations",
    "ring-tv": "Worst-case total variation on k points",
    "ring": "Worst-case distance on a ring",
    "sphere": "Worst-case distance on the sphere",
    "population": "Places for a population",
    "two-sets": "Distance between two data sets",
}
_POINTS = ("ring-tv", "ring")

# Cities and catalogues share the name of what is simulated.
_SOURCES = {
    **{key: data.title for key, data in (DATASETS | FILM_DATASETS).items()},
    "simulated": "Simulated",
}


@settings
class Config:
    """What is needed, and where.

    Attributes:
        need: a key of `TITLES`.
        target: the utility needed, in the need's unit.
        k: points of the ring.
        p: order of the Wasserstein distance, on the ring and on the sphere.
        d: dimension of the sphere.
        seed: of the ring's input at hand.
        source: data set at hand: a key of `dpot_core.datasets.DATASETS` or `FILM_DATASETS`.
    """

    need: str = choice("What must be possible", "geolocation", TITLES, link="need")
    target: float = number("Target, in the unit of the need", 2.0, low=1e-6, high=1e6, step=1.25, factor=True)
    k: int = whole(
        "Points (k)",
        30,
        low=3,
        high=200,
        soft=(3, 100),
        widget="slider",
        link="k",
        shown=lambda config: config.need in _POINTS,
    )
    p: int = whole(
        "Order p of the distance W_p",
        2,
        low=1,
        high=8,
        soft=(1, 4),
        widget="slider",
        link="p",
        shown=lambda config: config.need in ("ring", "sphere"),
    )
    d: int = whole(
        "Dimension d of the sphere",
        2,
        low=1,
        high=100,
        soft=(1, 50),
        widget="slider",
        link="d",
        shown=lambda config: config.need == "sphere",
    )
    seed: int = whole(
        "Seed of the input at hand",
        1,
        low=0,
        high=2**32,
        soft=(0, 9999),
        widget="field",
        link="seed",
        shown=lambda config: config.need in _POINTS,
    )
    source: str = choice("Data at hand", "simulated", _SOURCES, widget="")


@dataclass(frozen=True)
class Side:
    """One way to look at utility: in the worst case, or for the data at hand.

    Attributes:
        what: what is measured, in words.
        labels: mechanism -> its name on screen.
        colours: mechanism -> key of `dpot_core.figures.style.COLOURS`.
        evaluate: utility of a mechanism at an epsilon; keeps what takes long to compute.
        because: mechanism -> why its utility improves with epsilon; others are searched on a grid.
        bounds: mechanisms whose utility is only known to be no better than this: they may need a larger epsilon.
        note: what a reader has to know.
        simulated: whether the data are invented.
        grid: values of epsilon for the mechanisms of which nothing is known.
        guarantee: what a mechanism promises at an epsilon; None for local privacy of one release by each person.
    """

    what: str
    labels: Mapping[str, str]
    colours: Mapping[str, str]
    evaluate: Callable[[str, float], float]
    because: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[str, ...] = ()
    note: str = ""
    simulated: bool = False
    grid: tuple[float, ...] = GRID
    guarantee: Callable[[str, float], Guarantee] | None = None


@dataclass(frozen=True)
class Need:
    """A utility that somebody may need.

    Attributes:
        question: what is asked for, with ``{}`` for the target in its unit.
        unit: of the utility, for axes.
        write: a utility as text with its unit.
        at_least: whether more is better; else less is.
        targets: what can be asked for.
        default: of the targets.
        worst: the worst case in a setting; a text says why there is none.
        data: the data at hand; a text says why there are none.
        sets: the data sets that `Config.source` may name; None if the data at hand are no choice.
    """

    question: str
    unit: str
    write: Callable[[float], str]
    at_least: bool
    targets: tuple[float, ...]
    default: float
    worst: Callable[[Config], Side | str]
    data: Callable[[Config], Side | str]
    sets: Mapping[str, Dataset[Any]] | None = None
