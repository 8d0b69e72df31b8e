"""The workers as the server sees them: started when they are needed, told to stop, replaced when they die."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.requester import Requester
from dpot_app.kit.workers import wire
from dpot_app.kit.workers.fair_queue import MOST, FairQueue
from dpot_app.kit.workers.fork_server import STOP
from dpot_app.kit.workers.jobs import LOADED_LATE, Job
from dpot_core.arguments.progress import Progress

# Imported before workers are forked: all that can be asked of them.
_MODULES = ("dpot_app.views.table", *LOADED_LATE)
# Seconds between two looks at the requester, and for which a worker may take to stop before it is killed.
_LOOK, _GRACE = 0.1, 0.4
# Times that a job is tried when its worker dies.
_TRIES = 2


class Died(Exception):
    """The worker's process has ended in the middle of a job."""


class ForkServer:
    """The process that forks workers; another one takes its place if it dies."""

    def __init__(self, modules: tuple[str, ...] = _MODULES) -> None:
        self._modules, self._lock = modules, Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Let it import, which takes seconds, before a session waits."""
        with self._lock:
            self._started()

    def _started(self) -> socket.socket:
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        self.close()
        here, there = socket.socketpair()
        with there:
            command = [sys.executable, "-m", "dpot_app.kit.workers.fork_server", str(there.fileno())]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            self._process = subprocess.Popen(
                [*command, *self._modules],
                env=environment,
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                # A key pressed at the server's terminal is none of its business. Not a session of its own: Linux shares
                # the processor among sessions alike, whatever is nice in them.
                process_group=0,
            )
        self._control = here
        return here

    def worker(self) -> tuple[int, "Connection[Any, Any]"]:
        """The number of a new process, and the line to it.

        Raises:
            ComputationFailed: none can be started.
        """
        here, there = socket.socketpair()
        with self._lock, there:
            for _ in range(_TRIES):
                control = self._started()
                with suppress(ConnectionError):
                    socket.send_fds(control, [b"w"], [there.fileno()])
                    if number := control.recv(8):
                        return int.from_bytes(number, "big"), Connection(here.detach())
                self.close()
        here.close()
        raise ComputationFailed("the processes for heavy work do not start: the server's log says why")

    def close(self) -> None:
        """Hang up: it ends, with all workers."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._control = self._process = None


class Worker:
    """One process at a time."""

    def __init__(self, fork_server: ForkServer) -> None:
        self._fork_server = fork_server
        self._number, self._line = 0, None

    _line: "Connection[Any, Any] | None"

    def do(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job; an exception of the requester or the progress ends it.

        Raises:
            Died: the process has ended.
        """
        message = wire.dumps((job.function, job.arguments, job.alone))
        if self._line is None:
            self._number, self._line = self._fork_server.worker()
        try:
            self._line.send_bytes(message)
            while True:
                while not self._line.poll(_LOOK):
                    requester.tick(None)
                said, *more = wire.loads(self._line.recv_bytes())
                if said != "progress":
                    break
                progress(*more)
        except (EOFError, ConnectionError):
            self.kill()
            raise Died from None
        except BaseException:
            self._stop()
            raise
        ends, given = more
        if ends:
            self.kill()
        if said == "failed":
            raise given
        return given

    def _stop(self) -> None:
        """Let the process stop by itself, so that it keeps what it has read; kill it if it does not at once."""
        assert self._line is not None  # a job runs
        with suppress(EOFError, ConnectionError):
            self._line.send_bytes(STOP)
            while self._line.poll(_GRACE):
                said, ends, *_ = wire.loads(self._line.recv_bytes())
                if said != "progress":
                    if ends:
                        break
                    return
        self.kill()

    def kill(self) -> None:
        """End the process; the next job has another one."""
        if self._line is not None:
            self._line.close()
            # Its parent waits for it when it forks the next one, so that the number is still its own.
            with suppress(ProcessLookupError):
                os.kill(self._number, signal.SIGKILL)
        self._number, self._line = 0, None


class Pool:
    """Workers on this machine.

    Args:
        count: of processes.
        most: jobs that may wait in all.
        crowded: whether one of several is left free of what is heavy.
    """

    def __init__(self, count: int, most: int = MOST, crowded: Callable[[], bool] = lambda: False) -> None:
        self._fork_server = ForkServer()
        self._workers = [Worker(self._fork_server) for _ in range(count)]
        self._queue = FairQueue(self._workers, most, crowded=crowded)

    def start(self) -> None:
        self._fork_server.start()

    def run(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job, when it is the requester's turn.

        Raises:
            Busy: too many wait.
            Occupied: it is not heavy, and all workers have something to do.
            ComputationFailed: its worker has died, twice.
        """
        for _ in range(_TRIES):
            worker = self._queue.worker_for(job, requester)
            try:
                return worker.do(job, progress, requester)
            except Died:
                continue
            finally:
                self._queue.give_back(worker)
        raise ComputationFailed(
            "the process that computed this ended twice before it was done, for want of memory perhaps. "
            "Try a smaller grid or fewer people"
        )

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""
        return self._queue.has_time()

    def is_free(self) -> bool:
        """Whether something that is not heavy would be begun at once."""
        return self._queue.is_free()

    def processes(self) -> list[int]:
        """Numbers of the processes that are at work or wait for it."""
        return [worker._number for worker in self._workers if worker._number]

    def close(self) -> None:
        """End all of them; for when no session asks any more."""
        for worker in self._workers:
            worker.kill()
        self._fork_server.close()
