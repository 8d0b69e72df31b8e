"""The door through which every file that people bring is read, within limits; once, where a page reads it again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from dpot_app.kit.cache import Cache
from dpot_app.kit.workers.bounded import bounded
from dpot_core.datasets.formats import is_plain
from dpot_core.datasets.uploads import UnusableFile, reading

#: What pages say of the formats of a table, beside CSV.
ALSO_READ = "Excel, Parquet and map files of points (GeoPackage, Shapefile, GeoJSON, KML, GPX) are read as well."

#: Larger files, in bytes, and those of more cells are read within limits of memory and time.
MODEST_BYTES, MODEST_CELLS = 1_000_000, 200_000

P = ParamSpec("P")
T = TypeVar("T")


def is_modest(files: Iterable[Any]) -> bool:
    """Whether files, whatever is in them, cost little to read; arguments that are no files do not count.

    What is packed, or read by a library for maps or spreadsheets, may cost much: a few bytes of it may become many.
    """
    contents = [file for file in files if isinstance(file, bytes)]
    if not all(map(is_plain, contents)):
        return False
    size = sum(map(len, contents))
    cells = sum(content.count(sign) for content in contents for sign in b",;\t|\n\r[{") if size > MODEST_CELLS else 0
    return size <= MODEST_BYTES and cells <= MODEST_CELLS


class _Refused:
    def __init__(self, problem: UnusableFile) -> None:
        self.problem = problem


def within_limits(reader: Callable[P, T]) -> Callable[P, T]:
    """A reader of files that people bring; one that is not modest is read within limits of memory and time.

    A server does that in a process of its own.

    Args:
        reader: of the file's bytes and plain values; a function of a module.

    Raises:
        UnusableFile: in place of whatever `ValueError` the reader raises.
    """
    signature = inspect.signature(reader)

    @wraps(reader)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        with reading():
            given = signature.bind(*args, **kwargs).arguments
            if is_modest(given.values()):
                return reader(*args, **kwargs)
            found: T = bounded(reader, given)
            return found

    return read


def read_once(cache: Cache, reader: Callable[P, T]) -> Callable[P, T]:
    """Keep what a reader makes of a file, and what it refuses: a page that is drawn anew does not read it again.

    Args:
        cache: the memory; it forgets refusals like results, with the file.
        reader: as in `within_limits`.

    Raises:
        UnusableFile: in place of whatever `ValueError` the reader raises.
    """
    once = within_limits(reader)

    @wraps(reader)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T | _Refused:
        try:
            return once(*args, **kwargs)
        except UnusableFile as problem:
            # Its traceback would hold the file.
            problem.__cause__ = problem.__context__ = None
            return _Refused(problem.with_traceback(None))

    kept = cache.keep(tried)

    @wraps(reader)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        found = kept(*args, **kwargs)
        if isinstance(found, _Refused):
            raise found.problem.with_traceback(None)
        return found

    return read
