"""Census tracts 2010 of the contiguous United States: counts of people, fetched from the Census Bureau on request."""

from __future__ import annotations

import os
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from dpot_core.arguments.progress import Progress
from dpot_core.datasets.downloads import (
    Bar,
    DatasetMissing,
    DownloadError,
    GroupsMissing,
    fetched,
    in_cache,
    in_public,
    reading_kept,
)
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.population import EVERYBODY, Population, by_code
from dpot_core.datasets.us_places import REGIONS

#: Where the Census Bureau keeps the centres of all tracts, and how large the file is.
TRACTS_PUBLISHER = "https://www2.census.gov/geo/docs/reference/cenpop2010/tract/CenPop2010_Mean_TR.txt"
TRACTS_MEGABYTES = 4

#: People of the 48 states and the District of Columbia in the 2010 census.
TRACTS_PEOPLE = 306_675_006

#: How the people of `load_tracts` can be told apart: key -> words.
TRACTS_GROUPS = {
    "everybody": "everybody as one group",
    "regions": "the four Census regions",
    "race": "adults: White, Asian/Pacific, Black, Hispanic",
}

#: Name of a group of adults -> its column; the groups do not overlap ("not Hispanic" but for the last).
RACE_COLUMNS = {
    "White": "adults_nh_white",
    "Asian/Pacific": "adults_nh_api",
    "Black": "adults_nh_black",
    "Hispanic": "adults_hispanic",
}

# State codes (FIPS) of the four Census regions.
_STATES = {
    "Northeast": (9, 23, 25, 33, 34, 36, 42, 44, 50),
    "Midwest": (17, 18, 19, 20, 26, 27, 29, 31, 38, 39, 46, 55),
    "South": (1, 5, 10, 11, 12, 13, 21, 22, 24, 28, 37, 40, 45, 47, 48, 51, 54),
    "West": (4, 6, 8, 16, 30, 32, 35, 41, 49, 53, 56),
}
_REGION_OF = {state: REGIONS.index(region) for region, states in _STATES.items() for state in states}

TRACTS_SOURCE = f"US Census Bureau, 2010 census; tract centres as in {TRACTS_PUBLISHER}"
TRACTS_LICENCE = "Work of the United States government (Census Bureau), not subject to copyright."
_FILE = "tracts_census2010.csv.gz"
_COLUMNS = ["state_fips", "lon", "lat", "pop_total"]
_PUBLISHED = {"STATEFP": "state_fips", "LONGITUDE": "lon", "LATITUDE": "lat", "POPULATION": "pop_total"}


def load_tracts(groups: str = "everybody", cache_dir: str | os.PathLike[str] | None = None) -> Population:
    """People of the 2010 census at the centres of their tracts, from `DPOT_DATA` or the cache of `download_tracts`.

    Args:
        groups: "everybody", "regions" (the four Census regions), or "race" (adults: White, Asian/Pacific, Black, all
            three not Hispanic, and Hispanic); "race" needs the file in `DPOT_DATA`.
        cache_dir: where `download_tracts` put its file; None for the user's own cache folder.

    Raises:
        DatasetMissing: if neither file is there; `GroupsMissing` if the race of adults is asked of the downloaded one.
        ValueError: if `groups` is something else, or the file found is damaged.
    """
    if groups not in TRACTS_GROUPS:
        raise ValueError(f"groups must be one of {', '.join(TRACTS_GROUPS)}; got {groups!r}")
    path = found_tracts(cache_dir)
    if path is None:
        raise DatasetMissing(
            f"The Census tracts are not on this machine. Download them (about {TRACTS_MEGABYTES} MB, once) with "
            f"dpot_core.datasets.download_tracts(), or set DPOT_DATA to a folder that holds us/{_FILE}"
        )
    if groups == "race" and not tracts_know_race(cache_dir):
        raise GroupsMissing(
            "The Census Bureau's file of tract centres has totals only, so that groups by race are not available: "
            f"choose other groups, or set DPOT_DATA to a folder that holds us/{_FILE}"
        )
    if path != cached_tracts(cache_dir):
        return _read(path, path.stat().st_mtime_ns, groups)
    with reading_kept(path, "download it again"):
        return _read(path, path.stat().st_mtime_ns, groups)


def found_tracts(cache_dir: str | os.PathLike[str] | None = None) -> Path | None:
    """The file that `load_tracts` reads, or None if there is none."""
    shared = os.environ.get("DPOT_DATA")
    if shared and (path := Path(shared) / "us" / _FILE).is_file():
        return path
    path = cached_tracts(cache_dir)
    return path if path.is_file() else None


def tracts_know_race(cache_dir: str | os.PathLike[str] | None = None) -> bool:
    """Whether the file that `load_tracts` reads tells adults apart by race."""
    path = found_tracts(cache_dir)
    return path is not None and path != cached_tracts(cache_dir)


def cached_tracts(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where the downloaded file is, or will be after `download_tracts`."""
    return in_cache("census2010_tract_centres.csv.gz", cache_dir)


def download_tracts(
    url: str = TRACTS_PUBLISHER,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    expected_people: int = TRACTS_PEOPLE,
    retries: int = 2,
) -> Path:
    """Fetch the centres of all Census tracts, keep those of the contiguous states; nothing if they are there already.

    The file reaches the cache in one step, once everything was read and counted.

    Args:
        url: the publisher's file: STATEFP, COUNTYFP, TRACTCE, POPULATION, LATITUDE, LONGITUDE.
        cache_dir: None for the user's own cache folder.
        progress: called with (bytes done, bytes in all, 0 if unknown); an exception from it abandons the download and
            leaves nothing behind.
        expected_people: people that the tracts of the contiguous states must have together.
        retries: further attempts after a failed connection or a server error.

    Returns:
        The path of the kept file.

    Raises:
        DownloadError: if the server fails to the end, or its file is not the data set.
        OSError: if the cache folder cannot be written; nothing is downloaded then.
    """

    def keep(raw: str, output: str, bar: Bar) -> None:
        bar.update(0)
        _contiguous(raw, expected_people).to_csv(output, index=False, compression={"method": "gzip", "mtime": 1})

    return fetched(url, cached_tracts(cache_dir), keep, progress, retries)


def _contiguous(raw: str, expected_people: int) -> pd.DataFrame:
    try:
        table = pd.read_csv(raw, usecols=list(_PUBLISHED), encoding="utf-8-sig", skipinitialspace=True)
        rows = table.rename(columns=_PUBLISHED)[_COLUMNS].astype({"lon": np.float64, "lat": np.float64})
        rows = rows.astype({"state_fips": np.int64, "pop_total": np.int64})
    except ValueError as error:
        raise DownloadError(f"the file is not the list of tract centres: {error}") from error
    rows = rows[rows["state_fips"].isin(list(_REGION_OF))]
    if (people := int(rows["pop_total"].sum())) != expected_people:
        raise DownloadError(
            f"the file has {people:,} people in the contiguous states; {expected_people:,} were expected"
        )
    return rows


@lru_cache(maxsize=6)
def _read(path: Path, changed: int, groups: str) -> Population:
    columns = [*_COLUMNS, *(RACE_COLUMNS.values() if groups == "race" else ())]
    try:
        rows = pd.read_csv(path, usecols=columns)
        points = rows[["lon", "lat"]].to_numpy(np.float64)
        codes = rows["state_fips"].map(_REGION_OF).to_numpy(np.float64)
        if not (np.isfinite(points).all() and np.isfinite(codes).all()):
            raise ValueError("a number is missing")
    except (EOFError, OSError, ValueError, zlib.error) as error:
        reason = in_public(error, path)
        raise ValueError(f"{path.name} is damaged ({reason}); remove it and download it again") from error
    people = rows["pop_total"].to_numpy(np.float64)
    names: tuple[str, ...] = (EVERYBODY,)
    weights = people[None, :]
    if groups == "race":
        weights, names = rows[list(RACE_COLUMNS.values())].to_numpy(np.float64).T, tuple(RACE_COLUMNS)
    elif groups == "regions":
        weights, names = by_code(codes, people, len(REGIONS)), REGIONS
    lived_in = weights.sum(axis=0) > 0
    points, weights = points[lived_in], weights[:, lived_in]
    outline = us_outline()
    outside = ~outline.contains(points)
    notes = [f"{int(outside.sum()):,} tracts on the coast were moved to the simplified outline."]
    if groups == "race":
        notes.append("Adults (18 and older) only; White, Asian/Pacific and Black are those who are not Hispanic.")
    points = outline.clip(points)
    return Population(
        lon=points[:, 0],
        lat=points[:, 1],
        weights=weights,
        group_names=names,
        title="Census tracts 2010" + (", adults" if groups == "race" else ""),
        simulated=False,
        outline=outline,
        source=TRACTS_SOURCE,
        licence=TRACTS_LICENCE,
        notes=tuple(notes),
    )
