"""A user's own check-ins, from the bytes of a CSV file. Nothing here touches the disk."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpot_core.datasets.check_ins import MAX_COUNT, CheckIns, merged
from dpot_core.datasets.csv_degrees import LATITUDE, LONGITUDE, degrees
from dpot_core.datasets.csv_headers import CsvColumns, Layout
from dpot_core.datasets.csv_tables import read_header, read_rows
from dpot_core.datasets.uploads import plain_text
from dpot_core.privacy.numerals import counted

_LAYOUT = Layout(
    {
        "user": (
            *("user", "user_id", "userid", "user id", "uid", "id", "person", "device", "device_id"),
            *("customer", "customer_id", "client", "client_id", "member", "member_id"),
        ),
        "lat": (*LATITUDE, "y"),
        "lon": (*LONGITUDE, "x"),
        "count": ("count", "weight", "n", "visits", "checkins", "check-ins", "n_checkins", "n_visits"),
    },
    required=("user", "lat", "lon"),
    numeric=("lat", "lon", "count"),
    without={"count": "Every row counts as one visit."},
)

#: The columns that are understood; "count" may be missing (every row is then one visit).
ROLES = tuple(_LAYOUT.aliases)


def sniff_columns(data: bytes) -> CsvColumns:
    """The header of a CSV file, and which columns look like user, lat, lon and count.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    return read_header(data, _LAYOUT)


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
    rows = read_rows(data, _LAYOUT, mapping)
    notes = list(rows.notes)
    lon, lat, placed = degrees(rows, notes)
    chosen = rows.chosen
    count = np.ones(len(lat))
    if "count" in chosen:
        count = rows.numbers("count", 0.0, MAX_COUNT, f"a number in [0, {MAX_COUNT:g}]")
    labels = rows.labels("user", notes)
    if (count == 0).all():
        raise ValueError(f"column {chosen['count']!r}: every count is 0, so there is nothing to draw")
    if (count == 0).any():
        notes.append(f"{counted(int((count == 0).sum()), 'row with count 0 was', 'rows with count 0 were')} left out.")
    keep = np.flatnonzero((count > 0) & placed)
    if not len(keep):
        raise ValueError("every row with a count lies at 0, 0, which stands for no position")
    return merged(
        pd.DataFrame({"user": labels, "lat": lat, "lon": lon, "count": count}).iloc[keep],
        title=plain_text(title),
        simulated=False,
        source="a file given by the user",
        licence="As its owner says; it stays in memory and is never written to disk.",
        notes=tuple(notes),
        own=True,
    )
