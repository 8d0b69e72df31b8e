"""A source of data as a row of a table: what it is, how to get it, and what is promised about whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from dpot_core.arguments.progress import Progress
from dpot_core.datasets.city_grid import Box
from dpot_core.datasets.downloads import DatasetMissing, GroupsMissing

T = TypeVar("T")


@dataclass(frozen=True)
class Dataset(Generic[T]):
    """A source of data that needs no upload.

    Attributes:
        title: its name on screen.
        description: one or two sentences: what it is, who is in it, what it costs to get; shown where it is missing.
        load: reads it; `DatasetMissing` if it has to be downloaded first.
        simulated: whether everything in it is invented.
        licence: on which terms it may be used.
        source: where it comes from.
        download: fetches it from its publisher, reporting (bytes done, bytes in all); None if nothing is downloaded.
        download_megabytes: what has to be downloaded once; 0 if nothing.
        box: west, south, east, north in degrees: a map that was fixed before the data were looked at; None if there is
            none, so that a map is drawn around the data.
        groups: what `load` can tell apart when it is given one of these words; empty if it takes none.
        note: what a promise about whole histories has to add.
    """

    title: str
    description: str
    load: Callable[..., T]
    simulated: bool
    licence: str
    source: str
    download: Callable[[Progress], object] | None = None
    download_megabytes: int = 0
    box: Box | None = None
    groups: tuple[str, ...] = ()
    note: str = ""


def loaded(row: Dataset[T], *groups: str) -> T:
    """The data of a row; the last few are kept, for everybody in this process.

    Args:
        row: the data set.
        groups: what `row.load` is given.

    Raises:
        DatasetMissing: if it has to be downloaded first.
        ValueError: if the file found is damaged.
    """
    try:
        data: T = _kept(row, groups)
    except GroupsMissing:
        raise
    except DatasetMissing as missing:
        missing.dataset = row
        raise
    return data


@lru_cache(maxsize=8)
def _kept(row: Dataset[Any], groups: tuple[str, ...]) -> Any:
    return row.load(*groups)


def downloaded(table: Mapping[str, Dataset[Any]]) -> tuple[str, ...]:
    """The keys of the rows that have to be downloaded first: what they hold may differ from machine to machine."""
    return tuple(key for key, row in table.items() if row.download is not None)


def digests(table: Mapping[str, Dataset[Any]], key: str, *groups: str) -> dict[str, str]:
    """The fingerprint of a downloaded data set under its key; nothing for any other, or for a file of one's own."""
    return {key: loaded(table[key], *groups).digest} if key in downloaded(table) else {}
