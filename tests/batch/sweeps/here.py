"""The points of a sweep computed one after the other in the process of the test, which may change what they call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any


def in_this_process(
    function: Callable[..., Any], items: Sequence[Any], _workers: object, shared: tuple[Any, ...]
) -> Iterator[tuple[int, Any]]:
    """As `dpot_app.kit.workers.worker.imap_unordered`, without the workers."""
    yield from enumerate(function(item, *shared) for item in items)
