"""Results by what they depend on, in one memory for the whole process: bounded, each computed once at a time."""

import hashlib
import inspect
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial, wraps
from threading import Lock, local
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet, finalize

from dpot_core.progress import Progress

P = ParamSpec("P")
T = TypeVar("T")

#: Most results that are kept: a few hundred kilobytes each, a large city's a few megabytes.
MOST_ENTRIES = 500
#: Most of those that nobody has asked for yet: frames for a slider that may never be moved.
MOST_ASIDE = 250
# Seconds between two looks whether somebody else has finished the same work.
_LOOK = 0.2


# Every memory there is, and digests of files that nobody has any more: what was made of those goes with the next look.
_EVERY: WeakSet["Cache"] = WeakSet()
_GONE: deque[bytes] = deque()


class Cache:
    """A bounded memory of results; whoever asks for what somebody else is computing waits for it.

    Args:
        most: entries; the one that was not used for the longest time goes first.
        aside: entries that were computed in advance (see `in_advance`); they push out no others.
    """

    def __init__(self, most: int, aside: int = MOST_ASIDE) -> None:
        self._most = {False: most, True: aside}
        self._memories: dict[bool, OrderedDict[Hashable, Any]] = {False: OrderedDict(), True: OrderedDict()}
        self._thread = local()
        self._working: dict[Hashable, Lock] = {}
        self._noted: dict[Hashable, Any] | None = None
        self._lock = Lock()
        _EVERY.add(self)

    def get(self, key: Hashable, compute: Callable[[], T], progress: Progress | None = None) -> T:
        """The result kept under a key, computed if there is none.

        Args:
            key: everything that the result depends on.
            compute: makes it; what it raises is not kept.
            progress: called while somebody else computes the same, so that waiting can be abandoned.
        """
        with suppress(IndexError):  # empty now, or somebody else has taken the last one
            while True:
                forget(_GONE.popleft())
        with self._lock:
            if (memory := self._where(key)) is not None:
                return self._used(memory, key)
            working = self._working.setdefault(key, Lock())
        while not working.acquire(timeout=_LOOK):
            if progress is not None:
                progress(0, 1)
        try:
            with self._lock:
                if (memory := self._where(key)) is not None:
                    return self._used(memory, key)
            result = compute()
            with self._lock:
                self._put(self._advance, key, result)
            return result
        finally:
            working.release()
            with self._lock:
                self._working.pop(key, None)

    def keep(self, function: Callable[P, T]) -> Callable[P, T]:
        """Keep what a function returns for its arguments: settings, plain values, files, and data that have a key.

        An argument named ``progress`` only watches: results do not depend on it. What is computed from settings with
        somebody's own data (they are ``personal``) is not kept.
        """
        signature, name = inspect.signature(function), f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def kept(*args: P.args, **kwargs: P.kwargs) -> T:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            progress = given.arguments.pop("progress", None)
            if any(getattr(value, "personal", False) for value in given.arguments.values()):
                return function(*args, **kwargs)
            key = (name, *map(identity, given.arguments.values()))
            return self.get(key, partial(function, *args, **kwargs), progress)

        return kept

    @contextmanager
    def in_advance(self) -> Iterator[None]:
        """What this thread computes here, nobody has asked for yet."""
        self._thread.advance = True
        try:
            yield
        finally:
            self._thread.advance = False

    @contextmanager
    def noting(self) -> Iterator[dict[Hashable, Any]]:
        """All that is asked for or kept in here, by any thread, filled in as it is: for a process with one job."""
        noted: dict[Hashable, Any] = {}
        self._noted = noted
        try:
            yield noted
        finally:
            self._noted = None

    def bring(self, noted: Mapping[Hashable, Any]) -> None:
        """Keep what another process has noted, but for what is here already."""
        with self._lock:
            for key, result in noted.items():
                if self._where(key) is None:
                    self._put(self._advance, key, result)

    def bound(self, most: int, aside: int) -> None:
        """Keep so many from now on; see the class."""
        self._most = {False: most, True: aside}

    @property
    def _advance(self) -> bool:
        return getattr(self._thread, "advance", False)

    def _where(self, key: Hashable) -> bool | None:
        return next((aside for aside, entries in self._memories.items() if key in entries), None)

    def _used(self, aside: bool, key: Hashable) -> Any:
        """What is kept; it is among what is asked for from now on, unless it is computed in advance once more."""
        result = self._memories[aside].pop(key)
        self._put(aside and self._advance, key, result)
        return result

    def _put(self, aside: bool, key: Hashable, result: Any) -> None:
        entries = self._memories[aside]
        entries[key] = result
        if self._noted is not None:
            self._noted[key] = result
        while len(entries) > self._most[aside]:
            entries.popitem(last=False)

    def _forget(self, digest: bytes) -> None:
        with self._lock:
            for entries in self._memories.values():
                for key in [key for key in entries if _holds(key, digest)]:
                    del entries[key]

    def clear(self) -> None:
        with self._lock:
            for entries in self._memories.values():
                entries.clear()


CACHE = Cache(MOST_ENTRIES)

#: Results of usual size; what is larger has a memory of its own.
cached = CACHE.keep


def forget(digest: bytes) -> None:
    """Let go of everything that was computed from a file; ``digest``: its SHA-256, as `identity` has it."""
    for cache in list(_EVERY):
        cache._forget(digest)


def forget_with(owner: object, digest: bytes) -> None:
    """Let go of what was computed from a file once its owner is gone: with the session that held it."""
    # Objects go whenever Python looks for those that do: also while a memory is locked.
    finalize(owner, _GONE.append, digest).atexit = False


def _holds(key: Any, digest: bytes) -> bool:
    return key == digest or (isinstance(key, tuple) and any(_holds(part, digest) for part in key))


def identity(value: Any) -> Hashable:
    """What tells an argument from others: its own key or digest, if it has one, or the value itself.

    Raises:
        TypeError: for what has neither and can change.
    """
    for name in ("key", "digest"):
        known = getattr(value, name, None)
        if isinstance(known, str):
            return type(value), known
    if isinstance(value, bytes):
        return hashlib.sha256(value).digest()
    if isinstance(value, tuple | list):
        return tuple(map(identity, value))
    if isinstance(value, Mapping):
        return tuple((name, identity(value[name])) for name in sorted(value))
    hash(value)
    return type(value), value
