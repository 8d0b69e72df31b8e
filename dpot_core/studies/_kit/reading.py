"""The door through which every file that people bring is read: once, also where it is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dpot_core.datasets.uploads import UnusableFile, reading
from dpot_core.studies._kit.cache import Cache

P = ParamSpec("P")
T = TypeVar("T")


class _Refused:
    def __init__(self, problem: UnusableFile) -> None:
        self.problem = problem


def read_once(cache: Cache, reader: Callable[P, T]) -> Callable[P, T]:
    """Keep what a reader makes of a file, and what it refuses: a page that is drawn anew does not read it again.

    Args:
        cache: the memory; it forgets refusals like results, with the file.
        reader: of the file's bytes and plain values.

    Raises:
        UnusableFile: in place of whatever `ValueError` the reader raises.
    """

    @wraps(reader)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T | _Refused:
        try:
            with reading():
                return reader(*args, **kwargs)
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
