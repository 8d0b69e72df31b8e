"""Headers of tables that people bring: which columns there are, and which looks like what."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpot_core.datasets.csv_bounds import MAX_COLUMNS, first_record, without_quoted
from dpot_core.datasets.csv_grid_ids import FROM_ID, positions
from dpot_core.datasets.csv_names import bare_name, written_number
from dpot_core.datasets.formats import TableText, table_text
from dpot_core.datasets.uploads import UnusableFile, check_size, plain_text


@dataclass(frozen=True)
class Layout:
    """Which columns a file may have.

    Attributes:
        aliases: for each role the names under which its column is recognised, in lower case.
        required: the roles that must be there.
        what: the file's name in messages.
        numeric: the roles that hold numbers: a row that lacks one is left out, with a note.
        without: for roles that may be missing, a sentence on what holds then.
        likely: for roles that no name tells, names (small letters and digits only) that tell enough where one column of
            numbers is left, and what the column is then said to be.
        by_position: roles of the first columns of a file without names; () to ask for them.
    """

    aliases: Mapping[str, tuple[str, ...]]
    required: tuple[str, ...]
    what: str = "CSV file"
    numeric: tuple[str, ...] = ()
    without: Mapping[str, str] = field(default_factory=dict)
    likely: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    by_position: tuple[str, ...] = ()


class ColumnsError(UnusableFile):
    """The columns needed were not found; `.columns` holds what was, so that one can choose."""

    def __init__(self, message: str, columns: CsvColumns) -> None:
        super().__init__(message)
        self.columns = columns


@dataclass(frozen=True)
class CsvColumns:
    """The header of a CSV file.

    Attributes:
        names: the columns, in the file's order.
        guess: for each role that was recognised the name of its column.
        delimiter: the character between two columns.
        encoding: how the bytes were read; "" for a file that is no text.
        required: the roles that must be there.
        blank_lines: lines without anything before the header.
        unused: columns without a role that hold numbers, as far as the first rows tell.
        likely: columns whose role is likely only.
        unnamed: whether the first row is one of the others, so that columns are called by their numbers.
        first_rows: cells of the first few rows, as they are read.
    """

    names: tuple[str, ...]
    guess: Mapping[str, str]
    delimiter: str
    encoding: str
    required: tuple[str, ...]
    blank_lines: int = 0
    unused: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()
    unnamed: bool = False
    first_rows: tuple[tuple[str, ...], ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every column that must be there was recognised."""
        return all(role in self.guess for role in self.required)


def text_of(data: bytes, layout: Layout) -> TableText:
    """The text of a table.

    Raises:
        ValueError: if it is empty or too large, or no table can be read from it.
    """
    check_size(data, layout.what)
    read = table_text(data, layout.what)
    if read.text.isspace() or not read.text:
        raise ValueError(f"the {layout.what} is empty")
    return read


def header_of(read: TableText, layout: Layout) -> CsvColumns:
    """The columns of a table; of one whose first row is like the others, by their numbers.

    Raises:
        ValueError: if they are too many, or two have one name.
    """
    text = read.text
    start = text.lstrip("\r\n")
    line = first_record(start)
    bare = without_quoted(line)
    delimiter = max(",;\t|", key=bare.count)
    blank_lines = len(text[: len(text) - len(start)].splitlines())
    first = f"row {blank_lines + 1}"
    if (columns := bare.count(delimiter) + 1) > MAX_COLUMNS:
        raise ValueError(f"{first} has {columns:,} columns; at most {MAX_COLUMNS:,} are accepted")
    try:
        # A line break in a heading is a space.
        cells = next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter))
        names = tuple(" ".join(name.split()) for name in cells)
    except csv.Error as error:
        raise ValueError(f"{first} must hold the names of the columns, and one of them is too long: {error}") from error
    guess = {} if read.unnamed else _guess(names, layout)
    unnamed = read.unnamed or (not guess and sum(map(written_number, names)) >= 2)
    if unnamed:
        names = tuple(f"column {number}" for number in range(1, len(names) + 1))
        guess = dict(zip(layout.by_position, names, strict=False))
    for name, times in Counter(names).items():
        if name and times > 1:
            raise ValueError(f"{first}: column {plain_text(name)!r} appears {times} times")
    if {"lon", "lat"} <= layout.aliases.keys() - guess.keys() and (places := positions(names)):
        names, guess = (*names, *FROM_ID), {**guess, **places}
    return CsvColumns(names, guess, delimiter, read.encoding, layout.required, blank_lines, unnamed=unnamed)


def _guess(names: Sequence[str], layout: Layout) -> dict[str, str]:
    guess: dict[str, str] = {}
    for role, aliases in layout.aliases.items():
        known = {bare_name(name): name for name in reversed(names)}
        known |= {name.lower(): name for name in reversed(names)}
        found = [known[alias] for alias in aliases if alias in known]
        if found:
            guess[role] = found[0]
    return guess


def chosen_columns(header: CsvColumns, mapping: Mapping[str, str] | None, layout: Layout) -> dict[str, str]:
    """The column of each role: by a mapping, or as they were recognised.

    Raises:
        ColumnsError: if one that must be there is missing.
        ValueError: if two roles have one column, or the mapping has a role that there is none of.
    """
    roles = tuple(layout.aliases)
    chosen = dict(header.guess if mapping is None else mapping)
    found = ", ".join(repr(plain_text(name)) for name in header.names[:20])
    if unknown := set(chosen) - set(roles):
        raise ValueError(f"mapping may name {', '.join(roles)} only; got {', '.join(sorted(unknown))}")
    for role, name in chosen.items():
        if name not in header.names:
            raise ColumnsError(f"column {name!r} (for {role}) is not in the file; found {found}", header)
    if missing := [role for role in layout.required if role not in chosen]:
        hint = "; the first row must hold the names of the columns" if not header.guess else ""
        hint = "; its first row holds no names, so say which column is which" if header.unnamed else hint
        raise ColumnsError(f"no column for {', '.join(missing)}; found {found}{hint}", header)
    if len(set(chosen.values())) < len(chosen):
        raise ValueError(f"{', '.join(roles[:-1])} and {roles[-1]} must be different columns")
    return chosen
