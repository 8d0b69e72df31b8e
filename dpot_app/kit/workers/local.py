"""Workers on this machine: processes of Pebble, whose futures can be given up, and which may die.

Each has a pool of its own of one process: a worker keeps what it has read, a session gets the one that served it last,
and one that is killed while it holds a lock holds no other up. Where the system can, processes are forked from one that
has imported everything: they begin within milliseconds, and what was imported is one copy in memory for all.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from concurrent.futures import CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

from dpot_app.kit.cache import CACHE
from dpot_app.kit.workers import pickling
from dpot_app.kit.workers.jobs import LOADED_LATE
from dpot_app.kit.workers.worker import Died, Stopped, read, work
from dpot_app.machine import one_thread_each

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

    from pebble import ProcessFuture, ProcessPool

# Imported before workers are forked: all that can be asked of them.
_MODULES = ("dpot_app.views.table", *LOADED_LATE)
#: Bytes of results that a worker keeps for its next job; memory, in kB, beyond which it ends after a job.
_KEEPS, _LARGE = 12_000_000, 1_000_000
#: Nicer than the server, whose readers move sliders.
_NICE = 10
# Seconds for which a worker may take to stop before it is killed.
_GRACE = 0.4
# Places of the memory that a worker shares with the server: how far it is, done and in all in one number so that both
# are of one moment; whether it is to stop; the number of its process.
_FAR, _STOP, _PROCESS, _PLACES = range(4)


def _context() -> Any:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_MODULES))
    return context


def start() -> None:
    """Let the process import that others are forked from, which takes seconds, before a session waits."""
    if _context().get_start_method() == "forkserver":
        from multiprocessing import forkserver  # not everywhere

        forkserver.ensure_running()


class LocalWorker:
    """One process at a time, started when it is needed."""

    tries = 2
    _pool: ProcessPool | None = None
    _future: ProcessFuture[Any] | None = None
    _shared: MutableSequence[int]

    def begin(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], shared: tuple[Any, ...] = ()
    ) -> ProcessFuture[Any]:
        """See `Worker`."""
        message = pickling.dumps((function, (*arguments, *shared)))
        if self._pool is None or not self._pool.active:
            self.end()
            self._open()
        assert self._pool is not None
        self._shared[_FAR] = self._shared[_STOP] = 0
        self._future = self._pool.schedule(_work, (message,))
        return self._future

    def _open(self) -> None:
        from pebble import ProcessPool

        context = _context()
        self._shared = context.RawArray("q", _PLACES)
        self._pool = ProcessPool(1, initializer=_begin, initargs=(self._shared,), context=context)

    def result(self, future: ProcessFuture[Any]) -> Any:
        """See `Worker`."""
        from pebble import ProcessExpired

        try:
            answer, large = future.result()
        except (ProcessExpired, BrokenProcessPool, CancelledError):
            self.end()
            raise Died("the process that computed it ended: of lack of memory, perhaps") from None
        if large:
            self.end()
        return read(answer)

    def told(self) -> tuple[int, int] | None:
        """See `Worker`."""
        far = self._shared[_FAR]
        return (far >> 32, far & 0xFFFFFFFF) if far else None

    def stop(self, future: ProcessFuture[Any]) -> None:
        """Let the process stop by itself, so that it keeps what it has read; kill it if it does not at once."""
        self._shared[_STOP] = 1
        if not wait([future], _GRACE).done:
            self.end()

    def end(self) -> None:
        """See `Worker`."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()
        if self._future is not None:
            # A thread may wait for it that does not end the worker itself.
            self._future.cancel()  # type: ignore[no-untyped-call]

    @property
    def process(self) -> int:
        """The number of its process; 0 if it has none."""
        return self._shared[_PROCESS] if self._pool is not None else 0


# In a worker: the memory that it shares.
_told: MutableSequence[int] = [0] * _PLACES


def _begin(shared: MutableSequence[int]) -> None:
    global _told
    _told = shared
    _told[_PROCESS] = os.getpid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # also in the middle of a solver
    if hasattr(os, "nice"):
        os.nice(_NICE)
    one_thread_each()
    CACHE.bound(_KEEPS)
    gc.freeze()
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End with the process that this one works for, also when that is killed."""
    connection.wait([sentinel])
    os._exit(1)


def _work(message: bytes) -> tuple[bytes, bool]:
    """The answer to a message, and whether the process has become large."""

    def report(done: int, total: int) -> None:
        if _told[_STOP]:
            raise Stopped
        _told[_FAR] = int(done) << 32 | int(total)

    answer = work(message, (), report)
    if find_spec("resource") is None:
        return answer, False
    import resource

    return answer, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > _LARGE
