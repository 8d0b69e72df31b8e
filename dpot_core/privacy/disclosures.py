"""What numbers that leave the machine together say about people: which releases are in them, what may be promised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import pandas as pd

from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, percent_at_most

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
        draws: where the noise comes from, in words; of a demonstration: why whoever holds the files could undo it.
        source: a line for each stream of noise; two demonstrations with a line in common may share it; "" for none.
        free: table -> columns that may be published: public facts, and what the guarantee covers. Every other column
            is marked as not private when it is written. "*" for all columns.
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

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}; got {self.status!r}")
        if bool(self.parts) != (self.status in ("demonstration", "release")):
            raise ValueError(f"parts must name what is released, and are empty where nothing is; got {self.status!r}")
        if self.status == "release":
            for _, promise in self.parts:
                promise.released()

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
        """The same for a file: what this is, what each part and all of them together promise, in words and numbers."""
        return {
            "status": self.status,
            "words": self.sentences(),
            "released": {name: promise for name, promise in self.parts},
            "together": self.guarantee,
        }

    @property
    def what(self) -> str:
        """What this is, in words."""
        words = STATUSES[self.status]
        return words.replace("from the data", "from simulated data") if self.simulated else words

    def one_by_one(self, written: Callable[[Guarantee], str]) -> str:
        """What several parts promise alone; ``written`` says how strong a promise is.

        The promises of a demonstration are about what one would release: its means are made of further runs.
        """
        alone = "; ".join(f"{name}: {written(promise)}" for name, promise in self.parts)
        if self.status != "demonstration":
            return f"Released together: {alone}."
        return (
            f"Would be released together, once each: {alone}. Further runs, and means, ± and curves made of them, are "
            "not covered."
        )

    def sentences(self) -> tuple[str, ...]:
        """What this is and what is promised, in words; the first sentence says what it is."""
        first = self.what
        if self.status == "demonstration":
            proven = all(promise.proven for _, promise in self.parts)
            first += f" {self.draws}" if self.draws else ""
            first += (
                " Columns marked as not private, and the seed, would not be published. "
                + (
                    "What follows holds for a release"
                    if proven
                    else "What follows is claimed, not proven, of a release"
                )
                + " with secret, fresh randomness."
            )
        if not self.parts:
            return (first,)
        said = [first]
        if len(self.parts) > 1:
            said.append(self.one_by_one(_numbers))
            said.append(
                "These promises do not add up, so that nothing is promised for all of them together."
                if self.guarantee is None
                else "All of them together:"
            )
        if self.guarantee is not None:
            said += in_words(self.guarantee)
        return (*said, SETTINGS_NOTE)


def nothing_released(
    status: str = "analysis", free: Mapping[str, Sequence[str]] | None = None, *, simulated: bool = False
) -> Disclosure:
    """Numbers without a release.

    Args:
        status: "public" where nobody's data are read, "analysis" otherwise.
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
) -> Disclosure:
    """Numbers that show what a release would be.

    Args:
        parts: what would be released: name, promise of that release alone.
        draws: see `Disclosure`.
        together: promise of all parts; None adds them up, which holds where each has noise, and a sample, of its own.
        source: see `Disclosure`.
        free: see `Disclosure`.
        sample: see `Disclosure`.

    Raises:
        ValueError: if there is no part.
    """
    if together is None:
        try:
            together = reduce(Guarantee.compose, [promise for _, promise in parts])
        except ValueError:
            together = None
    return Disclosure("demonstration", tuple(parts), together, draws, source, free or {}, sample)


def exact_outputs(
    guarantee: Guarantee, name: str = "one output", free: Mapping[str, Sequence[str]] | None = None, drawn: str = ""
) -> Disclosure:
    """Numbers about the distribution from which a local mechanism would draw: the draw is protected, they are not.

    Args:
        guarantee: promise of one draw.
        name: of what is drawn.
        free: see `Disclosure`.
        drawn: what is drawn to show it, and how; "" for nothing.
    """
    draws = (
        f"{drawn or 'Nothing is drawn'}. Distributions are computed from the input without protection, and the "
        "settings say what the input is. The promise covers what is drawn from a distribution, not the distribution."
    )
    return demonstration([(name, guarantee)], draws, free=free)


def known_seed(seed: int) -> str:
    """The words about a demonstration whose noise can be repeated."""
    return (
        f"Its noise is drawn in floating point from the known seed {seed}: with the seed the noise can be taken off "
        "again."
    )


def in_short(guarantee: Guarantee) -> tuple[str, ...]:
    """Sentences for a picture's foot: epsilon and delta in three digits, the weakest promise first; between whom.

    Args:
        guarantee: the promise.
    """
    return (*_sizes(guarantee, at_most, lambda delta: at_most(delta, 0.0)), f"Protected: {guarantee.neighbours_text}.")


def _sizes(guarantee: Guarantee, epsilon: Callable[[float], str], delta: Callable[[float], str]) -> list[str]:
    """How strong a promise is, by what writes an epsilon and a delta."""

    def size(epsilon_: float, delta_: float) -> str:
        return f"ε = {epsilon(epsilon_)} nats" + (f", δ = {delta(delta_)}." if delta_ else ".")

    sentences = [size(guarantee.epsilon, guarantee.delta)]
    if guarantee.sampled is not None:
        inner = guarantee.sampled
        sentences = [
            f"Towards a person known to be in the sample: {size(inner.epsilon, inner.delta)}",
            f"Towards the population, of which at most a share of {at_most(inner.rate)} of any group is drawn, "
            f"uniformly without replacement, without anyone else's knowledge: {sentences[0]}",
        ]
    if not guarantee.proven:
        sentences.append("This is claimed by the paper and NOT PROVEN: nothing is released for real under it.")
    return sentences


def in_words(guarantee: Guarantee) -> tuple[str, ...]:
    """Sentences that say what is promised, between whom, and what is not covered; the weakest promise first.

    Args:
        guarantee: the promise.
    """
    sentences = _sizes(guarantee, "{:.12g}".format, lambda delta: at_most(delta, 0.0, 6))
    certainty = percent_at_most(guarantee.weakest.posterior(0.5))
    shown = at_most(guarantee.weakest.odds_factor)
    if guarantee.weakest.delta == 0.0:
        sentences.append(
            f"No output shifts the odds between two cases by more than a factor of {shown} (e^ε): an observer who "
            f"thought both equally likely is at most {certainty} sure of one of them afterwards."
        )
    else:
        sentences.append(
            f"A guess between two equally likely cases is right at most {certainty} of the time. "
            + delta_means(guarantee.weakest)
        )
    sentences.append(f"Protected: {guarantee.neighbours_text}.")
    public = "; ".join(guarantee.public) or "nothing but the method"
    sentences.append(f"Public and not protected: {public}.")
    if guarantee.note:
        note = guarantee.note[:1].upper() + guarantee.note[1:]
        sentences.append(note if note.endswith(".") else f"{note}.")
    return tuple(sentences)


def delta_means(guarantee: Guarantee) -> str:
    """What delta says, in plain words: whatever one looks for is at most e^epsilon times as likely, plus delta.

    Args:
        guarantee: a promise with delta > 0.
    """
    text = (
        f"Whatever an observer looks for in the output, its probability in one case is at most e^ε times that in the "
        f"other, plus δ = {at_most(guarantee.delta, 0.0)}. "
        "This is not the probability that the factor e^ε is exceeded, "
    )
    if guarantee.exceeded is None:
        return text + "which may be larger than δ."
    return text + f"which is up to {at_most(guarantee.exceeded, 0.0)}."


def _numbers(promise: Guarantee) -> str:
    weak = promise.weakest
    text = f"ε = {at_most(weak.epsilon, digits=6)}" + (f", δ = {at_most(weak.delta, 0.0)}" if weak.delta else "")
    if promise.sampled is None:
        return text
    return f"{text} in the sample, ε = {at_most(promise.epsilon, digits=6)} towards the population"


def _marked(table: pd.DataFrame, free: Sequence[str]) -> pd.DataFrame:
    if "*" in free:
        return table
    return table.rename(columns={name: _name(str(name), free) for name in table.columns})


def _name(name: str, free: Sequence[str]) -> str:
    return name if name in free or "(not private)" in name else f"{name}{NOT_PRIVATE}"
