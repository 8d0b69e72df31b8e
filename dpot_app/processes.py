"""Independent pieces of work in processes of their own, one a core; a process that dies takes nothing else with it."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from importlib import resources
from multiprocessing.connection import wait as wait_for_end
from pathlib import Path
from typing import TypeVar

from threadpoolctl import threadpool_limits

T = TypeVar("T")
R = TypeVar("R")


class DiedError(RuntimeError):
    """The process that computed something ended before it was done."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def sources() -> str:
    """A digest of this program's sources: equal ones compute the same."""
    digest = hashlib.sha256()
    for package in ("dpot_core", "dpot_app"):
        folder = Path(str(resources.files(package)))
        # A wheel has the pages as well, which compute nothing.
        for path in sorted(set(folder.rglob("*.py")) - set((folder / "project").rglob("*.py"))):
            digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def one_thread() -> None:
    """Linear algebra on one thread from now on: their number may move the last digits, and more slow a full machine."""
    threadpool_limits(limits=1)


def one_thread_each() -> None:
    """The same for this process and all that it starts, unless the environment says how many threads there are."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for what is loaded later, and in other processes
        one_thread()


def imap_unordered(
    function: Callable[[T], R], items: Sequence[T], processes: int | None = None
) -> Iterator[tuple[int, R | BaseException]]:
    """Yield (place, result) of a function for every item, in order of completion.

    What was being computed when a process died (of lack of memory, say) is computed again, alone in a new process.

    Args:
        function: of a module, by its name, or a partial of one; it and what it takes and gives can be pickled.
        items: what it is called with.
        processes: how many work at a time, each with one thread for linear algebra; one a core without it.

    Yields:
        Place of the item, and what the function gave or raised; `DiedError` if it ends its process when alone as well.
    """
    left = deque(enumerate(items))
    while left:
        lost = yield from _pooled(function, left, min(processes or cores(), len(left)))
        for place, item in lost:
            for _ in (yield from _pooled(function, deque([(place, item)]), 1)):
                yield place, DiedError("the process that computed it ended, twice: of lack of memory, perhaps")


def _pooled(
    function: Callable[[T], R], left: deque[tuple[int, T]], processes: int
) -> Generator[tuple[int, R | BaseException], None, list[tuple[int, T]]]:
    """Work off what is left until all is done or a process dies; what was being computed then."""
    methods = multiprocessing.get_all_start_methods()
    # A forked copy of a clean process that has imported everything: a worker is there in a hundredth of a second.
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload([getattr(function, "func", function).__module__])
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin)
    running: dict[Future[R], tuple[int, T]] = {}
    lost: list[tuple[int, T]] = []
    try:
        while (left and not lost) or running:
            # One waits for each that is computed, so that no process is idle.
            while left and not lost and len(running) < 2 * processes:
                running[pool.submit(function, left[0][1])] = left[0]
                left.popleft()
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                place, item = running.pop(future)
                problem = future.exception()
                if isinstance(problem, BrokenProcessPool):
                    lost.append((place, item))
                else:
                    yield place, future.result() if problem is None else problem
    except BrokenProcessPool:  # between two looks
        lost += running.values()
    finally:
        pool.shutdown(cancel_futures=True)
    return sorted(lost, key=lambda one: one[0])


def _begin() -> None:
    """A worker ends with its parent process, also if that one is killed; the pool's own queue would wait forever."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    one_thread()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for_end([sentinel])
    os._exit(1)
