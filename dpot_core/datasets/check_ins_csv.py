"""A user's own check-ins, from the bytes of a CSV file. Nothing here touches the disk."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets.check_ins import MAX_COUNT, CheckIns, merged
from dpot_core.datasets.uploads import check_size, decode, plain_text

#: More rows than this are refused.
MAX_ROWS = 1_000_000

#: The columns that are understood; "count" may be missing (every row is then one visit).
ROLES = ("user", "lat", "lon", "count")

# Names under which the columns are recognised without being told, in lower case.
_ALIASES = {
    "user": ("user", "user_id", "userid", "user id", "uid", "id", "person", "device", "device_id"),
    "lat": ("lat", "latitude", "lat_deg", "y"),
    "lon": ("lon", "lng", "long", "longitude", "lon_deg", "x"),
    "count": ("count", "weight", "n", "visits", "checkins", "check-ins", "n_checkins", "n_visits"),
}
_LIMITS = {"lat": 90.0, "lon": 180.0}


class ColumnsError(ValueError):
    """The columns needed were not found; `.columns` holds what was, so that one can choose."""

    def __init__(self, message: str, columns: CsvColumns) -> None:
        super().__init__(message)
        self.columns = columns


@dataclass(frozen=True)
class CsvColumns:
    """The header of a CSV file.

    Attributes:
        names: the columns, in the file's order.
        guess: for each role that was recognised ("user", "lat", "lon", "count") the name of its column.
        delimiter: the character between two columns.
        encoding: how the bytes were read.
        blank_lines: lines without anything before the header.
    """

    names: tuple[str, ...]
    guess: Mapping[str, str]
    delimiter: str
    encoding: str
    blank_lines: int = 0

    @property
    def complete(self) -> bool:
        """Whether user, lat and lon were all recognised."""
        return all(role in self.guess for role in ROLES[:3])


def sniff_columns(data: bytes) -> CsvColumns:
    """The header of a CSV file, and which columns look like user, lat, lon and count.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    return _header(*_text(data))


def read_checkins_csv(data: bytes, mapping: Mapping[str, str] | None = None, title: str = "Your check-ins") -> CheckIns:
    """Check-ins from a CSV file with one row for each visit, or for each (user, place) with a count.

    Comma, semicolon, tab or bar between columns; UTF-8, UTF-16 (with its mark) or Latin-1. Rows of the same
    user and place add up; rows with count 0 are left out. Rows are numbered as a spreadsheet does: the
    header is row 1.

    Args:
        data: the file's bytes, at most `uploads.MAX_UPLOAD_BYTES` and `MAX_ROWS` rows.
        mapping: the file's column for each of "user", "lat", "lon" and (optional) "count"; None to recognise
            them by their names.
        title: what the data are, for the screen.

    Returns:
        Check-ins; `.notes` says what was assumed or left out.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: names the row, the column, the value and what is required.
    """
    text, encoding = _text(data)
    header = _header(text, encoding)
    chosen = _chosen(header, mapping)
    table = _table(text, header)
    # Lines without anything in them are no rows; their numbers still count, so that messages fit the file.
    row = np.arange(2, len(table) + 2) + header.blank_lines
    filled = (table != "").any(axis=1).to_numpy()
    table, row = table[filled], row[filled]
    if not len(table):
        raise ValueError("the CSV file has a header but no rows")

    notes: list[str] = []
    if encoding == "Latin-1":
        notes.append("The file is not valid UTF-8; it was read as Latin-1, so accents may come out wrong.")
    lat, lon = (_numbers(table[chosen[role]], role, row) for role in ("lat", "lon"))
    count = _numbers(table[chosen["count"]], "count", row) if "count" in chosen else np.ones(len(table))
    labels = _labels(table[chosen["user"]], chosen["user"], row, notes)
    if (count == 0).all():
        raise ValueError(f"column {chosen['count']!r}: every count is 0, so there is nothing to draw")
    if (count == 0).any():
        notes.append(f"{int((count == 0).sum()):,} rows with count 0 were left out.")
    keep = np.flatnonzero(count)
    return merged(
        [labels[i] for i in keep],
        lat[keep],
        lon[keep],
        count[keep],
        title=plain_text(title),
        simulated=False,
        source="a CSV file given by the user",
        licence="As its owner says; it stays in memory and is never written to disk.",
        notes=tuple(notes),
    )


def _text(data: bytes) -> tuple[str, str]:
    check_size(data, "CSV file")
    text, encoding = decode(data, "CSV file")
    if not text.strip():
        raise ValueError("the CSV file is empty")
    return text, encoding


def _header(text: str, encoding: str) -> CsvColumns:
    start = text.lstrip("\r\n")
    line = re.split(r"[\r\n]", start, maxsplit=1)[0]
    delimiter = max(",;\t|", key=line.count)
    names = tuple(name.strip() for name in next(csv.reader([line], delimiter=delimiter)))
    blank_lines = len(text[: len(text) - len(start)].splitlines())
    for name in names:
        if name and names.count(name) > 1:
            raise ValueError(f"row {blank_lines + 1}: column {name!r} appears {names.count(name)} times")
    guess: dict[str, str] = {}
    for role, aliases in _ALIASES.items():
        known = {name.lower(): name for name in reversed(names)}
        found = [known[alias] for alias in aliases if alias in known]
        if found:
            guess[role] = found[0]
    return CsvColumns(names, guess, delimiter, encoding, blank_lines)


def _chosen(header: CsvColumns, mapping: Mapping[str, str] | None) -> dict[str, str]:
    chosen = dict(header.guess if mapping is None else mapping)
    found = ", ".join(repr(plain_text(name)) for name in header.names[:20])
    if unknown := set(chosen) - set(ROLES):
        raise ValueError(f"mapping may name {', '.join(ROLES)} only; got {', '.join(sorted(unknown))}")
    for role, name in chosen.items():
        if name not in header.names:
            raise ColumnsError(f"column {name!r} (for {role}) is not in the file; found {found}", header)
    if missing := [role for role in ROLES[:3] if role not in chosen]:
        hint = "; the first row must hold the names of the columns" if not header.guess else ""
        raise ColumnsError(f"no column for {', '.join(missing)}; found {found}{hint}", header)
    if len(set(chosen.values())) < len(chosen):
        raise ValueError("user, lat, lon and count must be different columns")
    return chosen


def _table(text: str, header: CsvColumns) -> pd.DataFrame:
    if max(text.count("\n"), text.count("\r")) > MAX_ROWS + 1:
        raise ValueError(f"the CSV file has more than {MAX_ROWS:,} rows, the most that are accepted")
    try:
        with warnings.catch_warnings():
            # Pandas only warns when rows are longer than the header; here that is an error.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                io.StringIO(text.lstrip("\r\n")),
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


def _numbers(column: pd.Series, role: str, row: np.ndarray) -> Array:
    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64)
    if role == "count":
        bad, rule = ~((values >= 0) & (values <= MAX_COUNT)), f"a number in [0, {MAX_COUNT:g}]"
    else:
        limit = _LIMITS[role]
        bad, rule = ~(np.abs(values) <= limit), f"a number in [-{limit:g}, {limit:g}] (degrees, decimal point)"
    if bad.any():
        first = int(np.argmax(bad))
        more = f" ({int(bad.sum()) - 1:,} more rows are wrong too)" if bad.sum() > 1 else ""
        cell = plain_text(str(column.iloc[first]))
        raise ValueError(f"row {row[first]}, column {column.name!r}: {role} must be {rule}; got {cell!r}{more}")
    return values


def _labels(column: pd.Series, name: str, row: np.ndarray, notes: list[str]) -> list[str]:
    raw, unique = pd.factorize(column)
    names = np.array([plain_text(str(label)) for label in unique], dtype=object)
    if (names == "").any():
        first = int(np.argmax(names[raw] == ""))
        raise ValueError(f"row {row[first]}, column {name!r}: the user's name is empty")
    if changed := sum(str(a) != b for a, b in zip(unique, names, strict=True)):
        notes.append(f"{changed:,} user names were shortened or rid of control characters.")
    if len(set(names)) < len(names):
        raise ValueError(
            f"column {name!r}: some users' names differ only in control characters, in spaces or after "
            "their first 80 characters; rename them"
        )
    return [str(label) for label in names[raw]]
