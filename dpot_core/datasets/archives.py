"""Zip archives that people bring, with an error in words for those that are damaged or unpack to too much."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from dpot_core.datasets.uploads import MAX_UPLOAD_BYTES, plain_text

#: An archive that unpacks to more bytes is refused.
MOST_UNPACKED = 4 * MAX_UPLOAD_BYTES


@contextmanager
def unpacking() -> Iterator[None]:
    """Errors in words for an archive, or a workbook, that is damaged.

    Raises:
        ValueError: in place of what Python's modules raise.
    """
    try:
        yield
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, RuntimeError, EOFError) as e:
        # Some of these quote bytes of the file at length.
        raise ValueError(f"the archive cannot be unpacked: {plain_text(str(e))}") from e


@contextmanager
def opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    """An archive of a modest size, unpacked.

    Raises:
        ValueError: if it is damaged, or too large.
    """
    with unpacking(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MOST_UNPACKED:
            raise ValueError(f"the archive unpacks to more than {MOST_UNPACKED // 2**20} MiB")
        yield archive


def files_in(archive: zipfile.ZipFile) -> list[str]:
    """Names of the files in an archive, without what macOS adds."""
    names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
    return [name for name in names if not name.startswith("__MACOSX/")]
