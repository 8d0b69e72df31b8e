"""MovieLens 100K: real people's ratings, fetched from their publisher, never shipped."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from dpot_core.arguments.progress import Progress
from dpot_core.datasets.downloads import Bar, DatasetMissing, fetched, in_cache, in_public, reading_kept
from dpot_core.datasets.ratings import Ratings, flagged
from dpot_core.datasets.uploads import plain_text

#: Where the publisher keeps the file, how large it is, and its checksum as published.
MOVIELENS_PUBLISHER = "https://files.grouplens.org/datasets/movielens/ml-100k.zip"
MOVIELENS_MEGABYTES = 5
MOVIELENS_MD5 = "0e33842e24a9c977be4e0107933c0723"

#: Checksum of the ratings inside it.
RATINGS_MD5 = "6e47046882bad158b0efbb84cd5cb987"

#: What GroupLens asks of users of the data.
MOVIELENS_LICENCE = (
    "Research use only; acknowledge the data set; no redistribution and no commercial use without GroupLens' "
    "permission. Cite: F. M. Harper, J. A. Konstan, The MovieLens Datasets: History and Context, ACM Transactions on "
    "Interactive Intelligent Systems 5(4), 2015."
)
_CACHED_NAME = "ml-100k.zip"
_FOLDER = "ml-100k"
_FILES = ("u.data", "u.item", "u.genre")


def load_movielens(cache_dir: str | os.PathLike[str] | None = None) -> Ratings:
    """MovieLens 100K, from `DPOT_DATA` (a folder that holds ml-100k/) or from the cache of `download_movielens`.

    Args:
        cache_dir: where `download_movielens` put the file; None for the user's own cache folder.

    Raises:
        DatasetMissing: if neither is there.
        DatasetDamaged: if the downloaded file is not what it was.
        ValueError: if what is in `DPOT_DATA` is not the data set as published.
    """
    shared = os.environ.get("DPOT_DATA")
    if shared and (folder := Path(shared) / _FOLDER).is_dir():
        return _read(lambda name: (folder / name).read_bytes(), folder)
    if (path := cached_movielens(cache_dir)).is_file():
        with reading_kept(path, "download it again"), zipfile.ZipFile(path) as archive:
            return _read(lambda name: archive.read(f"{_FOLDER}/{name}"), path)
    raise DatasetMissing(
        f"MovieLens 100K is not on this machine. Download it (about {MOVIELENS_MEGABYTES} MB, once) with "
        f"dpot_core.datasets.download_movielens(), or set DPOT_DATA to a folder that holds {_FOLDER}/"
    )


def cached_movielens(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where the publisher's file is kept, or will be after `download_movielens`."""
    return in_cache(_CACHED_NAME, cache_dir)


def download_movielens(
    url: str = MOVIELENS_PUBLISHER,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    md5: str = MOVIELENS_MD5,
    retries: int = 2,
) -> Path:
    """Fetch MovieLens 100K from its publisher into the cache, as it is; nothing if it is there already.

    The file reaches the cache in one step, once its checksum was found right. See `MOVIELENS_LICENCE`.

    Args:
        url: the publisher's zip file.
        cache_dir: None for the user's own cache folder.
        progress: called with (bytes done, bytes in all, 0 if unknown); an exception from it abandons the
            download and leaves nothing behind.
        md5: checksum that the file must have.
        retries: further attempts after a failed connection, a server error or a wrong checksum.

    Returns:
        The path of the zip file.

    Raises:
        DownloadError: if the server fails to the end, or its file has another checksum.
        OSError: if the cache folder cannot be written; nothing is downloaded then.
    """

    def keep(raw: str, output: str, bar: Bar) -> None:
        bar.update(0)
        shutil.copyfile(raw, output)

    return fetched(url, cached_movielens(cache_dir), keep, progress, retries, md5)


def _read(read: Callable[[str], bytes], path: Path) -> Ratings:
    try:
        data, items, names = (read(name) for name in _FILES)
    except (OSError, KeyError) as error:
        raise _damaged(path, error) from error
    if hashlib.md5(data, usedforsecurity=False).hexdigest() != RATINGS_MD5:
        raise _damaged(path, ValueError("the checksum of u.data is wrong"))
    rows = pd.read_csv(io.BytesIO(data), sep="\t", header=None, names=["user", "film", "stars", "time"])
    user, users = pd.factorize(rows["user"], sort=True)
    genre_names = [line.split("|")[0] for line in names.decode("latin-1").splitlines() if "|" in line]
    catalogue = [line.split("|") for line in items.decode("latin-1").splitlines() if line]
    genres, genre_names_used = flagged(
        [[g for g, has in zip(genre_names, line[5:], strict=True) if has == "1"] for line in catalogue]
    )
    code = {int(line[0]): number for number, line in enumerate(catalogue)}
    return Ratings(
        user=np.asarray(user, dtype=np.intp),
        film=np.asarray(rows["film"].map(code), dtype=np.intp),
        stars=rows["stars"].to_numpy(np.float64),
        users=tuple(f"user {name}" for name in users),
        films=tuple(plain_text(line[1]) for line in catalogue),
        genres=genres,
        genre_names=genre_names_used,
        title="MovieLens 100K",
        simulated=False,
        source=MOVIELENS_PUBLISHER,
        licence=MOVIELENS_LICENCE,
    )


def _damaged(path: Path, problem: Exception) -> ValueError:
    return ValueError(f"{path.name} is damaged ({in_public(problem, path)}); remove it and download it again")
