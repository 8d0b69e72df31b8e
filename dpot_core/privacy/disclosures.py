"""Disclosures: numbers that leave the machine together, which releases are in them, what may be promised."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.wording import in_words, size_of

if TYPE_CHECKING:
    import pandas as pd

#: What a set of numbers is, and what that means for publishing it.
STATUSES: dict[str, str] = {
    "public": "Nothing is released. No personal data are read: everything follows from the settings.",
    "analysis": "Not a release. These numbers are computed from the data without protection: no guarantee covers them.",
    "demonstration": "Demonstration, not a release.",
    "release": "Release. Drawn from the operating system's entropy; nothing else about the data is in these files.",
}

#: Said of everything that is computed from settings that were chosen.
SETTINGS_NOTE = "Choosing settings by looking at private data is not covered: choose them beforehand or on public data."

#: Marks columns and tables that no guarantee covers.
NOT_PRIVATE = " (not private)"


@dataclass(frozen=True)
class Disclosure:
    """Releases and other numbers that leave the machine together.

    Attributes:
        status: a key of ``STATUSES``.
        parts: what is released, or would be: name, promise of that release alone.
        guarantee: promise of all parts together; None where nothing is released or the parts do not add up.
        draws: where the noise comes from, in words; of a demonstration: why a holder of the files could undo it.
        source: a line for each stream of noise; two demonstrations with a line in common may share it; "" for none.
        free: table -> columns that may be published: public facts, and what the guarantee covers. Every other column
            is marked as not private when it is written. "*" for all columns.
        ways: the mechanisms of which a reader releases with one: name, promise of one release; () for the parts.
        chosen: name of that mechanism; "" for the first.
    """

    status: str
    parts: tuple[tuple[str, Guarantee], ...] = ()
    guarantee: Guarantee | None = None
    draws: str = ""
    source: str = ""
    free: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Equal for two whose people are one and the same sample of a population; "" where none is drawn. It is not told.
    sample: str = ""
    #: Of an analysis: whether no real person's data are in it.
    simulated: bool = False
    ways: tuple[tuple[str, Guarantee], ...] = ()
    chosen: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}; got {self.status!r}")
        if bool(self.parts) != (self.status in ("demonstration", "release")):
            raise ValueError(f"parts must name what is released, and are empty where nothing is; got {self.status!r}")
        if self.status == "release":
            for _, promise in self.parts:
                promise.released()

    @property
    def choices(self) -> dict[str, Guarantee]:
        """Promises of one release, by the name of what could release it."""
        return dict(self.ways or self.parts)

    @property
    def way(self) -> str:
        """The mechanism that one releases with; "" where nothing is released, or all parts are for real."""
        return "" if self.status == "release" else self.chosen or next(iter(self.choices), "")

    @property
    def promise(self) -> Guarantee | None:
        """The promise of one release by the chosen mechanism: the headline, never the sum of what is compared.

        A real release is of all parts, so that its headline is their sum.
        """
        return self.choices[self.way] if self.way else self.guarantee

    @property
    def compares(self) -> bool:
        """Whether more is shown than one release by the chosen mechanism: publishing all of it costs more."""
        return bool(self.way) and self.guarantee != self.promise

    def releasing(self, name: str) -> Disclosure:
        """The same for a reader who releases with one of the mechanisms; unchanged where nothing is released.

        Args:
            name: of the mechanism, or its short name in files; "" for the first.

        Raises:
            ValueError: if there is no such mechanism.
        """
        if not name or not self.parts:
            return self
        for at, way in enumerate(self.choices):
            if name in (way, short_name(way)):
                # One way to say the first, so that results which differ in nothing compare equal.
                return replace(self, chosen=way if at else "")
        raise ValueError(f"the mechanism must be one of {', '.join(map(short_name, self.choices))}; got {name!r}")

    def alone(self) -> Disclosure:
        """One release by the chosen mechanism, without what it is compared with."""
        promise = self.promise
        if promise is None or not self.compares:
            return self
        return replace(self, parts=((self.way, promise),), guarantee=promise)

    def mark(self, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
        """The tables as they may be written: every column that no guarantee covers says so in its name.

        Args:
            tables: by name.
        """
        if self.status in ("public", "release"):
            return dict(tables)
        return {name: _marked(table, self.free.get(name, ())) for name, table in tables.items()}

    def mark_numbers(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """Single numbers as they may be written, marked like columns; "headlines" in ``free`` names those that may.

        Args:
            numbers: by name.
        """
        if self.status in ("public", "release"):
            return dict(numbers)
        return {_name(name, self.free.get("headlines", ())): value for name, value in numbers.items()}

    def described(self) -> dict[str, object]:
        """The same for a file: what one release promises, then what each part and all of them together do."""
        return {
            "status": self.status,
            "words": self.sentences(),
            "mechanism": self.way,
            "promise": self.promise,
            "released": {name: promise for name, promise in self.parts},
            "together": self.guarantee,
        }

    @property
    def what(self) -> str:
        """The kind of these numbers, in words."""
        words = STATUSES[self.status]
        return words.replace("from the data", "from simulated data") if self.simulated else words

    def headline(self) -> str:
        """The subject of the promise that is said first, in a few words; "" where one thing is released in one way."""
        if self.status == "release":
            return "All that is released promises:" if len(self.parts) > 1 else ""
        return f"One release with {self.way} promises:" if self.compares or len(self.choices) > 1 else ""

    def comparison(self, written: Callable[[Guarantee], str] | None = None) -> str:
        """The cost of publishing all that is compared, beside the promise of one release; "" where that is the same.

        Args:
            written: says how strong a promise is; six digits unless given.
        """
        if not self.compares and not (self.status == "release" and len(self.parts) > 1):
            return ""
        size = written or size_of
        alone = "; ".join(f"{name}: {size(promise)}" for name, promise in self.parts)
        if self.guarantee is None:
            cost = "these promises do not add up, so that nothing is promised for all of them together"
        else:
            cost = f"{size(self.guarantee)} in all" + ("" if self.guarantee.proven else ", claimed, not proven")
        if self.status == "release":
            return f"Released together: {alone}: {cost}."
        return (
            f"Publishing the whole comparison, without what is marked as not private, would cost {cost} ({alone}). "
            "Further runs, and means, ± and curves made of them, are not covered."
        )

    def sentences(self) -> tuple[str, ...]:
        """The kind of these numbers and their promise, in words; the first sentence says the kind."""
        first, promise = self.what, self.promise
        if self.status == "demonstration":
            first += f" {self.draws}" if self.draws else ""
            first += (
                " Columns marked as not private, and the seed, would not be published. "
                + (
                    "What follows holds for a release"
                    if promise is None or promise.proven
                    else "What follows is claimed, not proven, of a release"
                )
                + " with secret, fresh randomness."
            )
        if not self.parts:
            return (first,)
        said = (self.headline(), *(() if promise is None else in_words(promise)), self.comparison(), SETTINGS_NOTE)
        return (first, *filter(None, said))


def short_name(name: str) -> str:
    """A mechanism's name as files have it.

    >>> short_name("Noisy Sinkhorn"), short_name("WPM")
    ('noisy-sinkhorn', 'wpm')
    """
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


def nothing_released(
    status: str = "analysis", free: Mapping[str, Sequence[str]] | None = None, *, simulated: bool = False
) -> Disclosure:
    """Numbers without a release.

    Args:
        status: "public" where no person's data are read, "analysis" otherwise.
        free: columns that are public facts, by table.
        simulated: see `Disclosure`.
    """
    return Disclosure(status, free=free or {}, simulated=simulated)


def demonstration(
    parts: Sequence[tuple[str, Guarantee]],
    draws: str,
    *,
    together: Guarantee | None = None,
    source: str = "",
    free: Mapping[str, Sequence[str]] | None = None,
    sample: str = "",
    ways: Sequence[tuple[str, Guarantee]] = (),
) -> Disclosure:
    """Numbers that show what a release would be.

    Args:
        parts: what would be released: name, promise of that release alone.
        draws: see `Disclosure`.
        together: promise of all parts; None adds them up, which holds where each has noise, and a sample, of its own.
        source: see `Disclosure`.
        free: see `Disclosure`.
        sample: see `Disclosure`.
        ways: see `Disclosure`.

    Raises:
        ValueError: if there is no part.
    """
    if together is None:
        try:
            together = reduce(Guarantee.compose, [promise for _, promise in parts])
        except ValueError:
            together = None
    return Disclosure("demonstration", tuple(parts), together, draws, source, free or {}, sample, ways=tuple(ways))


def exact_outputs(
    guarantee: Guarantee,
    name: str = "one output",
    free: Mapping[str, Sequence[str]] | None = None,
    drawn: str = "",
    by: Sequence[str] = (),
    source: str = "",
) -> Disclosure:
    """Numbers about the distribution from which a local mechanism would draw: the draw is protected, they are not.

    Args:
        guarantee: promise of one draw.
        name: of what is drawn.
        free: see `Disclosure`.
        drawn: what is drawn to show it, and how; "" for nothing.
        by: names of the mechanisms that promise this, of which one releases with one.
        source: see `Disclosure`.
    """
    draws = (
        f"{drawn or 'Nothing is drawn'}. Distributions are computed from the input without protection. The "
        "settings give the input, or the number of the person. The promise covers what is drawn from a "
        "distribution, not the distribution."
    )
    return demonstration(
        [(name, guarantee)], draws, source=source, free=free, ways=[(label, guarantee) for label in by]
    )


def known_seed(seed: int) -> str:
    """The words about a demonstration whose noise can be repeated."""
    return f"Its noise is drawn in floating point from the known seed {seed}, so the noise can be taken off again."


def _marked(table: pd.DataFrame, free: Sequence[str]) -> pd.DataFrame:
    if "*" in free:
        return table
    return table.rename(columns={name: _name(str(name), free) for name in table.columns})


def _name(name: str, free: Sequence[str]) -> str:
    return name if name in free or "(not private)" in name else f"{name}{NOT_PRIVATE}"
