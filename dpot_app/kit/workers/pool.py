"""Workers and the queue before them: jobs are done in turns, given up when no session waits, and done again once."""

from collections.abc import Callable, Sequence
from typing import Any

from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.requester import Requester
from dpot_app.kit.workers.fair_queue import MOST, FairQueue
from dpot_app.kit.workers.jobs import Job
from dpot_app.kit.workers.worker import Died, Worker, followed
from dpot_core.arguments.progress import Progress


class Pool:
    """Workers that sessions take turns at.

    Args:
        workers: of this machine or of a cluster.
        most: jobs that may wait in all.
        private: whether workers may be told a reader's own data; otherwise that is computed in this process.
        close: called when all workers have ended.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        most: int = MOST,
        *,
        private: bool = True,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self._workers, self._private = list(workers), private
        self._queue = FairQueue(self._workers, most)
        self._close, self._closed = close, False

    def run(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job, when it is the requester's turn.

        Raises:
            Busy: too many wait.
            ComputationFailed: its worker has died, also at the last try, or the workers have been ended.
        """
        if job.alone and not self._private:
            return job.function(*job.arguments, progress)
        tries = 0
        while True:
            worker = self._queue.take(requester.session, requester.tick, in_advance=requester.in_advance)
            try:
                return followed(worker, job.function, job.arguments, progress, requester)
            except Died:
                if self._closed:
                    raise ComputationFailed("the server is being stopped") from None
                tries += 1
                if tries >= worker.tries:
                    break
            finally:
                if job.alone:
                    worker.end()
                self._queue.give_back(worker)
        raise ComputationFailed(
            "the process that computed this ended twice before it was done, for want of memory perhaps. "
            "Try a smaller grid or fewer people"
        )

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""
        return self._queue.has_time()

    def close(self) -> None:
        """End all of them, and what they work on."""
        self._closed = True
        for worker in self._workers:
            worker.end()
        self._close()
