"""What the page asks: which utility is needed, how much of it, and in which setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpot_core.datasets import Dataset
from dpot_core.guarantees import Guarantee

#: Range in which the smallest epsilon is looked for, nats.
LOWEST, HIGHEST = 0.01, 20.0

#: Width of the bracket, nats.
TOLERANCE = 1e-4

#: Values of epsilon that are tried where nothing is known about the curve: the pages' sliders have them too.
GRID = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)


@dataclass(frozen=True)
class Config:
    """What is needed, and where.

    Attributes:
        need: a key of `NEEDS`.
        target: the utility needed, in the need's unit.
        k: points of the ring.
        p: order of the Wasserstein distance, on the ring and on the sphere.
        d: dimension of the sphere.
        seed: of the ring's input at hand.
        source: data set at hand: a key of `dpot_core.datasets.DATASETS` or `FILM_DATASETS`.
    """

    need: str = "geolocation"
    target: float = 2.0
    k: int = 30
    p: int = 2
    d: int = 2
    seed: int = 1
    source: str = "simulated"


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
        promise: what a mechanism promises at an epsilon; None for local privacy of one release by each person.
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
    promise: Callable[[str, float], Guarantee] | None = None


@dataclass(frozen=True)
class Need:
    """A utility that somebody may need.

    Attributes:
        title: its name on screen and in links.
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

    title: str
    question: str
    unit: str
    write: Callable[[float], str]
    at_least: bool
    targets: tuple[float, ...]
    default: float
    worst: Callable[[Config], Side | str]
    data: Callable[[Config], Side | str]
    sets: Mapping[str, Dataset[Any]] | None = None
