"""Workers on a Dask cluster, for a room that outgrows one machine: ``DPOT_WORKERS=tcp://scheduler:8786``."""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.requester import Requester
from dpot_app.kit.workers import wire
from dpot_app.kit.workers.fair_queue import MOST, FairQueue
from dpot_app.kit.workers.jobs import Job, WorkersError
from dpot_app.processes import one_thread, sources
from dpot_core.arguments.progress import Progress

# Seconds for the scheduler to answer, between two looks at the requester, and between two looks of a worker whether it
# still waits.
_ANSWERS, _LOOK, _BETWEEN = 10, 0.1, 0.3
# The error where no worker of the cluster computes.
_GONE = "the cluster that computes is gone, or has no workers: the server's operator has to look after it"


class Cluster:
    """The cluster's workers as the places that sessions take turns at.

    A cancelled job ends when it next says how far it is: a thread cannot be killed. What a reader uploaded or typed
    does not leave this machine: it is computed here.

    Args:
        address: of the scheduler.
        most: jobs that may wait in all.
        crowded: whether one of several workers is left free of what is heavy.

    Raises:
        WorkersError: if no cluster answers that can compute the same; says why.
    """

    def __init__(self, address: str, most: int = MOST, crowded: Callable[[], bool] = lambda: False) -> None:
        try:
            from distributed import Client
        except ImportError as problem:
            raise WorkersError("DPOT_WORKERS=tcp://... needs Dask: pip install 'dpot[cluster]'") from problem
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            self._client = Client(address, timeout=_ANSWERS, set_as_default=False, name="dpot-room")
        except (OSError, ValueError) as problem:
            raise WorkersError(f"DPOT_WORKERS: no Dask scheduler answers at {address}: {problem}") from problem
        if others := {one for one in self._client.run(sources).values() if one != sources()}:
            self._client.close()
            raise WorkersError(f"DPOT_WORKERS: workers have another dpot ({', '.join(others)}; here {sources()})")
        threads = self._client.nthreads().values()
        # What is worked out on the way comes along, and two jobs in one process would mix it.
        if not threads or max(threads) > 1:
            self._client.close()
            what = "with one thread each (dask worker --nthreads 1)" if threads else "at all"
            raise WorkersError(f"DPOT_WORKERS: the cluster at {address} has no workers {what}")
        self._queue = FairQueue(list(range(len(threads))), most, crowded=crowded)

    def start(self) -> None:
        """The cluster runs already."""

    def run(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job, when it is the requester's turn.

        Raises:
            Busy: too many wait.
            Occupied: it is not heavy, and all workers have something to do.
            ComputationFailed: one worker after another died of it, or the cluster is gone.
        """
        if job.alone:
            return job.function(*job.arguments, progress)
        place = self._queue.worker_for(job, requester)
        try:
            return self._done(job, progress, requester)
        finally:
            self._queue.give_back(place)

    def _done(self, job: Job, progress: Progress, requester: Requester) -> Any:
        from distributed import Event, KilledWorker

        name, told, heard = f"dpot-{uuid4().hex}", list[tuple[int, int]](), threading.Event()

        def hear(event: tuple[float, tuple[int, int]]) -> None:
            told.append(event[1])
            heard.set()

        self._client.subscribe_topic(name, hear)
        future = self._client.submit(_work, wire.dumps((job.function, job.arguments)), name, key=name, pure=False)
        try:
            while not future.done():
                heard.wait(_LOOK)
                heard.clear()
                requester.tick(None)
                if told:
                    progress(*told[-1])
            if future.status == "error" and isinstance(future.exception(), KilledWorker):
                raise ComputationFailed("one process after another ended before this was done. Try a smaller grid")
            if future.status not in ("finished", "error"):
                raise ComputationFailed(_GONE)
            said, given = wire.loads(future.result())
        except BaseException:
            # The worker that computes it looks here.
            with suppress(Exception):
                Event(name, client=self._client).set()
            raise
        finally:
            with suppress(Exception):
                self._client.unsubscribe_topic(name)
            future.release()
        if said == "failed":
            raise given
        return given

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""
        return self._queue.has_time()

    def is_free(self) -> bool:
        """Whether something that is not heavy would be begun at once."""
        return self._queue.is_free()

    def close(self) -> None:
        self._client.close()


class _Left(BaseException):
    """No session waits for the result any more."""


def _work(message: bytes, name: str) -> bytes:
    """On the cluster: do a job, say how far it is, and stop when no session waits for it."""
    from distributed import Event, get_worker

    one_thread()
    function, arguments = wire.loads(message)
    worker, left, last = get_worker(), Event(name), 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() < last + _BETWEEN:
            return
        last = time.monotonic()
        worker.log_event(name, (done, total))
        if left.is_set():
            raise _Left

    try:
        answer = ("done", function(*arguments, report))
    except _Left:
        answer = ("done", None)
    except Exception as error:
        error.add_note(traceback.format_exc())  # the server's log has the place as well
        answer = ("failed", error)
    try:
        return wire.dumps(answer)
    except Exception as error:
        return wire.dumps(("failed", RuntimeError(f"what a worker found cannot be sent: {error!r}")))
