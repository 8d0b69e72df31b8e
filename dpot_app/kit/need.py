"""Needs of a reader as functions of epsilon: declared by a page, searched by `decide`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpot_core.datasets import CsvColumns, Dataset
from dpot_core.privacy.guarantees import Guarantee

#: Of a reader who brings no file.
NO_FILES: Mapping[str, bytes] = {}

#: Values of epsilon that are tried where nothing is known about the curve: the pages' sliders have them too.
GRID = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)


@dataclass(frozen=True)
class Side:
    """One way to look at utility: in the worst case, or for the data at hand."""

    what: str  # what is measured, in words
    labels: Mapping[str, str]  # mechanism -> its name on screen
    evaluate: Callable[[str, float], float]  # utility of a mechanism at an epsilon; keeps what takes long to compute
    # mechanism -> key of `dpot_app.figures.style.COLOURS`, where that is not the mechanism's own
    colours: Mapping[str, str] = field(default_factory=dict)
    # mechanism -> why its utility improves with epsilon; others are searched on a grid
    because: Mapping[str, str] = field(default_factory=dict)
    # mechanisms whose utility is only known to be no better than this: they may need a larger epsilon
    bounds: tuple[str, ...] = ()
    note: str = ""  # what a reader has to know
    simulated: bool = False  # whether the data are invented
    grid: tuple[float, ...] = GRID  # values of epsilon for the mechanisms of which nothing is known
    # what a mechanism promises at an epsilon; None for local privacy of one release by each person
    guarantee: Callable[[str, float], Guarantee] | None = None


@dataclass(frozen=True, kw_only=True)
class Own:
    """A file that a reader may bring in place of the data at hand, as the need's page takes it."""

    role: str  # of the file, as the page calls it
    source: str  # its label in the page's list of data
    label: str  # of the field that takes it
    missing: str  # what is said while there is none
    sniff: Callable[[bytes], CsvColumns]  # reads its header
    roles: Sequence[str]  # what its columns can be
    without: Mapping[str, str] = field(default_factory=dict)  # role -> what is said where no column is
    instead: str = ""  # the data at hand where no file is, if there is no list of them
    # what the public region may be, the first one to begin with; none where it is no setting
    regions: Mapping[str, str] = field(default_factory=dict)
    rectangle: str = ""  # the region that is a rectangle, which is typed in
    region: str = ""  # its name in the page's links


@dataclass(frozen=True, kw_only=True)
class Need:
    """A utility that a reader may need."""

    key: str  # its short name, in files and links
    title: str  # in lists
    question: str  # what is asked for, with ``{}`` for the target in its unit
    unit: str  # of the utility, for axes
    write: Callable[[float], str]  # a utility as text with its unit
    at_least: bool = False  # whether more is better; else less is
    targets: tuple[float, ...]  # what can be asked for
    default: float  # of the targets
    # the worst case, given the settings of `decide` and, where there may be any, the reader's own files by role; a text
    # says why there is none
    worst: Callable[..., Side | str]
    data: Callable[..., Side | str]  # the data at hand, likewise
    # (settings of `decide`, "worst" or "data") -> key of the view that shows it, and its settings
    shows: Callable[[Any, str], tuple[str, Any]]
    # key of the page's tab, where it is not the view's own, by "worst" or "data"
    tab: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, Dataset[Any]] | None = None  # the data sets that may be at hand; None if they are no choice
    own: Own | None = None  # the file of a reader's own that it takes
    heavy: bool = False  # whether one value may take over a second: then workers evaluate it, where there are any
    says: str = ""  # what else a reader has to know beside the controls; "" for nothing

    @property
    def number(self) -> str:
        """How an axis writes the utility, as d3-format: in percent where `write` does."""
        return "~%" if self.write(0.5).endswith("%") else ""
