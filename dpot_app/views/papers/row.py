"""One row of the index: what a paper states in one place, what is computed for it here, and the verdict."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpot_app.kit.links import Parameters
from dpot_app.kit.page import page_of
from dpot_app.kit.values import filled
from dpot_app.kit.view import Blocks, Results, View

#: The papers, by the names of their texts: what they are called here.
PAPERS = {
    "wpm": "Wasserstein projection",
    "minimax": "Minimax-optimal sampling",
    "barycenters": "Private barycenters",
    "metric": "Metric privacy of histories",
    "sinkhorn": "DP Sinkhorn",
    "prior": "Sampling near a public prior",
}
CITED = {
    "wpm": "Takakura, Liew, Hasegawa: *Differentially Private Sampling from Distributions via Wasserstein Projection*, "
    "arXiv:2605.10015.",
    "minimax": "Park, Asoodeh, Lee: *Exactly Minimax-Optimal Locally Differentially Private Sampling*, NeurIPS 2024. "
    "Our squared Hellinger is half of that of its text, and the one that its figures plot.",
    "barycenters": "Gu, Sasidhar Kunapuli, Bun, Chien, Greenewald: *Differentially Private Wasserstein Barycenters*, "
    "2025.",
    "metric": "Imola, Roy Chowdhury, Chaudhuri: *Metric Differential Privacy at the User-Level via the Earth Mover's "
    "Distance*, 2024. It has no figures.",
    "sinkhorn": "Wang, Goldfeld: *Differentially Private Sinkhorn Algorithm*. It has no figures and no tables.",
    "prior": "Ghoukasian, Lee, Asoodeh: *Locally Optimal Private Sampling: Beyond the Global Minimax*, NeurIPS 2025, "
    "arXiv:2510.09485. Only its figures with numbers are compared.",
}
#: What comes of comparing. A claim of the text, of the caption or in numbers is what is compared: see ``source``.
VERDICTS = {
    "agrees": "Agrees",
    "differs": "Differs",
    "beyond": "Cannot be compared",
    "open": "Not recorded",
}
#: What a verdict rests on: of one that agrees what was tested, of one that differs where the difference comes from. The
#: paper's own error is shown by a counter-example that runs (``counter``), another setting is named (``other``).
KINDS = {
    "agrees": {"claim": "the claim itself", "instance": "instances of it", "consequence": "a consequence of it"},
    "differs": {
        "error": "the paper's own error",
        "setting": "another setting",
        "unstated": "not stated in the paper",
        "ours": "ours",
    },
}
#: How long the numbers take: under half a second, under five seconds, longer; "elsewhere" are those that another
#: program of the project makes in minutes or hours and keeps in a file.
PACES = ("quick", "short", "long", "elsewhere")


@dataclass(frozen=True)
class Number:
    """One of our numbers: exact, or the mean of ``runs`` with their standard deviation."""

    value: float
    spread: float = 0.0
    runs: int = 1


Numbers = Mapping[str, Number]


@dataclass(frozen=True)
class CounterExample:
    """A counter-example: of two recorded numbers, or one and a constant, one is larger; the paper excludes it."""

    larger: str | float
    smaller: str | float

    def sides(self, numbers: Numbers) -> tuple[float, float]:
        """Both sides, the larger one first."""
        one, other = (numbers[side].value if isinstance(side, str) else side for side in (self.larger, self.smaller))
        return one, other


def mean_of(values: Sequence[float]) -> Number:
    """Mean and standard deviation (of single runs)."""
    return Number(float(np.mean(values)), float(np.std(values, ddof=1)), len(values))


def exact(**numbers: float) -> dict[str, Number]:
    """Numbers without spread, underscores in their names read as spaces."""
    return {name.replace("_", " "): Number(float(value)) for name, value in numbers.items()}


@dataclass(frozen=True, kw_only=True)
class Curves:
    """A figure of a row's recorded numbers, by their names: "SERIES, AXIS = VALUE" or, where none varies, "SERIES"."""

    axis: str  # as the names have it: "n"
    x: str  # title of its axis
    y: str
    series: Mapping[str, tuple[str, str]]  # -> key of its colour, and its marker or "" for that of the colour
    compared: tuple[str, str]  # of the series: its title says at how many values the first has the smaller mean
    finding: str  # how it says so
    panels: Mapping[str, str] = field(default_factory=lambda: {"": ""})  # how names of its numbers end -> its title
    log_x: bool = True
    log_y: bool = False
    simulated: str = ""  # how its title says that the data are invented

    def along(self, name: str, ending: str, numbers: Numbers) -> tuple[list[float], list[Number]]:
        """Values of the axis, ascending, and a series of a panel there; one that does not vary is the same at all."""
        pattern = re.compile(rf"(.+), {re.escape(self.axis)} = ([\d.,]*\d){re.escape(ending)}")
        found = {
            (read[1], float(read[2].replace(",", ""))): one
            for key, one in numbers.items()
            if (read := pattern.fullmatch(key))
        }
        at = sorted({value for _, value in found})
        return at, [found[name, value] if (name, value) in found else numbers[f"{name}{ending}"] for value in at]


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row: the statement of one place of a paper, and what comes out here.

    Raises:
        ValueError: if the verdict lacks its reason or its numbers.
    """

    key: str  # names it on the command line: "wpm-fig1-left"
    place: str  # in the paper: "Figure 1", "Theorem 3.5"
    panel: str = ""
    setting: str = ""  # the paper's
    claim: str  # the paper's number or claim
    source: str  # where in the paper it is read
    verdict: str  # a key of `VERDICTS`
    kind: str = ""  # of `KINDS`: what the verdict rests on; "" where nothing is compared
    counter: CounterExample | None = None  # the counter-example, where the paper errs
    other: str = ""  # the other setting, where that is the kind
    why: str = ""  # they differ, cannot be compared, are not recorded; or what to know where they agree
    view: str = ""  # key of the view that shows it
    settings: Mapping[str, Any] = field(default_factory=dict)  # by dotted name, where not the view's own
    # names of the view's pictures that are this figure, some with what is chosen of what is seen (as ``look``); None:
    # the one of the view where the place is a figure
    pictures: tuple[str | tuple[str, Mapping[str, str]], ...] | None = None
    curves: Curves | None = None  # its figure, where that is of the recorded numbers and not of the view
    tab: str = ""  # key of the view's tab that shows it, where the view itself does not
    look: Mapping[str, str] = field(default_factory=dict)  # what is chosen of what is seen: for `show`, by its keywords
    opens: Mapping[str, str] = field(default_factory=dict)  # the same for the page, by names in links
    compute: Callable[[], Numbers] | None = None  # our numbers from nothing
    pace: str = "quick"  # of `PACES`
    seed: str = ""  # of what is drawn
    # whether they are means over searches, which another processor's rounding leads to other minima: then they agree
    # within a standard error
    searched: bool = False
    kept: str = ""  # file and program of numbers that are made elsewhere
    version: int = 1  # raise it when `compute` gives other numbers on purpose

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS or self.pace not in PACES:
            raise ValueError(f"{self.key}: verdict must be one of {', '.join(VERDICTS)}, pace of {', '.join(PACES)}")
        if self.verdict != "agrees" and not self.why:
            raise ValueError(f"{self.key}: {VERDICTS[self.verdict].lower()}, and does not say why")
        if self.verdict in ("agrees", "differs") and self.compute is None:
            raise ValueError(f"{self.key}: {VERDICTS[self.verdict].lower()} without a number of ours")
        kinds = KINDS.get(self.verdict, {"": ""})
        if self.kind not in kinds:
            raise ValueError(f"{self.key}: kind must be one of {', '.join(kinds) or 'none'}; got {self.kind!r}")
        if (self.kind == "error") != (self.counter is not None) or (self.kind == "setting") != bool(self.other):
            raise ValueError(f"{self.key}: an error has its counter-example, another setting its words, others neither")
        if (self.pace == "elsewhere") != bool(self.kept):
            raise ValueError(f"{self.key}: numbers that are made elsewhere name their file and program, others do not")

    @property
    def paper(self) -> str:
        return self.key.partition("-")[0]

    @property
    def rests_on(self) -> str:
        """The grounds of the verdict, in words; "" where nothing is compared."""
        words = KINDS[self.verdict][self.kind] if self.kind else ""
        return f"{words}: {self.other}" if self.other else words

    @property
    def where(self) -> str:
        return f"{self.place}, {self.panel}" if self.panel else self.place

    @property
    def has_figure(self) -> bool:
        """Whether its view draws what the paper has there."""
        return bool(self.view) and (bool(self.pictures) if self.pictures is not None else "Figure" in self.place)

    @property
    def figure_of(self) -> str:
        """The identity of its figure: it changes with view, settings, pictures and the version of the row."""
        return json.dumps([self.view, self.link, self.pictures, self.version], ensure_ascii=False)

    @property
    def shown_by(self) -> View | None:
        return page_of(self.view).view(self.view) if self.view else None

    @property
    def config(self) -> Any:
        """The view's settings, checked by their own models."""
        return None if self.shown_by is None else filled(self.shown_by.example, self.settings)

    @property
    def link(self) -> tuple[str, Parameters] | None:
        """Page and parameters that open it at the paper's setting."""
        if not self.view:
            return None
        page, more = page_of(self.view), dict(self.opens)
        if self.tab:
            more["view"] = self.tab
        return page.key, page.link(self.view, self.config) | {f"{page.prefix}_{name}": to for name, to in more.items()}

    def shown(self, results: Results, **look: str) -> Blocks:
        """The blocks of its view, or of the tab of it, for results; ``look`` as its own, which it adds to."""
        view = page_of(self.view).view(self.view)
        show = (self.tab and view.tab(self.tab).show) or view.show
        return show(results.config, *results.parts, **{**self.look, **look})

    @property
    def command(self) -> str:
        return f"dpot papers run {self.key}" if self.compute and not self.kept else self.kept


def headlines(view: str, *names: str, **settings: Any) -> dict[str, Number]:
    """Headline numbers of a view at settings by dotted name: all, or those named."""
    shown = page_of(view).view(view)
    found = shown.headlines(*shown.run(filled(shown.example, settings)).parts)
    return {name: Number(float(found[name])) for name in names or found}
