"""Tables that people bring as CSV files: header, columns, rows, numbers and names. Nothing here touches the disk."""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.csv_bounds import MAX_COLUMNS, check_cells, first_record, without_quoted
from dpot_core.datasets.csv_names import (
    MISSING,
    bare_name,
    likely_role,
    numeric_columns,
    unused_note,
    written_number,
)
from dpot_core.datasets.uploads import UnusableFile, check_size, decode, plain_text

# Characters of a file that tell what its columns hold.
_LOOKED_AT = 50_000

Rows = NDArray[np.intp]


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
    """

    aliases: Mapping[str, tuple[str, ...]]
    required: tuple[str, ...]
    what: str = "CSV file"
    numeric: tuple[str, ...] = ()
    without: Mapping[str, str] = field(default_factory=dict)
    likely: Mapping[str, tuple[str, str]] = field(default_factory=dict)


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
        encoding: how the bytes were read.
        required: the roles that must be there.
        blank_lines: lines without anything before the header.
        unused: columns without a role that hold numbers, as far as the first rows tell.
        likely: columns whose role is likely only.
    """

    names: tuple[str, ...]
    guess: Mapping[str, str]
    delimiter: str
    encoding: str
    required: tuple[str, ...]
    blank_lines: int = 0
    unused: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every column that must be there was recognised."""
        return all(role in self.guess for role in self.required)


@dataclass(frozen=True, eq=False)
class CsvRows:
    """The rows of a CSV file, as text.

    Attributes:
        header: its columns.
        chosen: for each role the name of its column.
        table: the rows that hold anything.
        row: their numbers as a spreadsheet counts, the first line being 1.
        notes: what was assumed.
    """

    header: CsvColumns
    chosen: Mapping[str, str]
    table: pd.DataFrame
    row: Rows
    notes: tuple[str, ...]

    def column(self, role: str) -> pd.Series:
        """The column of a role."""
        return self.table[self.chosen[role]]

    def numbers(self, role: str, low: float, high: float, rule: str) -> Array:
        """The numbers of a column, which must lie in [low, high].

        Raises:
            ValueError: names the first row that breaks the rule.
        """
        column = self.column(role)
        values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64)
        bad = ~((values >= low) & (values <= high))
        if bad.any():
            first = int(np.argmax(bad))
            more = f" ({int(bad.sum()) - 1:,} more rows are wrong too)" if bad.sum() > 1 else ""
            cell = plain_text(str(column.iloc[first]))
            where = f"row {self.row[first]}, column {column.name!r}"
            plain = np.isnan(values[first]) and written_number(cell)
            how = "; write a decimal point, no separators of thousands and no signs behind the number" if plain else ""
            raise ValueError(f"{where}: {role} must be {rule}; got {cell!r}{more}{how}")
        return values

    def labels(self, role: str, notes: list[str]) -> list[str]:
        """The names in a column as plain text, none of them empty and none confused with another.

        Raises:
            ValueError: if a name is empty, or two become one when they are shortened.
        """
        column = self.column(role)
        raw, unique = pd.factorize(column)
        names = np.array([plain_text(str(label)) for label in unique], dtype=object)
        if (names == "").any():
            first = int(np.argmax(names[raw] == ""))
            raise ValueError(f"row {self.row[first]}, column {column.name!r}: the {role}'s name is empty")
        if changed := sum(str(a) != b for a, b in zip(unique, names, strict=True)):
            notes.append(f"{changed:,} {role} names were shortened or rid of control characters.")
        if len(set(names)) < len(names):
            raise ValueError(
                f"column {column.name!r}: some {role}s' names differ only in control characters, in spaces or after "
                "their first 80 characters; rename them"
            )
        return [str(label) for label in names[raw]]


def read_header(data: bytes, layout: Layout) -> CsvColumns:
    """The header of a CSV file, and which columns look like what.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    text, encoding = _text(data, layout)
    header = _header(text, encoding, layout)
    start = text.lstrip("\r\n")[:_LOOKED_AT]
    # What is cut off in the middle of a row is no row.
    start = start if len(start) < _LOOKED_AT else start[: max(start.rfind("\n"), start.rfind("\r"), 0)]
    try:
        table = _table(start, header, layout)
    except ValueError:
        return header  # reading all of it says what is wrong
    unused = numeric_columns(table, header.guess.values())
    if likely := likely_role(unused, header.guess, layout.likely):
        return replace(header, guess={**header.guess, **likely}, likely=unused)
    return replace(header, unused=unused)


def read_rows(data: bytes, layout: Layout, mapping: Mapping[str, str] | None = None) -> CsvRows:
    """The rows of a CSV file: comma, semicolon, tab or bar between columns; UTF-8, UTF-16 (with its mark) or Latin-1.

    Args:
        data: the file's bytes, at most `uploads.MAX_UPLOAD_BYTES` and `MAX_ROWS` rows.
        layout: which columns it may have.
        mapping: the file's column for each role; None to recognise them by their names.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: says what is wrong with the file.
    """
    text, encoding = _text(data, layout)
    header = _header(text, encoding, layout)
    chosen = _chosen(header, mapping, layout)
    table = _table(text, header, layout)
    # Lines without anything in them are no rows; their numbers still count, so that messages fit the file.
    row = np.arange(2, len(table) + 2) + header.blank_lines
    filled = (table != "").any(axis=1).to_numpy()
    table, row = table[filled], row[filled]
    if not len(table):
        raise ValueError(f"the {layout.what} has a header but no rows")
    notes = []
    if encoding == "Latin-1":
        notes.append("The file is not valid UTF-8; it was read as Latin-1, so accents may come out wrong.")
    unused = numeric_columns(table, chosen.values())
    if mapping is None and (likely := likely_role(unused, chosen, layout.likely)):
        chosen, unused = {**chosen, **likely}, ()
    for role, (_, words) in layout.likely.items():
        if (
            role in chosen
            and likely_role((chosen[role],), {}, layout.likely)
            and bare_name(chosen[role]) not in layout.aliases[role]
        ):
            notes.append(f"Column {plain_text(chosen[role])!r} was read as {words}.")
    if unused:
        notes.append(unused_note(unused, [words for role, words in layout.without.items() if role not in chosen]))
    complete = _complete(table, chosen, layout)
    if missing := int((~complete).sum()):
        names = " or ".join(repr(plain_text(chosen[role])) for role in layout.numeric if role in chosen)
        if missing == len(table):
            raise ValueError(f"every row of the {layout.what} lacks a number in column {names}")
        notes.append(f"{missing:,} of {len(table):,} rows without a number in column {names} were left out.")
    return CsvRows(header, chosen, table[complete], row[complete], tuple(notes))


def _complete(table: pd.DataFrame, chosen: Mapping[str, str], layout: Layout) -> NDArray[np.bool_]:
    """Which rows have something in every column of numbers."""
    complete = np.ones(len(table), dtype=bool)
    for role in layout.numeric:
        if role in chosen:
            codes, words = pd.factorize(table[chosen[role]])
            missing = np.array([str(word).strip().lower() in MISSING for word in words], dtype=bool)
            complete &= ~missing[codes]
    return complete


def _text(data: bytes, layout: Layout) -> tuple[str, str]:
    check_size(data, layout.what)
    text, encoding = decode(data, layout.what)
    if text.isspace() or not text:
        raise ValueError(f"the {layout.what} is empty")
    return text, encoding


def _header(text: str, encoding: str, layout: Layout) -> CsvColumns:
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
    for name, times in Counter(names).items():
        if name and times > 1:
            raise ValueError(f"{first}: column {plain_text(name)!r} appears {times} times")
    guess: dict[str, str] = {}
    for role, aliases in layout.aliases.items():
        known = {bare_name(name): name for name in reversed(names)}
        known |= {name.lower(): name for name in reversed(names)}
        found = [known[alias] for alias in aliases if alias in known]
        if found:
            guess[role] = found[0]
    return CsvColumns(names, guess, delimiter, encoding, layout.required, blank_lines)


def _chosen(header: CsvColumns, mapping: Mapping[str, str] | None, layout: Layout) -> dict[str, str]:
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
        raise ColumnsError(f"no column for {', '.join(missing)}; found {found}{hint}", header)
    if len(set(chosen.values())) < len(chosen):
        raise ValueError(f"{', '.join(roles[:-1])} and {roles[-1]} must be different columns")
    return chosen


def _table(text: str, header: CsvColumns, layout: Layout) -> pd.DataFrame:
    check_cells(text, header.delimiter, len(header.names), header.blank_lines, layout.what)
    try:
        with warnings.catch_warnings():
            # Pandas only warns when rows are longer than the header; here that is an error.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                io.BytesIO(text.lstrip("\r\n").encode()),  # as text it would take four times the memory
                sep=header.delimiter,
                header=0,
                names=[name or f"(column {i + 1})" for i, name in enumerate(header.names)],
                dtype=str,
                na_filter=False,
                index_col=False,
                skip_blank_lines=False,
            )
    except pd.errors.ParserWarning as error:
        raise ValueError(f"the rows have more columns than the header, which has {len(header.names)}") from error
    except pd.errors.ParserError as error:
        reason = " ".join(str(error).removeprefix("Error tokenizing data. C error:").split())
        raise ValueError(f"the rows do not fit the header of {len(header.names)} columns: {reason}") from error
