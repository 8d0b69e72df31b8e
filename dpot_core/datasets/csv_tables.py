"""Tables that people bring: rows, numbers and names. Nothing here touches the disk."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.csv_bounds import check_cells
from dpot_core.datasets.csv_grid_ids import FROM_ID, with_positions
from dpot_core.datasets.csv_headers import CsvColumns, Layout, chosen_columns, header_of, text_of
from dpot_core.datasets.csv_names import (
    MISSING,
    bare_name,
    likely_role,
    numeric_columns,
    unused_note,
    with_points,
    written_number,
)
from dpot_core.datasets.uploads import plain_text
from dpot_core.privacy.numerals import counted

# Characters of a file that tell what its columns hold.
_LOOKED_AT = 50_000
# Rows that a reader is shown before columns are chosen.
_SHOWN = 3

Rows = NDArray[np.intp]


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
            others = counted(int(bad.sum()) - 1, "more row is", "more rows are")
            more = f" ({others} wrong too)" if bad.sum() > 1 else ""
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
            were = counted(changed, f"{role} name was", f"{role} names were")
            notes.append(f"{were} shortened or rid of control characters.")
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
    read = text_of(data, layout)
    header = header_of(read, layout)
    start = read.text.lstrip("\r\n")[:_LOOKED_AT]
    # What is cut off in the middle of a row is no row.
    start = start if len(start) < _LOOKED_AT else start[: max(start.rfind("\n"), start.rfind("\r"), 0)]
    try:
        table, _ = _rows(start, header, layout)
    except ValueError:
        return header  # reading all of it says what is wrong
    first = table.head(_SHOWN).map(plain_text).to_numpy().tolist()
    header = replace(header, first_rows=tuple(tuple(map(str, row)) for row in first))
    unused = numeric_columns(table, header.guess.values())
    if likely := likely_role(unused, header.guess, layout.likely):
        return replace(header, guess={**header.guess, **likely}, likely=unused)
    return replace(header, unused=unused)


def read_rows(data: bytes, layout: Layout, mapping: Mapping[str, str] | None = None) -> CsvRows:
    """The rows of a table in any of the formats of `formats`.

    Text has comma, semicolon, tab or bar between columns, decimal points or commas, and is in UTF-8, UTF-16 (with its
    mark) or Windows-1252.

    Args:
        data: the file's bytes, at most `uploads.MAX_UPLOAD_BYTES` and `MAX_ROWS` rows.
        layout: which columns it may have.
        mapping: the file's column for each role; None to recognise them by their names.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: says what is wrong with the file.
    """
    read = text_of(data, layout)
    header = header_of(read, layout)
    chosen = chosen_columns(header, mapping, layout)
    table, row = _rows(read.text, header, layout)
    if not len(table):
        raise ValueError(f"the {layout.what} has a header but no rows")
    notes = [*read.notes]
    if header.unnamed:
        named = f" as {', '.join(chosen)}, in this order" if mapping is None else ""
        notes.append(f"The first row has no names of columns; they were taken{named or ' as they were chosen'}.")
    for role in layout.numeric:
        if role in chosen and (pointed := with_points(table[chosen[role]], role)) is not None:
            table = table.assign(**{chosen[role]: pointed})
            notes.append(f"Decimal commas in column {plain_text(chosen[role])!r} were read as decimal points.")
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


def _rows(text: str, header: CsvColumns, layout: Layout) -> tuple[pd.DataFrame, Rows]:
    """The rows with every column of the header, and their numbers in the file.

    Lines without anything in them are no rows; their numbers still count, so that messages fit the file.
    """
    table = _table(text, header, layout)
    row = np.arange(2, len(table) + 2) + header.blank_lines - header.unnamed
    filled = (table != "").any(axis=1).to_numpy()
    table, row = table[filled], row[filled]
    return (with_positions(table, row) if table.shape[1] < len(header.names) else table), row


def _table(text: str, header: CsvColumns, layout: Layout) -> pd.DataFrame:
    own = [name for name in header.names if name not in FROM_ID]
    check_cells(text, header.delimiter, len(own), header.blank_lines, layout.what)
    try:
        with warnings.catch_warnings():
            # Pandas only warns when rows are longer than the header; here that is an error.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                io.BytesIO(text.lstrip("\r\n").encode()),  # as text it would take four times the memory
                sep=header.delimiter,
                header=None if header.unnamed else 0,
                names=[name or f"(column {i + 1})" for i, name in enumerate(own)],
                dtype=str,
                na_filter=False,
                index_col=False,
                skip_blank_lines=False,
            )
    except pd.errors.ParserWarning as error:
        raise ValueError(f"the rows have more columns than the header, which has {len(own)}") from error
    except pd.errors.ParserError as error:
        reason = " ".join(str(error).removeprefix("Error tokenizing data. C error:").split())
        raise ValueError(f"the rows do not fit the header of {len(own)} columns: {reason}") from error
