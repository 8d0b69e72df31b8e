"""Meanings of the columns of a CSV file by their names and cells: units, numbers without a role, a likely role."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from dpot_core.datasets.uploads import plain_text

#: What spreadsheets and programs write where there is no number.
MISSING = ("", "na", "n/a", "nan", "null", "none")

# Rows of a table that tell what its columns hold.
_ROWS_LOOKED_AT = 10_000

# Digits in groups, decimals after either sign, a unit of money before and a per cent sign behind.
_WRITTEN_NUMBER = re.compile(r"[-+]?[$€£]?\s*\d+([ \u00a0\u2009\u202f'\u2019.,]\d+)*([eE][-+]?\d+)?\s*%?")


def bare_name(name: str) -> str:
    """A column's name without its unit, which stands in brackets behind it."""
    return re.sub(r"\s*[(\[].*", "", name.lower())


def likely_role(
    unused: Sequence[str], chosen: Mapping[str, str], likely: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """The role of the only column of numbers that has none, if its name tells enough."""
    if len(unused) != 1:
        return {}
    name = re.sub(r"[\W_]", "", bare_name(unused[0]))
    fit = [role for role, (names, _) in likely.items() if role not in chosen and re.fullmatch(names, name)]
    return dict.fromkeys(fit[:1], unused[0])


def unused_note(unused: Sequence[str], instead: Sequence[str] = ()) -> str:
    """A sentence on columns that hold numbers and were not used, and on what holds in place of a missing column."""
    shown = ", ".join(repr(plain_text(name)) for name in unused[:5])
    more = f" and {len(unused) - 5:,} more" if len(unused) > 5 else ""
    return " ".join([f"Not used, though there are numbers in it: column {shown}{more}.", *instead])


def written_number(cell: str) -> bool:
    """Whether a cell looks like a number, though it may have to be written in another way before it can be read.

    >>> [written_number(cell) for cell in ("1,005,000", "12 345", "12345,5", "10%", "2020-01-31", "D", "")]
    [True, True, True, True, False, False, False]
    """
    return _WRITTEN_NUMBER.fullmatch(cell.strip()) is not None


def with_points(column: pd.Series, role: str) -> pd.Series | None:
    """A column of numbers with decimal points in place of commas; None where it has none, or they may be thousands'.

    Three digits behind every comma may be either, but for degrees: 48,137 of thousands would be no latitude.
    """
    codes, words = pd.factorize(column)
    cells = [str(word).strip() for word in words]
    commas = [cell for cell in cells if "," in cell]
    if not commas or not all(re.fullmatch(r"[-+]?\d+,\d+", cell) for cell in commas):
        return None
    if any("." in cell for cell in cells) or (
        role not in ("lat", "lon") and all(len(cell.split(",")[1]) == 3 for cell in commas)
    ):
        return None
    return pd.Series(np.array([cell.replace(",", ".") for cell in cells], dtype=object)[codes], column.index)


def numeric_columns(table: pd.DataFrame, used: Collection[str]) -> tuple[str, ...]:
    """The columns without a role of which at least half the different cells look like numbers; empty ones aside.

    A column of people stays one where a few are suppressed ("D", "*"), or written with separators of thousands.
    """
    found = []
    for name in table.columns:
        if name in used:
            continue
        # Each distinct cell once: a file may have thousands of columns.
        cells = [cell for cell in table[name].iloc[:_ROWS_LOOKED_AT].unique() if cell.strip().lower() not in MISSING]
        numbers = np.isfinite(pd.to_numeric(np.array(cells, dtype=object), errors="coerce"))
        looks = numbers.sum() + sum(written_number(cells[i]) for i in np.flatnonzero(~numbers))
        if cells and 2 * looks >= len(cells):
            found.append(str(name))
    return tuple(found)
