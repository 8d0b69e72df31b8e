"""From a source and a reader's files to a city."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import CsvRoles, Place
from dpot_app.kit.cache import Cache
from dpot_app.kit.reading import ALSO_READ, read_once
from dpot_core import datasets
from dpot_core.datasets.simulated_world import simulated_people
from dpot_core.datasets.world import city_of

#: Roles of people's own files.
CHECK_INS, ZONES = "check-ins", "zones"
#: What is said where there are no check-ins yet.
BRING_CHECK_INS = (
    "Bring a CSV file in the controls, with one row for each check-in. Its columns are user, lat and lon (degrees) "
    f"and, if you like, count. Columns with other names can be matched. {ALSO_READ} The file stays in the memory of "
    "the app. It is not written to disk, and not part of the link."
)

# A large file takes seconds to read, and hundreds of megabytes.
_read = read_once(Cache(2), datasets.read_checkins_csv)


@lru_cache(maxsize=4)
def _people_of(city: str) -> datasets.CheckIns:
    return simulated_people(city_of(city))


def load_check_ins(
    source: str, files: Mapping[str, bytes], columns: CsvRoles = (), city: str = ""
) -> datasets.CheckIns:
    """Everybody's check-ins.

    Args:
        source: a key of `DATASETS`, or "csv".
        files: contents by role; "csv" takes "check-ins".
        columns: for "csv": (role, column) of the file; () if they have the usual names.
        city: for "simulated": where the people live; "" for the invented city.

    Raises:
        DatasetMissing: if they have to be downloaded first.
        ColumnsError: if the file's columns have other names.
        UnusableFile: if the file cannot be used.
        ValueError: if it is missing.
    """
    if source == "simulated" and city:
        return _people_of(city)
    if source != "csv":
        return datasets.loaded(datasets.DATASETS[source])
    content = _file(files, CHECK_INS)
    return _read(content, dict(columns) or None)


def load_city(
    source: str,
    place: Place,
    files: Mapping[str, bytes],
    columns: CsvRoles = (),
    zones: bool = False,
    clamp: bool = False,
) -> City:
    """The city of a source, from memory where it was made before.

    Args:
        source: a key of `DATASETS`, or "csv".
        place: grid and people.
        files: contents by role: "check-ins" (CSV), "zones" (GeoJSON), where they are asked for.
        columns: as in `load_check_ins`.
        zones: whether outputs are zones of one's own, not the cells.
        clamp: as in `make_city`.

    Raises:
        DatasetMissing: if the data have to be downloaded first.
        ColumnsError: if the file's columns have other names.
        ValueError: says what does not fit.
    """
    check_ins = load_check_ins(source, files, columns, place.city)
    return make_city(check_ins, place.of(source), _file(files, ZONES) if zones else None, clamp)


def _file(files: Mapping[str, bytes], role: str) -> bytes:
    if role not in files:
        raise ValueError(f"these settings need a file of {role}")
    return files[role]
