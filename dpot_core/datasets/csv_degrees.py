"""Degrees of longitude and latitude in a CSV file: other ranges, and what stands for no position."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.datasets.csv_tables import CsvRows
from dpot_core.privacy.numerals import counted

#: Names of columns, in lower case; the longer ones are those of Darwin Core, the US Census and Movebank.
LONGITUDE = (
    *("lon", "lng", "long", "longitude", "lon_deg"),
    *("decimallongitude", "intptlong", "intptlon", "location-long"),
)
LATITUDE = ("lat", "latitude", "lat_deg", "decimallatitude", "intptlat", "location-lat")


def longitudes(rows: CsvRows, notes: list[str]) -> Array:
    """The longitudes (n,) in [-180, 180]; those of a file that counts from 0 to 360 are turned, which is noted.

    Raises:
        ValueError: names the first row beyond both ranges.
    """
    lon = rows.numbers("lon", -180.0, 360.0, "a number in [-180, 180] (degrees, decimal point)")
    beyond = lon > 180.0
    if not beyond.any():
        return lon
    if (lon < 0).any():  # in no range at all: read anew for the sentence
        return rows.numbers("lon", -180.0, 180.0, "a number in [-180, 180] (degrees, decimal point)")
    were = counted(int(beyond.sum()), "longitude from 180 to 360 was", "longitudes from 180 to 360 were")
    notes.append(f"{were} read as degrees west (262.3 as -97.7).")
    return np.where(beyond, np.round(lon - 360.0, 9), lon)


def placed_rows(lon: Array, lat: Array, notes: list[str]) -> NDArray[np.bool_]:
    """Which rows (n,) have a position: 0, 0 is what devices write without one; left out with a note.

    Raises:
        ValueError: if no row has.
    """
    placed = (lon != 0) | (lat != 0)
    if not placed.any():
        raise ValueError("every row lies at 0, 0, which stands for no position")
    if lost := int((~placed).sum()):
        rows, were = counted(lost, "row", "rows"), "was" if lost == 1 else "were"
        notes.append(f"{rows} at longitude 0, latitude 0, which stands for no position, {were} left out.")
    return np.asarray(placed)


def degrees(rows: CsvRows, notes: list[str]) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Longitudes, latitudes, and which rows have a position, each (n,).

    Raises:
        ValueError: names the first row that holds no degrees.
    """
    lat = rows.numbers("lat", -90.0, 90.0, "a number in [-90, 90] (degrees, decimal point)")
    lon = longitudes(rows, notes)
    return lon, lat, placed_rows(lon, lat, notes)
