"""Files that are fetched once from their publisher and kept in the user's cache: whole, checked, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pooch
import requests

from dpot_core.progress import Progress


class DatasetMissing(FileNotFoundError):
    """The data are not on this machine yet; the message says how to get them.

    Attributes:
        dataset: the row of the table of data sets whose download helps; None if none does.
    """

    dataset: Any = None


class GroupsMissing(DatasetMissing):
    """The data are on this machine, but do not tell apart what was asked for; a download does not help."""


class DownloadError(RuntimeError):
    """What the server sent is not the data set."""


class Bar(Protocol):
    """What `keep` is given to report to while it reads."""

    def update(self, size: int) -> None:
        """Count `size` more bytes; 0 only gives the reader a chance to abandon."""


#: Turns the file that the server sent (first path) into the file that the cache keeps (second path).
Keep = Callable[[str, str, Bar], None]


def in_cache(name: str, cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where a file of this name is kept; None for the user's own cache folder."""
    return Path(pooch.os_cache("dpot") if cache_dir is None else cache_dir) / name


def fetched(
    url: str, path: Path, keep: Keep, progress: Progress | None = None, retries: int = 2, md5: str | None = None
) -> Path:
    """Fetch a file into the cache; nothing if it is there already.

    What the server sends goes through a temporary file that is removed whatever happens; the cache gets its file in one
    step, once everything was read and checked.

    Args:
        url: the publisher's file.
        path: where the cache keeps it, from `in_cache`.
        keep: makes the kept file; a `ValueError` from it means that the file was damaged on its way (worth another
            attempt), a `DownloadError` that it is something else.
        progress: called with (bytes done, bytes in all, 0 if unknown); an exception from it abandons the download and
            leaves nothing behind.
        retries: further attempts after a failed connection, a server error or a damaged file.
        md5: checksum of the kept file in hex, if it is known beforehand.

    Raises:
        DownloadError: if the server fails to the end, or its file is not the data set.
        OSError: if the cache folder cannot be written; nothing is downloaded then.
    """

    def fetch(address: str, output: str, manager: object) -> None:
        with tempfile.TemporaryDirectory(prefix="dpot-") as folder:
            raw = os.path.join(folder, "download")
            bar = _Bar(progress)
            # Some servers declare a compressed file as compressed by them, and it would be unpacked on the way.
            plain = {"Accept-Encoding": "identity"}
            http = pooch.HTTPDownloader(progressbar=bar, headers=plain, timeout=60, chunk_size=2**16)
            http(address, raw, manager)
            keep(raw, output, bar)

    known = None if md5 is None else f"md5:{md5}"
    store = pooch.create(
        path.parent, base_url="", registry={path.name: known}, urls={path.name: url}, retry_if_failed=retries
    )
    try:
        return Path(store.fetch(path.name, downloader=fetch))
    except (ValueError, requests.RequestException) as error:
        raise DownloadError(f"could not download {url}: {error}") from error
    except OSError as error:
        raise OSError(
            f"could not store the data in {path.parent} ({error}); give another cache_dir, or set DPOT_DATA"
        ) from error


class _Bar:
    """What pooch expects of a progress bar, as calls of `progress`."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.total = 0
        self.done = 0

    def update(self, size: int) -> None:
        self.done = min(self.done + size, self.total) if self.total else self.done + size
        if self.progress:
            self.progress(self.done, self.total)

    def reset(self) -> None:
        self.done = 0

    def close(self) -> None:
        pass
