"""Results by what they depend on, in one memory for the whole process: bounded, each computed once at a time."""

import hashlib
import inspect
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial, wraps
from threading import Lock, local
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet, finalize

from dpot_app.kit.requester import waiting
from dpot_app.kit.weighing import weight
from dpot_core.arguments.progress import Progress

P = ParamSpec("P")
T = TypeVar("T")

#: Bytes of all results that are kept, a quarter of them for what is prefetched: frames for a slider that may never be
#: moved. Most entries, of either kind: a point of a curve has some hundred bytes, and a page has a hundred of them.
MOST_BYTES, MOST_ENTRIES, MOST_ASIDE = 200_000_000, 10_000, 5_000
#: Bytes that a result counts as at most: what is larger shares its parts with others (a city, films).
LARGE = 300_000
# Seconds between two looks whether another thread has finished the same work.
_LOOK = 0.2


# Every memory there is, and digests of files whose owners are gone: what was made of those goes with the next look.
_EVERY: WeakSet["Cache"] = WeakSet()
_GONE: deque[bytes] = deque()
# Of a thread: whether it computes in advance now, for whichever memory, and from which files.
_thread = local()
_UNDER_WAY: list["_Work"] = []


class Cache:
    """A bounded memory of results; a thread that asks for what another one is computing waits for it.

    Args:
        most: entries; the one that was not used for the longest time goes first.
        aside: entries that were computed in advance (see `in_advance`); they push out no others. With 0 they are kept
            like all others.
        weigh: bytes of an entry; None where entries are counted only.
        most_bytes: of all entries together, those aside a quarter of it; only with ``weigh``.
    """

    def __init__(
        self, most: int, aside: int = 0, weigh: Callable[[Any], int] | None = None, most_bytes: int = 0
    ) -> None:
        self._most = {False: most, True: aside}
        self._most_bytes = {False: most_bytes - most_bytes // 4 * bool(aside), True: most_bytes // 4}
        self._weigh, self._weights = weigh, dict[Hashable, int]()
        self._bytes = {False: 0, True: 0}
        self._files = dict[Hashable, frozenset[bytes]]()  # digests of those that an entry was computed from
        self._memories: dict[bool, OrderedDict[Hashable, Any]] = {False: OrderedDict(), True: OrderedDict()}
        self._working: dict[Hashable, tuple[Lock, bool]] = {}  # whether it is computed in advance
        self._noted: dict[Hashable, Any] | None = None
        self._lock = Lock()
        _EVERY.add(self)

    def get(
        self, key: Hashable, compute: Callable[[], T], progress: Progress | None = None, *, sooner: bool = False
    ) -> T:
        """The result kept under a key, computed if there is none.

        Args:
            key: everything that the result depends on.
            compute: makes it; what it raises is not kept.
            progress: called while another thread computes the same, so that waiting can be abandoned.
            sooner: do not wait for who computes it in advance, which takes longer.
        """
        forget_gone()
        with self._lock:
            if (memory := self._where(key)) is not None:
                return self._used(memory, key)
            working, aside = self._working.setdefault(key, (Lock(), self._advance))
        if sooner and aside and working.locked():
            return self._computed(key, compute)
        if not working.acquire(blocking=False):
            with waiting():
                while not working.acquire(timeout=_LOOK):
                    if progress is not None:
                        progress(0, 1)
        try:
            with self._lock:
                if (memory := self._where(key)) is not None:
                    return self._used(memory, key)
            return self._computed(key, compute)
        finally:
            working.release()
            with self._lock:
                self._working.pop(key, None)

    def _computed(self, key: Hashable, compute: Callable[[], T]) -> T:
        result = compute()
        weight = self._weigh(result) if self._weigh else 0
        with self._lock:
            if (memory := self._where(key)) is not None:
                return self._used(memory, key)
            self._put(self._advance, key, result, weight)
        return result

    def keep(self, function: Callable[P, T]) -> Callable[P, T]:
        """Keep what a function returns for its arguments: settings, plain values, files, and data that have a key.

        An argument named ``progress`` only watches: results do not depend on it. What is computed from settings with
        a reader's own data (they are ``personal``) is not kept.
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
                    self._put(self._advance, key, result, self._weigh(result) if self._weigh else 0)

    def known(self, keys: Iterable[Hashable]) -> dict[Hashable, Any]:
        """The values kept under these keys, as far as there are any."""
        with self._lock:
            return {key: self._used(aside, key) for key in keys if (aside := self._where(key)) is not None}

    def bound(self, most_bytes: int) -> None:
        """Keep so many bytes from now on, and what is computed in advance with all else."""
        self._most[True], self._most_bytes = 0, {False: most_bytes, True: 0}

    @property
    def _advance(self) -> bool:
        return bool(self._most[True]) and getattr(_thread, "advance", False)

    @property
    def weight(self) -> int:
        """Bytes of all entries together, if they are weighed."""
        return sum(self._bytes.values())

    def _where(self, key: Hashable) -> bool | None:
        return next((aside for aside, entries in self._memories.items() if key in entries), None)

    def _used(self, aside: bool, key: Hashable) -> Any:
        """The kept value; it counts as asked for from now on, unless it is computed in advance once more."""
        weight, files = self._weights.get(key, 0), self._files.get(key, frozenset())
        result = self._taken(aside, key)
        self._put(aside and self._advance, key, result, weight, files)
        return result

    def _put(self, aside: bool, key: Hashable, result: Any, weight: int, files: frozenset[bytes] = frozenset()) -> None:
        under_way = _under_way()
        if under_way.forgotten:
            return
        entries = self._memories[aside]
        entries[key] = result
        if files := files | under_way.digests:
            self._files[key] = files
        if self._weigh:
            self._weights[key] = weight
            self._bytes[aside] += weight
        if self._noted is not None:
            self._noted[key] = result
        while entries and (len(entries) > self._most[aside] or self._bytes[aside] > self._most_bytes[aside]):
            self._taken(aside, next(iter(entries)))

    def _taken(self, aside: bool, key: Hashable) -> Any:
        """Drop a value, with its accounts, and return it."""
        self._bytes[aside] -= self._weights.pop(key, 0)
        self._files.pop(key, None)
        return self._memories[aside].pop(key)

    def _forget(self, digest: bytes) -> None:
        with self._lock:
            for aside, entries in self._memories.items():
                for key in [key for key in entries if digest in self._files.get(key, ()) or _holds(key, digest)]:
                    self._taken(aside, key)

    def clear(self) -> None:
        with self._lock:
            for aside, entries in self._memories.items():
                for key in list(entries):
                    self._taken(aside, key)


@contextmanager
def in_advance() -> Iterator[None]:
    """Mark everything that this thread computes here, for any memory, as computed in advance."""
    _thread.advance = True
    try:
        yield
    finally:
        _thread.advance = False


@contextmanager
def from_files(digests: Iterable[bytes]) -> Iterator[None]:
    """Mark all that this thread keeps or takes, in any memory, as computed from these files, whatever its key.

    Data made of a file are known by their own key, and so is what is computed from those.

    Args:
        digests: of the files, as `forget` takes them.
    """
    before = _under_way()
    _thread.work = work = _Work(before.digests.union(digests), before.forgotten)
    _UNDER_WAY.append(work)
    try:
        yield
    finally:
        _UNDER_WAY.remove(work)
        _thread.work = before


class _Work:
    """A thread's work with files, and whether one of them was forgotten meanwhile: nothing is kept then."""

    def __init__(self, digests: frozenset[bytes], forgotten: bool) -> None:
        self.digests, self.forgotten = digests, forgotten


def _under_way() -> _Work:
    known: _Work | None = getattr(_thread, "work", None)
    return known or _Work(frozenset(), False)


CACHE = Cache(MOST_ENTRIES, MOST_ASIDE, partial(weight, most=LARGE), MOST_BYTES)

#: Results of usual size; what is larger has a memory of its own.
cached = CACHE.keep


def file_digest(content: bytes) -> bytes:
    """The name by which memories know a file: its SHA-256, which stays in this process."""
    return hashlib.sha256(content).digest()


def forget(digest: bytes) -> None:
    """Let go of everything that was computed from a file; ``digest``: its `file_digest`."""
    for work in list(_UNDER_WAY):
        work.forgotten |= digest in work.digests
    for cache in list(_EVERY):
        cache._forget(digest)


def forget_with(owner: object, digest: bytes) -> None:
    """Let go of what was computed from a file once its owner is gone: with the session that held it."""
    # Objects go whenever Python looks for those that do: also while a memory is locked.
    finalize(owner, _GONE.append, digest).atexit = False


def forget_gone() -> None:
    """Let go of what came from files whose owners are gone."""
    with suppress(IndexError):  # empty now, or another thread has taken the last one
        while True:
            forget(_GONE.popleft())


def _holds(key: Any, digest: bytes) -> bool:
    return key == digest or (isinstance(key, tuple) and any(_holds(part, digest) for part in key))


def identity(value: Any) -> Hashable:
    """The identity of an argument: its own key or digest, if it has one, or the value itself.

    Raises:
        TypeError: for what has neither and can change.
    """
    for name in ("key", "digest"):
        known = getattr(value, name, None)
        if isinstance(known, str):
            return type(value), known
    if isinstance(value, bytes):
        return file_digest(value)
    if isinstance(value, tuple | list):
        return tuple(map(identity, value))
    if isinstance(value, Mapping):
        return tuple((name, identity(value[name])) for name in sorted(value))
    hash(value)
    return type(value), value
