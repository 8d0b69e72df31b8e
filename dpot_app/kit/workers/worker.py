"""A worker, on this machine or on a cluster, and a function that it works on."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.requester import Requester
from dpot_app.kit.workers import pickling
from dpot_core.arguments.progress import Progress

T = TypeVar("T")

# Seconds between two looks at the requester.
_LOOK = 0.1


class Died(RuntimeError):
    """The process of a worker ended before the work was done."""


class Gone(ComputationFailed):
    """There are no workers any more."""


class Stopped(BaseException):
    """No session waits for the work any more."""


class Worker(Protocol):
    """A worker that does one thing at a time; its futures are of the standard library's kind, Pebble's or Dask's.

    Attributes:
        tries: how often to begin what ended the worker's process.
    """

    tries: int

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...], shared: tuple[Any, ...] = ()) -> Any:
        """The future of a function of a module, called with the arguments and, the last, what it reports to.

        Args:
            shared: further arguments, as the worker's kind shares them (`Cluster.share`).
        """

    def result(self, future: Any) -> Any:
        """The result of what has been begun and is done; an error of the function is raised.

        Raises:
            Died: the process has ended.
            Gone: there is no worker any more.
        """

    def told(self) -> tuple[int, int] | None:
        """How far the function has reported to be: (done, in all)."""

    def stop(self, future: Any) -> None:
        """Give up what has been begun."""

    def end(self) -> None:
        """End its process, if it is its own, and what it works on; the next function has another one."""


def followed(
    worker: Worker, function: Callable[..., Any], arguments: tuple[Any, ...], progress: Progress, requester: Requester
) -> Any:
    """The result of a function by a worker; an exception of the requester or of the progress gives it up.

    Raises:
        Died: the process has ended.
        Gone: there is no worker any more.
    """
    future = worker.begin(function, arguments)
    ready, told = SimpleQueue[Any](), None
    future.add_done_callback(ready.put)
    try:
        done = None
        while done is None:
            with suppress(Empty):
                done = ready.get(timeout=_LOOK)
            requester.tick(None)
            if (now := worker.told()) is not None and now != told:
                progress(*now)
                told = now
    except BaseException:
        worker.stop(future)
        raise
    return worker.result(future)


def imap_unordered(
    function: Callable[..., T], items: Sequence[Any], workers: Sequence[Worker], shared: tuple[Any, ...] = ()
) -> Iterator[tuple[int, T | Exception]]:
    """Yield (place, result) of a function for every item, in order of completion; the workers are ended.

    What was being computed when a process died (of lack of memory, say) is computed again, alone.

    Args:
        function: of a module, by its name; it and what it takes and gives can be pickled.
        items: what it is called with.
        workers: what computes; one item each at a time.
        shared: what it is called with as well, every time (`Worker.begin`).

    Yields:
        Place of the item, and what the function gave or raised; `Died` if it ends its process when alone as well.

    Raises:
        Gone: there is no worker any more.
    """
    left, lost = list(enumerate(items))[::-1], list[tuple[int, Any]]()
    idle, running, ready = list(workers), dict[Any, tuple[int, Any, Worker]](), SimpleQueue[Any]()
    alone = False
    try:
        while left or running or lost:
            if not left and not running:
                left, lost, alone = lost, [], True
            while left and idle and not (alone and running):
                (place, item), worker = left.pop(), idle.pop()
                future = worker.begin(_called, (function, item), shared)
                running[future] = place, item, worker
                future.add_done_callback(ready.put)
            future = ready.get()
            place, item, worker = running.pop(future)
            idle.append(worker)
            try:
                found: T | Exception = worker.result(future)
            except Gone:
                raise
            except Died as problem:
                if not alone and worker.tries > 1:
                    lost.append((place, item))
                    continue
                found = problem
            except Exception as problem:
                found = problem
            yield place, found
    finally:
        for worker in workers:
            worker.end()


def _called(function: Callable[..., T], item: Any, *shared_and_progress: Any) -> T:
    *shared, _ = shared_and_progress
    return function(item, *shared)


def work(message: bytes, shared: tuple[Any, ...], report: Progress) -> bytes:
    """Do what a message asks for, in a worker's process.

    Args:
        message: a pickle of a function and its arguments.
        shared: further arguments.
        report: called with how far it is; raises `Stopped` to end it.

    Returns:
        A pickle of ("done", result) or ("failed", error).
    """
    try:
        function, arguments = pickle.loads(message)
        answer = ("done", function(*arguments, *shared, report))
    except Stopped:
        answer = ("done", None)
    except Exception as error:
        error.add_note(traceback.format_exc())  # the server's log has the place as well
        answer = ("failed", error)
    try:
        return pickling.dumps(answer)
    except Exception as error:
        return pickling.dumps(("failed", RuntimeError(f"what a worker found cannot be sent: {error!r}")))


def read(answer: bytes) -> Any:
    """The result in an answer of `work`; an error is raised."""
    said, given = pickle.loads(answer)
    if said == "failed":
        raise given
    return given
