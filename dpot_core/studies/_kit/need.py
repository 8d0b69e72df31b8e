"""What somebody may need of a page's numbers, as a function of epsilon: declared by the page, searched by `decide`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpot_core.datasets import Dataset
from dpot_core.guarantees import Guarantee

#: Values of epsilon that are tried where nothing is known about the curve: the pages' sliders have them too.
GRID = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)


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


@dataclass(frozen=True, kw_only=True)
class Need:
    """A utility that somebody may need.

    Attributes:
        key: its short name, in files.
        title: in lists and in links: do not reword.
        question: what is asked for, with ``{}`` for the target in its unit.
        unit: of the utility, for axes.
        write: a utility as text with its unit.
        at_least: whether more is better; else less is.
        targets: what can be asked for.
        default: of the targets.
        worst: the worst case, given the settings of `decide`; a text says why there is none.
        data: the data at hand, likewise.
        shows: (settings of `decide`, "worst" or "data") -> key of the view that shows it, and its settings.
        tab: label of the page's tab, where it is not the view's own, by "worst" or "data".
        sets: the data sets that may be at hand; None if they are no choice.
        says: what else a reader has to know beside the controls; "" for nothing.
    """

    key: str
    title: str
    question: str
    unit: str
    write: Callable[[float], str]
    at_least: bool = False
    targets: tuple[float, ...]
    default: float
    worst: Callable[[Any], Side | str]
    data: Callable[[Any], Side | str]
    shows: Callable[[Any, str], tuple[str, Any]]
    tab: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, Dataset[Any]] | None = None
    says: str = ""
