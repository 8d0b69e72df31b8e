"""Workers on a Dask cluster, for a room or a sweep that outgrows one machine: ``tcp://scheduler:8786``."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from dpot_app.kit.workers import pickling
from dpot_app.kit.workers.jobs import WorkersError
from dpot_app.kit.workers.worker import Died, Gone, Stopped, read, work
from dpot_app.machine import one_thread, sources

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

# Seconds for the scheduler to answer, and between two looks of a worker whether it still waits.
_ANSWERS, _BETWEEN = 10, 0.3


class Cluster:
    """A Dask cluster.

    Args:
        address: of the scheduler.

    Raises:
        WorkersError: Dask is not installed here, or no scheduler answers.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as problem:
            words = "a cluster needs Dask here and on its workers: pip install 'dpot[cluster]'"
            raise WorkersError(words) from problem
        # What goes wrong is said in one sentence here, without the traceback that Dask writes as well.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._address = address
        try:
            self._client = Client(address, timeout=_ANSWERS, set_as_default=False, name="dpot")
        except (OSError, ValueError) as problem:
            raise WorkersError(f"no Dask scheduler answers at {address}: {problem}") from problem

    def wait(self, seconds: float) -> None:
        """Wait for a first worker.

        Raises:
            WorkersError: there is none then.
        """
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError as problem:
            raise WorkersError(f"the scheduler at {self._address} has no workers after {seconds} s") from problem

    def check_programs(self) -> None:
        """Refuse workers that compute otherwise.

        Raises:
            WorkersError: they have other programs, or none.
        """
        try:
            others = {one for one in self._client.run(sources).values() if one != sources()}
        except ImportError as problem:
            raise WorkersError(f"workers have no dpot, or another one: {problem}") from problem
        if others:
            raise WorkersError(f"workers have another dpot ({', '.join(others)}; here {sources()})")

    def check_threads(self) -> None:
        """Refuse workers that a room cannot compute on.

        Raises:
            WorkersError: they have several threads each, or there are none.
        """
        threads = self._client.nthreads().values()
        # What is worked out on the way comes along, and two jobs in one process would mix it.
        if not threads or max(threads) > 1:
            what = "with one thread each (dask worker --nthreads 1)" if threads else "at all"
            raise WorkersError(f"the cluster at {self._address} has no workers {what}")

    def threads(self) -> int:
        """Threads of its workers."""
        return sum(self._client.nthreads().values())

    def workers(self, count: int) -> list[ClusterWorker]:
        """As many places for work that is sent to the cluster; Dask chooses which worker does it."""
        return [ClusterWorker(self._client) for _ in range(count)]

    def share(self, value: Any) -> Future:
        """An argument that is sent to the cluster once, for `ClusterWorker.begin`."""
        # Made there and not only laid there: it is made again if the worker that holds it dies.
        return self._client.submit(_same, value, pure=False)

    def close(self) -> None:
        self._client.close()


class ClusterWorker:
    """A place on the cluster: work of a worker that dies is done by another.

    What is given up ends when it next says how far it is: a thread cannot be killed.
    """

    tries = 1  # Dask tries it elsewhere

    def __init__(self, client: Client) -> None:
        self._client, self._name, self._told = client, "", list[tuple[int, int]]()

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...], shared: tuple[Any, ...] = ()) -> Future:
        """See `Worker`."""
        self._name, self._told = f"dpot-{uuid4().hex}", []
        heard = self._told.append
        self._client.subscribe_topic(self._name, lambda event: heard(event[1]))
        message = pickling.dumps((function, arguments))
        return self._client.submit(_work, message, self._name, *shared, key=self._name, pure=False)

    def result(self, future: Future) -> Any:
        """See `Worker`."""
        from distributed import KilledWorker

        try:
            if future.status == "finished":
                return read(future.result())
            if future.status == "error":
                problem = future.exception()
                if isinstance(problem, KilledWorker):
                    raise Died("one worker after another died of it: of lack of memory, perhaps")
                raise problem
            raise Gone("the cluster that computes is gone, or has no workers: its operator has to look after it")
        finally:
            self._forget(future)

    def told(self) -> tuple[int, int] | None:
        """See `Worker`."""
        return self._told[-1] if self._told else None

    def stop(self, future: Future) -> None:
        """See `Worker`."""
        from distributed import Event

        with suppress(Exception):
            Event(self._name, client=self._client).set()  # the worker that computes it looks here
        self._forget(future)

    def _forget(self, future: Future) -> None:
        with suppress(Exception):
            self._client.unsubscribe_topic(self._name)
        future.release()

    def end(self) -> None:
        """See `Worker`: the process is the cluster's."""


def _same(given: T) -> T:
    return given


def _work(message: bytes, name: str, *shared: Any) -> bytes:
    """On the cluster: do what a message asks for, say how far it is, and stop when no session waits for it."""
    from distributed import Event, get_worker

    one_thread()
    worker, given_up, last = get_worker(), Event(name), 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() < last + _BETWEEN:
            return
        last = time.monotonic()
        worker.log_event(name, (done, total))
        if given_up.is_set():
            raise Stopped

    return work(message, shared, report)
