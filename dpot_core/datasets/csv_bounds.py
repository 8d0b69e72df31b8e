"""Bounds on rows, columns and cells of a CSV file, held before a parser makes objects of them."""

from __future__ import annotations

import re

import numpy as np

#: More rows than this are refused, more columns, and more cells in all.
MAX_ROWS = 1_000_000
MAX_COLUMNS = 1000
MAX_CELLS = 10_000_000

# A quote opens a cell only where the cell begins; two in it stand for one. Possessive: it never goes back.
_CELL = r'"(?<=[,;\t|\r\n]")[^"]*+(?:""[^"]*+)*+"'
_QUOTED = re.compile(_CELL)
_RECORD = re.compile(rf'\n(?:{_CELL}|[^"\r\n]++|")*+')


def first_record(text: str) -> str:
    """The first record of a CSV file: its first line, or more where a quoted cell holds line breaks."""
    found = _RECORD.match("\n" + text)
    return found[0][1:] if found else ""


def without_quoted(text: str) -> str:
    """The text without its quoted cells: each delimiter and line end in it parts two cells."""
    return _QUOTED.sub("", "\n" + text)[1:] if '"' in text else text


def check_cells(text: str, delimiter: str, columns: int, blank_lines: int, what: str) -> None:
    """Refuse a table of too many rows or cells, and one with a row that is longer than its header.

    A parser makes columns for the longest row: one line of commas would cost it gigabytes. A row with one cell too
    many costs nothing; the parser says it.

    Args:
        text: of the file.
        delimiter: between two cells.
        columns: of the header.
        blank_lines: before the header.
        what: the file's name in messages.

    Raises:
        ValueError: names the bound, or the row.
    """
    bare = without_quoted(text)
    lines = max(bare.count("\n"), bare.count("\r"))
    if lines > MAX_ROWS + 1:
        raise ValueError(f"the {what} has more than {MAX_ROWS:,} rows, the most that are accepted")
    if (cells := max(lines * columns, bare.count(delimiter))) > MAX_CELLS:
        raise ValueError(
            f"the {what} has {cells:,} cells; at most {MAX_CELLS:,} are accepted: leave out columns that are not needed"
        )
    signs = np.frombuffer(bare.lstrip("\r\n").encode("utf-8", "surrogatepass"), dtype=np.uint8)
    between = np.flatnonzero(signs == ord(delimiter))
    ends = np.append(np.flatnonzero((signs == ord("\n")) | (signs == ord("\r"))), signs.size)
    widths = np.diff(np.searchsorted(between, ends), prepend=0) + 1
    wide = int(np.argmax(widths))
    if widths[wide] > columns + 1:
        before = signs[: ends[wide]]
        row = blank_lines + 1 + max(int((before == ord(sign)).sum()) for sign in "\r\n")
        raise ValueError(f"row {row:,} has {widths[wide]:,} columns: more columns than the header, which has {columns}")
