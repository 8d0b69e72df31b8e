"""Files that are fetched once from their publisher and kept in the user's cache: whole, checked, or not at all.

Beside each file stands its SHA-256, which is verified when the file is read. What a bit has changed is set aside under
another name, and can be downloaded again.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pooch
import requests

from dpot_core.arguments.progress import Progress
from dpot_core.datasets.writing import clear, staged, write


class DatasetMissing(FileNotFoundError):
    """The data are not on this machine yet; the message says how to get them.

    Attributes:
        dataset: the row of the table of data sets whose download helps; None if none does.
    """

    dataset: Any = None


class GroupsMissing(DatasetMissing):
    """The data are on this machine, but do not tell apart what was asked for; a download does not help."""


class DatasetDamaged(DatasetMissing):
    """The file that was kept is damaged: it was set aside, and a download makes it anew."""


class DownloadError(RuntimeError):
    """The server sent something else than the data set."""


class Bar(Protocol):
    """The progress to which `keep` reports while it reads."""

    def update(self, size: int) -> None:
        """Count `size` more bytes; 0 only gives the reader a chance to abandon."""


#: Turns the file that the server sent (first path) into the file that the cache keeps (second path).
Keep = Callable[[str, str, Bar], None]


_LOG = logging.getLogger(__name__)


def in_cache(name: str, cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where a file of this name is kept; None for the user's own cache folder."""
    return Path(pooch.os_cache("dpot") if cache_dir is None else cache_dir) / name


def fetched(
    url: str, path: Path, keep: Keep, progress: Progress | None = None, retries: int = 2, md5: str | None = None
) -> Path:
    """Fetch a file into the cache; nothing if it is there already.

    What the server sends goes through a folder of its own in the cache that is removed whatever happens, or at the next
    start if the process is killed; the cache gets its file in one step, once everything was read and checked.

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
        raw = f"{output}.raw"
        bar = _Bar(progress)
        # Some servers declare a compressed file as compressed by them, and it would be unpacked on the way.
        plain = {"Accept-Encoding": "identity"}
        http = pooch.HTTPDownloader(progressbar=bar, headers=plain, timeout=60, chunk_size=2**16)
        http(address, raw, manager)
        keep(raw, output, bar)

    if path.is_file() and md5 in (None, pooch.file_hash(str(path), alg="md5")):
        return path
    known = None if md5 is None else f"md5:{md5}"
    try:
        with staged(path.parent) as folder:
            store = pooch.create(
                folder, base_url="", registry={path.name: known}, urls={path.name: url}, retry_if_failed=retries
            )
            fetched_file = Path(store.fetch(path.name, downloader=fetch))
            digest = _sha256(fetched_file).encode()
            write(path.parent, {_digest_of(path).name: digest, path.name: fetched_file})
    except (ValueError, requests.RequestException) as error:
        raise DownloadError(f"could not download {url}: {error}") from error
    except OSError as error:
        reason = in_public(error, path)
        raise OSError(
            f"could not store the data in the cache folder ({reason}); give another cache_dir, or set DPOT_DATA"
        ) from error
    return path


def in_public(error: BaseException, path: Path) -> str:
    """The failure with a file, in at most 200 characters that everyone in a room may read.

    Where the file lies is for the operator: the log has it.
    """
    _LOG.warning("%s: %s", path, error)
    said = (isinstance(error, OSError) and error.strerror) or str(error)
    return " ".join(said.replace(f"{path.parent}{os.sep}", "").split())[:200] or type(error).__name__


@contextmanager
def reading_kept(path: Path, again: str) -> Iterator[None]:
    """Read a file of the cache; whatever goes wrong inside is the damage of the file.

    A file that was kept before there were digests is read without.

    Args:
        path: the file.
        again: what downloads it, in words.

    Raises:
        DatasetDamaged: if it is not what was kept, or cannot be read; it has another name now.
        ValueError: the same, where it cannot be renamed.
    """
    try:
        digest = _digest_of(path)
        if digest.is_file() and digest.read_text(encoding="ascii").strip() != _sha256(path):
            raise ValueError("its checksum is not the one that it had")
        yield
    except Exception as problem:  # a bit that has changed may make a reader raise anything
        reason = in_public(problem.__cause__ or problem, path)
        aside = path.with_name(f"{path.name}.damaged")
        try:
            os.replace(path, aside)
            _digest_of(path).unlink(missing_ok=True)
        except OSError as refused:
            raise ValueError(f"{path.name} is damaged ({reason}); remove it and download it again") from refused
        said = f"{path.name} is damaged ({reason}) and was set aside as {aside.name}; {again}"
        raise DatasetDamaged(said) from problem


def sweep() -> None:
    """Remove what downloads left in the user's own cache whose process was killed."""
    clear(in_cache(""))


def _digest_of(path: Path) -> Path:
    """Where the SHA-256 of a kept file stands."""
    return path.with_name(f"{path.name}.sha256")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Bar:
    """A progress bar as pooch expects it, as calls of `progress`."""

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
