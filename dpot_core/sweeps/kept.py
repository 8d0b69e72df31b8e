"""Results of a sweep on the disk: a file a point, named by what it depends on, whole or not there."""

import hashlib
import json
import os
import time
from pathlib import Path

from dpot_core.sweeps.point import Record, digest

#: Seconds after which a file that nobody finished writing is rubbish.
_STALE = 3600.0


class Kept:
    """The records in a folder; several sweeps, also at a time, may share one.

    Args:
        folder: made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self.damaged = folder, 0
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(".*"):
            if time.time() - path.stat().st_mtime > _STALE:
                path.unlink(missing_ok=True)

    def read(self, asked: str) -> Record | None:
        """The record of a point; None if there is none, or one that is damaged, which is counted."""
        try:
            checksum, _, body = self._path(asked).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        if hashlib.sha256(body).hexdigest().encode() == checksum:
            record: Record = json.loads(body)
            if record["asked"] == asked:
                return record
        self.damaged += 1
        return None

    def write(self, asked: str, answered: str) -> None:
        """Keep the record of a point: under a name of its own until it is whole."""
        path, body = self._path(asked), answered.encode()
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        unfinished.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        unfinished.replace(path)

    def _path(self, asked: str) -> Path:
        return self._folder / f"{digest(asked)}.json"
