"""Blocks of a view, from top to bottom: pictures, small tables, paragraphs; no Streamlit and no Plotly."""

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Guarantee


@dataclass(frozen=True, eq=False)
class Same:
    """An object that is equal to itself only, whatever it holds; held, so that no other one takes its place."""

    one: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.one is other.one

    def __hash__(self) -> int:
        return id(self.one)


#: The label under which every page says how a real release is made.
FOR_REAL = "Release for real"


class Picture:
    """A figure on the screen and in a file.

    Args:
        name: of the file.
        alt: one sentence for those who cannot see it.
        figure: makes it, on a light ground.
        *of: what it is made of.
        chooses: the page's control (its name in links) and the option that a click on the picture chooses there.
        paints: the page's text (its name in links) that a brush on the picture's map writes, cells per side, the
            weight that the brush gives to a cell, and the weight of all that is drawn.
        turns: the page's numbers (their names in links), one for each mark on the picture's dial, that a tap or a drag
            round it sets, how many places the dial has, and the controls set with them: name in links -> value.
        draws: "curve" or "box", and the page's text (its name in links) that a hand writes which draws one over the
            picture's first panel: points or corners (west, south, east, north) in shares of its width and height.
    """

    def __init__(
        self,
        name: str,
        alt: str,
        figure: Callable[..., Any],
        *of: Any,
        chooses: tuple[str, str] | None = None,
        paints: tuple[str, int, float, float] | None = None,
        turns: tuple[Sequence[str], int, Mapping[str, str]] | None = None,
        draws: tuple[str, str] | None = None,
    ) -> None:
        self.name, self.alt, self.draw = name, alt, partial(figure, *of)
        #: What a hand on the picture does.
        self.hand: dict[str, Any] = {"chooses": chooses, "paints": paints, "turns": turns, "draws": draws}
        self.results = tuple(one for one in of if hasattr(one, "tables"))

    @property
    def made_of(self) -> Hashable | None:
        """The identity of its figure: the function and its arguments; None for a function without a name."""
        figure, named = self.draw.func, self.draw.keywords
        module = sys.modules[figure.__module__]
        if getattr(module, figure.__qualname__, None) is not figure:
            return None
        return figure, _told(self.draw.args), _told(named)

    def tables(self) -> dict[str, Any]:
        """The numbers behind it: the tables of the results that it is made of; those of its own name come first."""
        tables = {name: table for one in self.results for name, table in one.tables().items()}
        return dict(sorted(tables.items(), key=lambda item: item[0] not in self.name))


def _told(value: Any) -> Hashable:
    """An argument as what tells it from others: plain values by what they are, results by which one they are."""
    if value is None or isinstance(value, str | int | float):
        return type(value), value
    if isinstance(value, Mapping):
        return tuple((name, _told(part)) for name, part in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(_told, value))
    return Same(value)


@dataclass(frozen=True)
class Table:
    """A small table of texts: the first column names the rows."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Note:
    """A paragraph that stands out, in Markdown."""

    text: str
    kind: Literal["text", "info", "warning"] = "text"


@dataclass(frozen=True)
class Columns:
    """Blocks side by side, several of them in a column where it is a tuple; one below the other on a phone."""

    blocks: Sequence["Block | tuple[Block, ...]"]
    widths: Sequence[float] = ()
    swipe: bool = False  # on a phone one fills the width, and a finger moves to the next
    small: bool = False  # on a phone they stay side by side
    boxes: str = ""  # name of the boxes that a page has made for them, if it has


@dataclass(frozen=True)
class Code:
    """Python to take away."""

    text: str


@dataclass(frozen=True)
class Slot:
    """Where a page draws a piece of its own, which has controls that change no numbers; files go without."""

    name: str


@dataclass(frozen=True)
class Folded:
    """Blocks that stand folded away under a label."""

    label: str
    blocks: Sequence["Block"]


def for_real(promise: Guarantee, *blocks: "Block", instead: str = "") -> Folded:
    """How a release is made that may be published; under a promise that is claimed only, why there is none.

    Args:
        promise: of the release.
        blocks: how it is made, in words and Python.
        instead: what can be chosen whose promise is proven, in words.
    """
    try:
        promise.released()
    except ValueError as refused:
        return Folded(FOR_REAL, (Note(f"{refused}. {instead}".strip()),))
    return Folded(FOR_REAL, blocks)


def by_command(what: str, file: str, epsilon: float, more: str = "", public: str = "", *, delta: float = 0.0) -> Note:
    """How ``dpot release`` draws what the people of a file release.

    Args:
        what: is drawn, of whom.
        file: its usual name.
        epsilon: of one release, nats.
        more: arguments of the command, each with a space before it.
        public: what these make public, in Markdown.
        delta: the slack of one release.
    """
    total = f"--total {epsilon!r}" + (f" --delta {delta!r}" if delta else "")
    return Note(
        f"This page is a demonstration. A release draws {what} by exact arithmetic. Its randomness comes from the "
        "operating system. A ledger on the machine that keeps the file records what each person has paid. You state "
        "the most that all releases may cost a person; the ledger refuses more. Take the scenario along and run it "
        f"there, on simulated people first.\n\n{f'{public}{chr(10)}{chr(10)}' * bool(public)}```\n"
        f"dpot release scenario.yaml --dry-run{more} --out trial.csv\n"
        f"dpot release scenario.yaml --data {file}{more} {total} --out released.csv\n```"
    )


#: What a view shows, from top to bottom; text alone is a caption, in Markdown. What is released, or promised, stands
#: among the blocks where it does not stand at the end.
Block = str | Picture | Table | Note | Columns | Code | Folded | Slot | Disclosure | Guarantee
Blocks = Iterable[Block]


def pictures(blocks: Blocks) -> Iterator[Picture]:
    """Every picture among the blocks."""
    return (one for one in _seen(blocks) if isinstance(one, Picture))


def captions(blocks: Blocks) -> dict[str, str]:
    """The text under each picture, by its name: the first one after it, in its column or a later one."""
    said: dict[str, str] = {}
    waiting: list[str] = []
    for one in _seen(blocks):
        if isinstance(one, Picture):
            waiting.append(one.name)
        else:
            said |= dict.fromkeys(waiting, one)
            waiting.clear()
    return said


def _seen(blocks: Blocks) -> Iterator[Picture | str]:
    """Pictures and texts in their order."""
    for block in blocks:
        if isinstance(block, Picture | str):
            yield block
        elif isinstance(block, Columns | Folded):
            for part in block.blocks:
                yield from _seen(part if isinstance(part, tuple) else (part,))


def thumbnails(
    labels: Mapping[str, str], large: str, control: str, name: str, figure: Callable[..., Any], result: Any, *more: Any
) -> Columns:
    """Small pictures of everything but the large one; a click makes one large.

    Args:
        labels: key -> label.
        large: key of the large one.
        control: the page's control that chooses it, by its name in links.
        name: begins the names of the pictures.
        figure: (result, key, *more) -> the small picture.
    """
    small = [
        Picture(
            f"{name}-{key}",
            f"Small picture of what {label} releases",
            figure,
            result,
            key,
            *more,
            chooses=(control, label),
        )
        for key, label in labels.items()
        if key != large
    ]
    return Columns(small, small=True)
