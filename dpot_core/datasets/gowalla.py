"""Gowalla check-ins in Austin, Texas: real people's places, fetched from their publisher, never shipped."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from dpot_core.arguments.progress import Progress
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.downloads import (
    Bar,
    DatasetMissing,
    DownloadError,
    fetched,
    in_cache,
    in_public,
    reading_kept,
)

#: Where the publisher keeps the file, how large it is and how many rows it has.
PUBLISHER = "https://snap.stanford.edu/data/loc-gowalla_totalCheckins.txt.gz"
PUBLISHER_MEGABYTES = 105
PUBLISHER_ROWS = 6_442_892

#: West, south, east, north of the part that is kept, in degrees.
AUSTIN_BOX = (-97.95, 30.10, -97.55, 30.52)

GOWALLA_LICENCE = (
    "SNAP states no licence. Cite: E. Cho, S. A. Myers, J. Leskovec, Friendship and Mobility: User Movement in "
    "Location-Based Social Networks, KDD 2011."
)
_CACHED_NAME = "gowalla_austin_counts.csv.gz"
_COLUMNS = ["user", "location_id", "lat", "lon", "n_checkins"]
_CHUNK_ROWS = 400_000


def load_gowalla_austin(cache_dir: str | os.PathLike[str] | None = None) -> CheckIns:
    """Gowalla check-ins in Austin, from `DPOT_DATA` (a folder) or from the cache of `download_gowalla`.

    The file in `DPOT_DATA` is a published subset without light users and rare places; the downloaded one has
    every check-in of the box, so the two differ in their numbers.

    Args:
        cache_dir: where `download_gowalla` put the file; None for the user's own cache folder.

    Raises:
        DatasetMissing: if neither is there.
        ValueError: if the file found is damaged.
    """
    shared = os.environ.get("DPOT_DATA")
    if shared and (path := Path(shared) / "gowalla" / "austin_counts.csv.gz").is_file():
        return _read(path, f"Published subset of {PUBLISHER} (light users and rare places dropped)")
    if (path := cached_gowalla(cache_dir)).is_file():
        with reading_kept(path, "download it again"):
            return _read(path, PUBLISHER)
    raise DatasetMissing(
        f"Gowalla is not on this machine. Download it (about {PUBLISHER_MEGABYTES} MB, once) with "
        "dpot_core.datasets.download_gowalla(), or set DPOT_DATA to a folder that holds "
        "gowalla/austin_counts.csv.gz"
    )


def cached_gowalla(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where the filtered file is, or will be after `download_gowalla`."""
    return in_cache(_CACHED_NAME, cache_dir)


def download_gowalla(
    url: str = PUBLISHER,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    expected_rows: int = PUBLISHER_ROWS,
    retries: int = 2,
) -> Path:
    """Fetch Gowalla from its publisher and keep the Austin part in the cache; nothing if it is there already.

    About 105 MB go through a temporary file that is removed whatever happens; the cache gets the counts of
    each (user, place) in the box, in one step, once everything was read and counted.

    Args:
        url: the publisher's file: user, time, latitude, longitude, place; tab-separated, gzip.
        cache_dir: None for the user's own cache folder.
        progress: called with (bytes done, bytes in all, 0 if unknown); an exception from it abandons the
            download and leaves nothing behind.
        expected_rows: rows that the whole file must have.
        retries: further attempts after a failed connection, a server error or a file that ends early.

    Returns:
        The path of the filtered file.

    Raises:
        DownloadError: if the server fails to the end, or its file is not the data set.
        OSError: if the cache folder cannot be written; nothing is downloaded then.
    """

    def keep(raw: str, output: str, bar: Bar) -> None:
        _filtered(raw, expected_rows, bar).to_csv(output, index=False, compression={"method": "gzip", "mtime": 1})

    return fetched(url, cached_gowalla(cache_dir), keep, progress, retries)


def _filtered(raw: str, expected_rows: int, bar: Bar) -> pd.DataFrame:
    """Counts of each (user, place) in the box, reading the publisher's file once, piece by piece.

    A file that ends early raises `ValueError` (worth another attempt), one that is something else
    `DownloadError` (another attempt would give the same).
    """
    west, south, east, north = AUSTIN_BOX
    rows, parts = 0, []
    try:
        with _opened(raw) as file:
            chunks = pd.read_csv(
                file,
                sep="\t",
                header=None,
                names=["user", "lat", "lon", "location_id"],
                usecols=[0, 2, 3, 4],
                dtype={"user": np.int64, "lat": np.float64, "lon": np.float64, "location_id": np.int64},
                chunksize=_CHUNK_ROWS,
            )
            for chunk in chunks:
                bar.update(0)  # so that reading, too, can be abandoned
                rows += len(chunk)
                inside = chunk["lat"].between(south, north) & chunk["lon"].between(west, east)
                parts.append(chunk[inside])
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"the file ends early or was damaged on its way ({error})") from error
    except ValueError as error:
        raise DownloadError(f"the file is not Gowalla's list of check-ins: {error}") from error
    if rows != expected_rows:
        raise DownloadError(f"the file has {rows:,} rows; {expected_rows:,} were expected")
    visits = pd.concat(parts)
    if visits.empty:
        raise DownloadError("the file has no check-in in the box around Austin")
    counts = visits.groupby(["user", "location_id"], as_index=False).agg(
        lat=("lat", "first"), lon=("lon", "first"), n_checkins=("lat", "size")
    )
    return counts[_COLUMNS]


def _opened(raw: str) -> gzip.GzipFile | io.BufferedReader:
    # In case that a server unpacked the file all the same, what arrives decides, not the name.
    with open(raw, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(raw) if packed else open(raw, "rb")


def _read(path: Path, source: str) -> CheckIns:
    try:
        rows = pd.read_csv(path, usecols=_COLUMNS, dtype={"user": str, "lat": np.float64, "lon": np.float64})
    except (EOFError, OSError, ValueError, zlib.error) as error:
        reason = in_public(error, path)
        raise ValueError(f"{path.name} is damaged ({reason}); remove it and download it again") from error
    codes, users = pd.factorize(rows["user"])
    # One row for each place, as published: different places may share their coordinates.
    return CheckIns(
        user=codes,
        lat=rows["lat"].to_numpy(),
        lon=rows["lon"].to_numpy(),
        count=rows["n_checkins"].to_numpy(np.float64),
        labels=tuple(str(user) for user in users),
        title="Gowalla check-ins, Austin, Texas",
        simulated=False,
        source=source,
        licence=GOWALLA_LICENCE,
    )
