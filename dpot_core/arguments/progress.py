"""How work that takes a while reports, and is abandoned."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

#: Called with (done, in all); what it raises abandons the work.
Progress = Callable[[int, int], None]


def unwatched(done: int, total: int) -> None:
    """Ignore all reports."""


def part_of(progress: Progress | None, number: int, count: int) -> Progress | None:
    """A share of the whole progress, reported to by one of several equal parts.

    Args:
        progress: of the whole; None if it is not reported.
        number: of this part, from 0.
        count: of all parts.

    >>> part_of(lambda done, total: print(done, total), 1, 4)(3, 10)
    13 40
    """
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, count * total)


def parts(items: Sequence[T], progress: Progress | None) -> Iterator[tuple[T, Progress | None]]:
    """The items one by one, each with what the work on it reports to: equal shares of the whole.

    Args:
        items: what is worked on.
        progress: of the whole; None if it is not reported.

    >>> [listener(1, 2) for _, listener in parts("ab", print) if listener]
    1 4
    3 4
    [None, None]
    """
    for number, item in enumerate(items):
        yield item, part_of(progress, number, len(items))


def counted(items: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """The items one by one, each reported before it is worked on.

    Args:
        items: what is worked on.
        progress: called with (items done, items in all); None if it is not reported.

    >>> list(counted("ab", print))
    0 2
    1 2
    ['a', 'b']
    """
    for done, item in enumerate(items):
        if progress is not None:
            progress(done, len(items))
        yield item


class Counter:
    """Says on the standard error how far slow work is, at most twice a second."""

    def __init__(self, name: str) -> None:
        self._name, self._next = name, 0.0

    def __call__(self, done: int, total: int) -> None:
        """Called with what is done, and how much there is in all."""
        now = time.monotonic()
        if now >= self._next or done == total:
            self._next = now + 0.5
            print(f"{self._name}: {done} of {total}", file=sys.stderr)
