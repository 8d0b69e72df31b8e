"""Results of a sweep on the disk: a file a point, named by what it depends on, whole or not there."""

import hashlib
import json
from pathlib import Path

from dpot_app.batch.sweeps.point import Record, digest
from dpot_core.datasets.writing import extended, write


class Kept:
    """The records in a folder; several sweeps, also at a time, may share one.

    Args:
        folder: made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self.damaged = folder, 0
        extended(folder)

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
        """Keep the record of a point; one that a power cut damages is computed again."""
        body = answered.encode()
        content = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
        write(self._folder, {self._path(asked).name: content}, lasting=False)

    def _path(self, asked: str) -> Path:
        return self._folder / f"{digest(asked)}.json"
