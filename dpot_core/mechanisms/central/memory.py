"""Facts about regions, kept beside them: a result that names its region carries nothing of other runs."""

from __future__ import annotations

from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

_KEPT: WeakKeyDictionary[Any, dict[str, dict[Any, Any]]] = WeakKeyDictionary()
_LOCK = Lock()


def memory(region: Any, what: str, most: int | None = None) -> dict[Any, Any]:
    """A dictionary that lasts as long as a region, for answers that follow from the region's shape alone.

    The answers are public, but which questions were asked depends on the data of a mechanism. So they are
    no part of the region, of which a published result keeps a reference.

    Args:
        region: whose.
        what: which questions.
        most: a dictionary with more entries is dropped and a new one begun, so that others may go on with the old one.

    Returns:
        The dictionary itself.
    """
    with _LOCK:
        kept = _KEPT.setdefault(region, {})
        found = kept.setdefault(what, {})
        if most is not None and len(found) > most:
            found = kept[what] = {}
        return found
